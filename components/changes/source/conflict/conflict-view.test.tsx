// @vitest-environment happy-dom
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { asId, type Hash, type ProjectId } from "@/lib/events/id";
import type { SourceConflict } from "@/lib/workspace/source-conflict";
import { connectClient, renderForUser } from "../../../shell/frame/test-dom";
import { formatConflict } from "./conflict-message";
import { ConflictView } from "./conflict-view";

const projectId = asId<ProjectId>("p1");
const file = { kind: "file", object: "12345678" } as const;

const region = (line: number, more: Partial<SourceConflict["regions"][number]> = {}) => ({
  line,
  ours: `ours ${line}\n`,
  theirs: `theirs ${line}\n`,
  base: null,
  names: { ours: "HEAD", theirs: "feature" },
  ...more,
});

const conflictOf = (more: Partial<SourceConflict> = {}): SourceConflict => ({
  sides: { base: file, ours: file, theirs: file },
  hash: asId<Hash>("hash-2"),
  regions: [region(1), region(9)],
  more: 0,
  looseLine: null,
  now: null,
  ...more,
});

/** Shows the view; `answers` = those of commands that change something, `next` = the conflict after the first of them. */
async function openView(
  first: SourceConflict,
  { next = first, answer = { ok: true, value: null } }: { next?: SourceConflict; answer?: unknown } = {},
) {
  let conflict = first;
  const connected = await connectClient((name) => {
    if (name === "source.conflict") return { ok: true, value: conflict };
    if (name === "source.conflict_diff") return { ok: true, value: { hash: "h", added: 0, removed: 0, hunks: [] } };
    if (!name.startsWith("source.") && name !== "trash.restore") return undefined;
    conflict = next;
    return answer;
  });
  const user = await renderForUser(
    connected.client,
    <ConflictView projectId={projectId} path="src/价格.ts" layout={{}} />,
  );
  return { ...connected, user };
}

const names = (place: HTMLElement): readonly (string | null)[] =>
  within(place)
    .queryAllByRole("button")
    .map(({ textContent }) => textContent);

test("a conflict is resolved with a key, the next one has the focus, and the choice is undone", async () => {
  const value = { saved: ["trash_1"], failed: [] };
  const next = conflictOf({ hash: asId<Hash>("hash-3"), regions: [region(7)] });
  const { client, user, inputsOf } = await openView(conflictOf(), { next, answer: { ok: true, value } });
  const first = await screen.findByRole("region", { name: "Conflict 1 of 2, line 1" });
  expect(names(first)).toEqual(["Ours", "Theirs", "Both"]);
  expect(within(first).getByText("Theirs · feature")).toBeTruthy();
  within(first).getByRole("button", { name: "Both" }).focus();
  await user.keyboard("{Enter}");
  const left = await screen.findByRole("region", { name: "Conflict 1 of 1, line 7" });
  await waitFor(() => expect(document.activeElement).toBe(within(left).getByRole("button", { name: "Ours" })));
  expect(inputsOf("source.resolve_regions")).toEqual([
    { projectId, path: "src/价格.ts", hash: "hash-2", choices: [{ region: 0, take: "both" }] },
  ]);
  expect(client.toasts.get()[0]?.text).toBe("1 conflict left");
  client.toasts.get()[0]?.action?.onSelect();
  await waitFor(() => expect(inputsOf("trash.restore")).toEqual([{ trashId: "trash_1", replaces: true }]));
});

