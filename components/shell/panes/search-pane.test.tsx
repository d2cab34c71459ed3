// @vitest-environment happy-dom
/** The search pane with a server that answers as the test writes it. */
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { asId, type CodeSearchId, type ProjectId } from "@/lib/events/id";
import type { CodeSearchEnd, CodeSearchFile } from "@/lib/workspace/code-search";
import { actions } from "../../actions/actions";
import { codeSearch } from "../../messages/en/late/code-search";
import { SearchPane } from "../../search/search-pane";
import { connectClient, renderForUser } from "../frame/test-dom";
import { testActionContext } from "../frame/test-render";

const projectId = asId<ProjectId>("p1");
const done: CodeSearchEnd = { reason: "done", hasLongLines: false, isContextCut: false, unreadable: 0 };
const file = (path: string, ...lines: readonly number[]): CodeSearchFile => ({
  path,
  lines: lines.map((line) => ({
    line,
    offset: 0,
    text: `  let needle = ${line};`,
    isCut: false,
    marks: [[6, 12]],
    digest: `d${line}`,
  })),
});

/** Renders the pane; `publish` sends results of the search started last. `answers` = those of other commands. */
async function setUp(answers: Readonly<Record<string, unknown>> = {}) {
  let count = 0;
  const server = await connectClient((name) => {
    if (name !== "search.start") return answers[name];
    count += 1;
    return { ok: true, value: { searchId: `s${count}` } };
  });
  server.client.workbench.showProject(projectId);
  // The virtual list draws what fits its size.
  Object.defineProperties(HTMLElement.prototype, {
    clientHeight: { configurable: true, get: () => 400 },
    clientWidth: { configurable: true, get: () => 300 },
    offsetHeight: { configurable: true, get: () => 24 },
  });
  const user = await renderForUser(server.client, <SearchPane projectId={projectId} />);
  let from = 0;
  const publish = async (files: readonly CodeSearchFile[], end: CodeSearchEnd | null = done): Promise<void> => {
    // Calls arrive in their order: the server has received every search that was started.
    await server.client.call("app.welcome", {});
    const subject = `s${count}`;
    await waitFor(() => expect(server.inputsOf("topic.subscribe")).toContainEqual({ topic: "code_search", subject }));
    const push = { type: "code_search", searchId: asId<CodeSearchId>(subject), from, files, end, subject } as const;
    from += files.flatMap(({ lines }) => lines).length;
    server.push(push);
  };
  return {
    ...server,
    user,
    publish,
    field: screen.getByRole("searchbox", { name: codeSearch.query }),
    rows: () => screen.queryAllByRole("treeitem").map(({ dataset }) => [dataset.path, dataset.line].join(":")),
    search: async (text: string) => {
      from = 0;
      await user.type(screen.getByRole("searchbox"), `${text}{Enter}`);
    },
  };
}

test("Enter searches with the options; results arrive in order of their paths", async () => {
  const { user, search, publish, inputsOf, rows } = await setUp();
  expect(screen.getByText(codeSearch.idle)).toBeDefined();
  await search("needle");
  await publish([file("src/b.ts", 3)], null);
  await publish([file("a.ts", 1, 2)]);
  await screen.findByText("3 results in 2 files");
  expect(rows()).toEqual(["a.ts:", "a.ts:1", "a.ts:2", "src/b.ts:", "src/b.ts:3"]);
  expect(within(screen.getAllByRole("treeitem")[1] ?? document.body).getByText("needle").tagName).toBe("MARK");
  await user.click(screen.getByRole("button", { name: codeSearch.globs }));
  await user.type(screen.getByLabelText(codeSearch.include), "src{Enter}");
  await waitFor(() => expect(inputsOf("search.start")).toHaveLength(2));
  await expect
    .poll(() => inputsOf("search.start"))
    .toMatchObject([
      { projectId, query: "needle", regex: false, include: "" },
      { query: "needle", include: "src", exclude: "" },
    ]);
});

test("the toggles are switched by pointer and by the shortcuts of the field", async () => {
  const { user, field, search, inputsOf } = await setUp();
  await search("x");
  const pressed = (name: string) => screen.getByRole("button", { name }).getAttribute("aria-pressed");
  await user.click(screen.getByRole("button", { name: codeSearch.caseSensitive }));
  expect(document.activeElement).toBe(field);
  await user.keyboard("{Alt>}w{/Alt}{Alt>}r{/Alt}");
  expect([codeSearch.caseSensitive, codeSearch.wholeWord, codeSearch.regex].map(pressed)).toEqual(
    Array.from({ length: 3 }, () => "true"),
  );
  await waitFor(() =>
    expect(inputsOf("search.start").at(-1)).toMatchObject({ caseSensitive: true, wholeWord: true, regex: true }),
  );
});

