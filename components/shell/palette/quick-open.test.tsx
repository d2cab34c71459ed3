// @vitest-environment happy-dom
import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { asId, type ProjectId } from "@/lib/events/id";
import * as enLate from "../../messages/en-late";
import type { AppClient } from "../../state/client";
import { connectClient, renderForUser } from "../frame/test-dom";
import { testActionContext } from "../frame/test-render";
import { Palette } from "./palette";

let files: readonly string[] = [];
/** Number of the next answers from a list that is still being made, without a file. */
let unfinished = 0;
/** Files on disk that the list of files leaves out. */
const ignored = "debug.log";
beforeEach(() => {
  files = ["src/app.ts", "src/app.test.ts", "docs/app.md"];
});

const answer = (name: string, input: unknown): unknown => {
  if (name === "session.list") return { ok: true, value: { rows: [], more: false } };
  if (name === "files.existing")
    return {
      ok: true,
      value: { existing: [...files, ignored].map((path) => ({ path, isFolder: false, version: "1" })) },
    };
  if (name !== "files.find") return undefined;
  const query = typeof input === "object" && input !== null && "query" in input ? String(input.query) : "";
  if (query !== "" && unfinished-- > 0) return { ok: true, value: { paths: [], files: 0, isComplete: false } };
  const paths = files.filter((path) => path.includes(query));
  return { ok: true, value: { paths, files: files.length, isComplete: true } };
};

async function open(prepare: (client: AppClient) => void = () => undefined) {
  const { client, inputsOf } = await connectClient(answer);
  client.workbench.showProject(asId<ProjectId>("project"));
  prepare(client);
  let isClosed = false;
  const context = testActionContext(client);
  const user = await renderForUser(
    client,
    <Palette
      start="files"
      context={context}
      onClose={() => {
        isClosed = true;
      }}
    />,
  );
  return {
    client,
    user,
    inputsOf,
    isClosed: () => isClosed,
    field: screen.getByRole("combobox"),
    labels: () => screen.queryAllByRole("option").map((row) => row.querySelector("span")?.textContent),
  };
}

test("typed letters and a line open the file at that line", async () => {
  const { client, user, field, isClosed } = await open();
  await user.type(field, "app.test:12:3{Enter}");
  await waitFor(() =>
    expect(client.workbench.get().revealTarget).toMatchObject({ path: "src/app.test.ts", line: 12, column: 3 }),
  );
  expect(isClosed()).toBe(true);
  expect(client.workbench.get().layout.activeTab).toBe("src/app.test.ts");
});

test("Enter waits for the file while the list of files is being made", async () => {
  const { client, user, field } = await open();
  unfinished = 2;
  await user.click(field);
  await user.paste("app.test");
  await user.keyboard("{Enter}");
  await waitFor(() => expect(client.workbench.get().layout.activeTab).toBe("src/app.test.ts"));
});

test("the files opened last come first, the shown one after the others", async () => {
  const { labels } = await open(({ workbench }) => {
    workbench.openFile("src/app.test.ts");
    workbench.openFile("docs/app.md");
  });
  await waitFor(() => expect(labels()).toEqual(["app.test.tssrc", "app.mddocs", "app.tssrc"]));
});

test("a file opened last is listed although it is ignored, and not once it is gone", async () => {
  const { labels } = await open(({ workbench }) => {
    workbench.openFile("src/gone.ts");
    workbench.openFile(ignored);
    workbench.openFile("docs/app.md");
  });
  await waitFor(() => expect(labels()).toEqual(["debug.log", "app.mddocs", "app.tssrc", "app.test.tssrc"]));
});

test("the list of files is made again once for each opening", async () => {
  const { user, field, inputsOf } = await open();
  await user.type(field, "ap");
  await waitFor(() => expect(inputsOf("files.find")).toContainEqual(expect.objectContaining({ query: "ap" })));
  expect(inputsOf("files.find").map((input) => input)).toEqual([
    expect.objectContaining({ query: "", refresh: true }),
    expect.objectContaining({ query: "a", refresh: false }),
    expect.objectContaining({ query: "ap", refresh: false }),
  ]);
});

test("@ lists the symbols of the open file and goes to one", async () => {
  const { client, user, field, labels } = await open((one) => {
    one.workbench.openFile("src/app.ts");
    one.handles.editor = {
      save: () => undefined,
      format: () => undefined,
      closeTab: () => undefined,
      focus: () => undefined,
      find: () => undefined,
      goToChange: () => undefined,
      setFolded: () => undefined,
      chooseEncoding: () => undefined,
      setIndentation: () => undefined,
      setLineEnding: () => undefined,
      setLanguage: () => undefined,
      togglePreview: () => undefined,
      canSplit: () => false,
      split: () => undefined,
      focusOtherGroup: () => undefined,
      moveToOtherGroup: () => undefined,
      selectedText: () => "",
      reference: () => null,
      symbols: async () => [
        { name: "load", kind: "function", line: 3, depth: 0 },
        { name: "Store", kind: "class", line: 9, depth: 0 },
      ],
    };
  });
  await user.type(field, "@");
  await waitFor(() => expect(labels()).toEqual(["load", "Store"]));
  await user.type(field, "sto{Enter}");
  await waitFor(() => expect(client.workbench.get().revealTarget).toMatchObject({ path: "src/app.ts", line: 9 }));
});

test("a line of the open file is gone to, and without an open file a sentence says so", async () => {
  const { client, user, field } = await open();
  await user.type(field, "@");
  expect(await screen.findByText(enLate.palette.noFile)).toBeDefined();
  client.workbench.openFile("src/app.ts");
  await user.clear(field);
  await user.type(field, ":7{Enter}");
  await waitFor(() => expect(client.workbench.get().revealTarget).toMatchObject({ path: "src/app.ts", line: 7 }));
});