test("a file with markers is marked only after a second press, and can be reopened", async () => {
  let isLeft = true;
  const connected = await connectClient((name) => {
    if (name === "source.conflict") return { ok: true, value: conflictOf() };
    if (name !== "source.mark_resolved") return name.startsWith("source.") ? { ok: true, value: null } : undefined;
    const answer = isLeft ? { ok: false, error: { code: "conflicts_left" } } : { ok: true, value: null };
    isLeft = false;
    return answer;
  });
  const user = await renderForUser(connected.client, <ConflictView projectId={projectId} path="a.ts" layout={{}} />);
  await user.click(await screen.findByRole("button", { name: "Mark as resolved" }));
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("a.ts still has conflict markers.");
  await user.click(within(alert).getByRole("button", { name: "Mark anyway" }));
  await waitFor(() => expect(connected.client.toasts.get()).toHaveLength(1));
  const input = { projectId, path: "a.ts" };
  expect(connected.inputsOf("source.mark_resolved")).toEqual([
    { ...input, anyway: false },
    { ...input, anyway: true },
  ]);
  connected.client.toasts.get()[0]?.action?.onSelect();
  await waitFor(() => expect(connected.inputsOf("source.reopen_conflict")).toEqual([input]));
});

const none = { regions: [] } as const;

test.each([
  [
    "a deletion by us",
    conflictOf({ ...none, sides: { base: file, ours: null, theirs: file }, now: "theirs" }),
    "We deleted this file, and the other side changed it. The file is theirs now.",
    ["Keep the file", "Delete the file"],
  ],
  [
    "a deletion by them",
    conflictOf({ ...none, sides: { base: file, ours: file, theirs: null }, now: "theirs", hash: null }),
    "The other side deleted this file, and we changed it. The file is deleted now.",
    ["Keep the file", "Delete the file"],
  ],
  [
    "a file that is no text",
    conflictOf({ ...none, why: "binary", now: "ours" }),
    "This file isn't text. Choose one side. The file is ours now.",
    ["Use ours", "Use theirs", "Use the common version"],
  ],
  [
    "a submodule",
    conflictOf({
      ...none,
      hash: null,
      sides: {
        base: file,
        ours: { kind: "submodule", object: "aaaa1111" },
        theirs: { kind: "submodule", object: "bbbb2222" },
      },
    }),
    "Both sides moved this submodule to another commit. Choose one; its files stay as they are.",
    ["Ours: aaaa1111", "Theirs: bbbb2222", "As it is checked out"],
  ],
  [
    "a file that both sides added",
    conflictOf({ sides: { base: null, ours: file, theirs: file } }),
    "Both sides added this file.",
    ["Use ours", "Use theirs"],
  ],
])("%s has a choice of its own", async (_, conflict, note, choices) => {
  await openView(conflict);
  expect(await screen.findByText(note)).toBeTruthy();
  expect(names(document.body).filter((name) => choices.some((choice) => choice === name))).toEqual(choices);
});

test("the agent is asked with the conflict in the message field; nothing is sent", async () => {
  const { client, user, inputsOf } = await openView(conflictOf());
  await user.click(await screen.findByRole("button", { name: "Ask the agent" }));
  await waitFor(() => expect(client.handles.waitingMessage).toBeDefined());
  const { references, text } = client.handles.waitingMessage ?? { references: [], text: "" };
  expect(text).toContain("Resolve the conflict in src/价格.ts");
  expect(references).toMatchObject([{ kind: "text", label: "Conflict in src/价格.ts" }]);
  expect(JSON.stringify(references)).toContain("ours 9");
  expect(inputsOf("session.send")).toEqual([]);
});

test("the text for the agent stays within its budget, and names what is left out", () => {
  const long = region(1, { ours: "x".repeat(7_000), base: "base\n" });
  const conflict = conflictOf({ regions: [long, region(2, { theirs: "y".repeat(3_000) }), region(3)], more: 4 });
  const line = { kind: "add", text: "z".repeat(9_000), newLine: 1 } as const;
  const hunk = { oldStart: 0, oldLines: 0, newStart: 1, newLines: 1, lines: [line] };
  const changes = { ours: { hash: asId<Hash>("h"), added: 1, removed: 0, hunks: [hunk] } };
  const text = formatConflict({ path: "a.ts", operation: { kind: "cherry_pick" }, conflict, changes });
  expect(text.length).toBeLessThan(12_000);
  expect(text).toContain(
    "a.ts is in conflict during a cherry-pick. Versions in git: base: file, ours: file, theirs: file.",
  );
  expect(text).toContain("|||||||\nbase\n=======");
  expect(text).toContain("(6 more conflicts in the file)");
});