test("the keys of the tree move, collapse and open; the match is selected in the file", async () => {
  const { user, search, publish, rows, client } = await setUp();
  await search("needle");
  await publish([file("a.ts", 5), file("b.ts", 7)]);
  await screen.findByText("2 results in 2 files");
  await user.keyboard("{ArrowDown}{ArrowDown}{Enter}");
  expect(client.workbench.get()).toMatchObject({
    layout: { activeTab: "a.ts" },
    revealTarget: { path: "a.ts", line: 5, column: 7, endColumn: 13, keepsFocus: false },
  });
  await user.keyboard("{ArrowDown}{ArrowDown}{Control>}{Enter}{/Control}");
  expect(client.workbench.get().revealTarget).toMatchObject({ path: "b.ts", line: 7, keepsFocus: true });
  await user.keyboard("{ArrowLeft}{ArrowLeft}");
  await waitFor(() => expect(rows()).toEqual(["a.ts:", "a.ts:5", "b.ts:"]));
  await user.keyboard("{Delete}");
  await waitFor(() => expect(rows()).toEqual(["a.ts:", "a.ts:5"]));
  await user.keyboard("{Home}{ArrowUp}");
  expect(document.activeElement).toBe(screen.getByRole("searchbox"));
});

test("lines of context open the file, and a dismissed line stays away when their number changes", async () => {
  const { client, user, search, publish, rows, inputsOf } = await setUp();
  await search("needle");
  await publish([file("a.ts", 2, 9)]);
  await user.click(await screen.findByRole("button", { name: codeSearch.dismissLine("9") }));
  await user.selectOptions(screen.getByRole("combobox", { name: codeSearch.context }), "1");
  await waitFor(() => expect(inputsOf("search.start").at(-1)).toMatchObject({ query: "needle", context: 1 }));
  const context = [1, 3, 8, 10].map((line) => ({ line, text: `line ${line}`, isCut: false }));
  await publish([{ ...file("a.ts", 2, 9), context }]);
  await user.click(await screen.findByText("line 3"));
  expect(client.workbench.get().revealTarget).toMatchObject({ path: "a.ts", line: 3 });
  expect(rows()).toEqual(["a.ts:", "a.ts:2"]);
  expect(screen.queryByText("line 8")).toBeNull();
});

test("a dismissed file does not return with later results of the search", async () => {
  const { user, search, publish, rows } = await setUp();
  await search("needle");
  await publish([file("a.ts", 1), file("b.ts", 1)], null);
  await user.click(await screen.findByRole("button", { name: codeSearch.dismissFile("a.ts") }));
  await publish([file("a.ts", 2), file("b.ts", 2)]);
  await screen.findByText("2 results in 1 file");
  expect(rows()).toEqual(["b.ts:", "b.ts:1", "b.ts:2"]);
});

test.each<[string, readonly CodeSearchFile[], CodeSearchEnd, string | RegExp]>([
  ["nothing was found", [], done, codeSearch.noneNote],
  ["the limit was reached", [file("a.ts", 1)], { ...done, reason: "limit" }, codeSearch.limited("10,000")],
  ["it took too long", [file("a.ts", 1)], { ...done, reason: "timeout" }, codeSearch.timedOut],
  ["lines were left out", [file("a.ts", 1)], { ...done, hasLongLines: true }, codeSearch.longLines],
  ["it failed", [], { ...done, reason: "failed", error: { code: "search_failed" } }, "Search failed."],
])("the pane explains when %s", async (_title, files, end, text) => {
  const { search, publish } = await setUp();
  await search("needle");
  await publish(files, end);
  await screen.findByText(text);
});

test("an invalid expression is shown at the field with ripgrep's reason", async () => {
  const { user, field, search, publish } = await setUp();
  await user.click(screen.getByRole("button", { name: codeSearch.regex }));
  await search("a)");
  await publish([], { ...done, reason: "failed", error: { code: "bad_regex", detail: "unopened group" } });
  expect((await screen.findByRole("alert")).textContent).toContain("unopened group");
  expect(field.getAttribute("aria-invalid")).toBe("true");
});

