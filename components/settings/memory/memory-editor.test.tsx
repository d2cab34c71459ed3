// @vitest-environment happy-dom
import { useQuery } from "@tanstack/react-query";
import { act, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { asId, type Hash } from "@/lib/events/id";
import type { MemoryFileState } from "@/lib/tools/memory";
import { connectClient, renderForUser } from "../../shell/frame/test-dom";
import { MemoryEditor } from "./memory-editor";

const stateOf = (text: string): MemoryFileState => ({
  name: "USER.md",
  text,
  hash: asId<Hash>(`hash of ${text}`),
  tokens: 1,
});

/** Shows a file that is on a disk of this test; `release` answers the oldest call of its kind. */
async function showEditor() {
  let disk = stateOf("first");
  const changeFile = (text: string): void => {
    disk = stateOf(text);
  };
  const waiting: Record<"write" | "read", (() => void)[]> = { write: [], read: [] };
  const release = (kind: "write" | "read"): Promise<void> => act(async () => waiting[kind].shift()?.());
  const answerLater = <T,>(kind: "write" | "read", value: T): Promise<T> =>
    new Promise((resolve) => waiting[kind].push(() => resolve(value)));
  const { client } = await connectClient((name, input) => {
    if (name !== "memory.write" || typeof input !== "object" || input === null || !("text" in input)) return undefined;
    const isOther = !("before" in input) || input.before !== disk.hash;
    if (isOther) return answerLater("write", { ok: false, error: { code: "changed_meanwhile" } });
    disk = stateOf(String(input.text));
    return answerLater("write", { ok: true, value: disk });
  });
  let refetch: () => Promise<unknown> = async () => {};
  function Loaded() {
    const { data, refetch: readAgain } = useQuery({
      queryKey: ["memory.read", {}],
      initialData: disk,
      staleTime: Number.POSITIVE_INFINITY,
      queryFn: () => answerLater("read", disk),
    });
    refetch = readAgain;
    return <MemoryEditor file={data} title="USER.md" folder="/memory" />;
  }
  const user = await renderForUser(client, <Loaded />);
  const field = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Text of USER.md" });
  /** As the page does every few seconds. */
  const readFile = (): void => void refetch();
  return { user, field, release, waiting, changeFile, readFile };
}

test("what is typed while a text is saved and read again stays, and can be saved", async () => {
  const { user, field, release, waiting } = await showEditor();
  await user.type(field, " one");
  await user.click(screen.getByRole("button", { name: "Save" }));
  await user.type(field, " two");
  await expect.poll(() => waiting.write.length).toBe(1);
  await release("write");
  expect(field.value).toBe("first one two");
  // The list still has the file as it was before.
  expect(screen.getByRole("alert").textContent).toBe("");
  await user.type(field, " three");
  await expect.poll(() => waiting.read.length).toBe(1);
  await release("read");
  expect(field.value).toBe("first one two three");
  expect(screen.getByRole("alert").textContent).toBe("");
  await user.click(screen.getByRole("button", { name: "Save" }));
  await expect.poll(() => waiting.write.length).toBe(1);
  await release("write");
  await expect.poll(() => waiting.read.length).toBe(1);
  expect(field.value).toBe("first one two three");
  await release("read");
  expect(field.value).toBe("first one two three");
});

test("a text that another program writes after the save is shown, though it was read before the save was answered", async () => {
  const { user, field, release, waiting, changeFile, readFile } = await showEditor();
  await user.type(field, " mine");
  await user.click(screen.getByRole("button", { name: "Save" }));
  await expect.poll(() => waiting.write.length).toBe(1);
  changeFile("theirs");
  readFile();
  await expect.poll(() => waiting.read.length).toBe(1);
  await release("read");
  await release("write");
  // The answers arrive over a socket.
  await expect.poll(() => field.value).toBe("theirs");
  expect(screen.getByRole("alert").textContent).toBe("");
});

test.each([
  { choice: "Replace it", shown: "first mine" },
  { choice: "Load the file", shown: "theirs" },
])("$choice is offered once the text of another program is known, and works", async ({ choice, shown }) => {
  const { user, field, release, waiting, changeFile } = await showEditor();
  await user.type(field, " mine");
  changeFile("theirs");
  await user.click(screen.getByRole("button", { name: "Save" }));
  await expect.poll(() => waiting.write.length).toBe(1);
  await release("write");
  await expect.poll(() => waiting.read.length).toBe(1);
  expect(screen.queryByRole("button", { name: choice })).toBeNull();
  await release("read");
  const button = await screen.findByRole("button", { name: choice });
  // A press that was meant for Save chooses nothing.
  const [first] = screen.getAllByRole<HTMLButtonElement>("button");
  expect([first?.textContent, first?.disabled]).toEqual(["Save", true]);
  await user.click(button);
  expect(field.value).toBe(shown);
  if (choice === "Replace it") {
    await expect.poll(() => waiting.write.length).toBe(1);
    await release("write");
    await expect.poll(() => waiting.read.length).toBe(1);
    await release("read");
  }
  expect(screen.getByRole("alert").textContent).toBe("");
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Save" }).disabled).toBe(true);
});