test("Stop cancels the search and keeps what was found", async () => {
  const { user, search, publish, inputsOf, rows } = await setUp();
  await search("needle");
  await publish([file("a.ts", 1)], null);
  await screen.findByText("1 result in 1 file");
  await user.click(screen.getByRole("button", { name: codeSearch.stop }));
  await waitFor(() => expect(inputsOf("search.cancel")).toEqual([{ searchId: "s1" }]));
  expect(rows()).toEqual(["a.ts:", "a.ts:1"]);
  expect(screen.getByText(codeSearch.stopped)).toBeDefined();
});

test("results of a search that was replaced are ignored", async () => {
  const { search, publish, push, rows, inputsOf } = await setUp();
  await search("needle");
  await publish([file("a.ts", 1)], null);
  await search("s");
  await waitFor(() => expect(inputsOf("search.start").at(-1)).toMatchObject({ query: "needles" }));
  await publish([file("b.ts", 1)]);
  await waitFor(() => expect(rows()).toEqual(["b.ts:", "b.ts:1"]));
  const late = { searchId: asId<CodeSearchId>("s1"), from: 1, files: [file("c.ts", 1)], end: done };
  push({ type: "code_search", ...late });
  await publish([file("d.ts", 1)]);
  await waitFor(() => expect(rows()).toContain("d.ts:1"));
  expect(rows()).not.toContain("c.ts:1");
});

test("a click on a result opens it as a preview, a double click to stay", async () => {
  const { client, user, search, publish } = await setUp();
  await search("needle");
  await publish([file("a.ts", 1)]);
  const row = (await screen.findAllByRole("treeitem"))[1] ?? document.body;
  await user.click(row);
  expect(client.workbench.get().layout).toMatchObject({ activeTab: "a.ts", previewTab: "a.ts" });
  await user.dblClick(row);
  expect(client.workbench.get().layout).toMatchObject({ activeTab: "a.ts", previewTab: null });
});

test("the shortcut searches for the text that is selected in the editor", async () => {
  const { client, inputsOf, field } = await setUp();
  client.handles.editor = {
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
    symbols: async () => null,
    togglePreview: () => undefined,
    canSplit: () => false,
    split: () => undefined,
    focusOtherGroup: () => undefined,
    moveToOtherGroup: () => undefined,
    selectedText: () => "selected",
    reference: () => null,
  };
  actions.find(({ id }) => id === "codeSearch")?.perform(testActionContext(client));
  await waitFor(() => expect(inputsOf("search.start")).toMatchObject([{ query: "selected" }]));
  expect(document.activeElement).toBe(field);
  expect(client.workbench.get()).toMatchObject({ layout: { side: "search" }, phoneTab: "search" });
});

/** Shows one result per file with the replacement typed, and takes `search.replace` and `search.undo`. */
async function setUpReplacement(answers: Readonly<Record<string, unknown>>) {
  const shown = await setUp(answers);
  await shown.search("needle");
  await shown.publish([file("a.ts", 1, 2), file("b.ts", 3)]);
  await screen.findByText("3 results in 2 files");
  await shown.user.click(screen.getByRole("button", { name: codeSearch.toggleReplace }));
  await shown.user.type(screen.getByRole("textbox", { name: codeSearch.replacement }), "thread");
  return shown;
}
const report = (files: readonly unknown[], failed: readonly unknown[] = []) => ({ ok: true, value: { files, failed } });

test("each result shows its old and its new text, and one line is replaced alone", async () => {
  const { user, rows, inputsOf } = await setUpReplacement({
    "search.replace": report([{ path: "a.ts", matches: 1 }]),
    "search.undo": report([{ path: "a.ts", matches: 1 }]),
  });
  const row = within(screen.getAllByRole("treeitem")[1] ?? document.body);
  expect(row.getByText("needle").closest("del")).not.toBeNull();
  expect(row.getByText("thread").closest("ins")).not.toBeNull();
  await user.click(screen.getByRole("button", { name: codeSearch.replaceInLine("1") }));
  await screen.findByText(codeSearch.replaced("1", "1"));
  expect(rows()).toEqual(["a.ts:", "a.ts:2", "b.ts:", "b.ts:3"]);
  await expect
    .poll(() => inputsOf("search.replace"))
    .toMatchObject([
      { query: "needle", replacement: "thread", files: [{ path: "a.ts", lines: [{ line: 1, digest: "d1" }] }] },
    ]);
  await user.click(screen.getByRole("button", { name: codeSearch.undo }));
  await screen.findByText(codeSearch.undone("1"));
  expect(rows()).toEqual(["a.ts:", "a.ts:1", "a.ts:2", "b.ts:", "b.ts:3"]);
  expect(screen.queryByRole("button", { name: codeSearch.undo })).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole("searchbox"));
});

test("dismissed lines and files with unsaved text are not sent; files left as they were are named", async () => {
  const { client, user, rows, inputsOf } = await setUpReplacement({
    "search.replace": report([], [{ path: "a.ts", code: "changed_meanwhile" }]),
  });
  client.handles.unsavedFiles = { list: () => ["b.ts"], discard: () => undefined, renamed: () => undefined };
  await user.click(screen.getByRole("button", { name: codeSearch.dismissLine("2") }));
  await user.click(screen.getByRole("textbox", { name: codeSearch.replacement }));
  await user.keyboard("{Control>}{Shift>}{Enter}{/Shift}{/Control}");
  await screen.findByText(codeSearch.nothingReplaced);
  await expect
    .poll(() => inputsOf("search.replace"))
    .toMatchObject([{ files: [{ path: "a.ts", lines: [{ line: 1 }] }] }]);
  const unchanged = within(screen.getByRole("list", { name: codeSearch.unchanged }));
  expect(unchanged.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
    `b.ts ${codeSearch.unsaved}`,
    `a.ts ${codeSearch.changedSince}`,
  ]);
  expect(rows()).toEqual(["a.ts:", "a.ts:1", "b.ts:", "b.ts:3"]);
  await user.click(screen.getAllByRole("button", { name: codeSearch.refresh }).at(-1) ?? document.body);
  await waitFor(() => expect(inputsOf("search.start")).toHaveLength(2));
});

test("a reason has its own sentence, and an undo that left a file may be repeated", async () => {
  const { user, rows, inputsOf } = await setUpReplacement({
    "search.replace": report([{ path: "a.ts", matches: 2 }], [{ path: "b.ts", code: "too_many" }]),
    "search.undo": report([], [{ path: "a.ts", code: "no_permission" }]),
  });
  await user.click(screen.getByRole("button", { name: codeSearch.replaceAll }));
  await screen.findByText(codeSearch.tooManyMatches, { exact: false });
  for (const times of [1, 2]) {
    await user.click(await screen.findByRole("button", { name: codeSearch.undo }));
    await waitFor(() => expect(inputsOf("search.undo")).toHaveLength(times));
  }
  expect(rows()).toEqual(["b.ts:", "b.ts:3"]);
});

test("files that are too large together for an undo are refused with the next step", async () => {
  const { user } = await setUpReplacement({ "search.replace": { ok: false, error: { code: "too_large" } } });
  await user.click(screen.getByRole("button", { name: codeSearch.replaceAll }));
  await screen.findByText(codeSearch.tooLargeTogether);
});

test("the keyboard replaces the row with the focus", async () => {
  const { user, inputsOf } = await setUpReplacement({ "search.replace": report([{ path: "b.ts", matches: 1 }]) });
  screen.getByRole("tree").focus();
  await user.keyboard("{End}{Control>}{Shift>}{Enter}{/Shift}{/Control}");
  await screen.findByText(codeSearch.replaced("1", "1"));
  await expect
    .poll(() => inputsOf("search.replace"))
    .toMatchObject([{ files: [{ path: "b.ts", lines: [{ line: 3, digest: "d3" }] }] }]);
});

test("nothing is replaced while a search runs", async () => {
  const { user, search, publish, inputsOf } = await setUp();
  await search("needle");
  await publish([file("a.ts", 1)], null);
  await screen.findByText("1 result in 1 file");
  await user.click(screen.getByRole("button", { name: codeSearch.toggleReplace }));
  expect(screen.getByRole("button", { name: codeSearch.replaceAll })).toHaveProperty("disabled", true);
  expect(screen.queryByRole("button", { name: codeSearch.replaceInLine("1") })).toBeNull();
  await user.click(screen.getByRole("textbox", { name: codeSearch.replacement }));
  await user.keyboard("{Control>}{Shift>}{Enter}{/Shift}{/Control}");
  await publish([]);
  await waitFor(() =>
    expect(screen.getByRole("button", { name: codeSearch.replaceAll })).toHaveProperty("disabled", false),
  );
  expect(inputsOf("search.replace")).toEqual([]);
});
