// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { asId, type ProjectId } from "@/lib/events/id";
import { baseName, foldersAbove, parentFolder } from "@/lib/workspace/project-path";
import { en } from "../messages/en";
import * as enLate from "../messages/en-late";
import { connectClient, type ConnectedClient, renderForUser } from "../shell/frame/test-dom";
import { FileTree } from "./file-tree";

const projectId = asId<ProjectId>("p1");
const initialEntries: readonly string[] = ["src", "src/a.ts", "b.ts", "c.ts", "d.ts"];
let entries = initialEntries;

const listFolder = (path: string) => {
  const nodes = entries
    .filter((entry) => parentFolder(entry) === path)
    .map((entry) => ({
      name: baseName(entry),
      path: entry,
      kind: entry.includes(".") ? "file" : "folder",
      size: 1,
      ignored: false,
    }));
  return { ok: true, value: { path, nodes, total: nodes.length } };
};

interface Input {
  readonly path: string;
  readonly paths: readonly string[];
  readonly folder: string;
  readonly to: string;
}

const isInput = (_input: unknown): _input is Input => true;

function answer(name: string, input: unknown): unknown {
  if (!isInput(input)) return undefined;
  if (name === "files.list") return listFolder(input.path);
  if (name === "files.existing")
    return {
      ok: true,
      value: { existing: input.paths.filter((path) => entries.includes(path)).map((path) => ({ path })) },
    };
  if (name === "files.delete")
    return { ok: true, value: { deleted: input.paths.map((path) => ({ path, trashId: `t-${path}` })), failed: [] } };
  if (name === "files.move")
    return {
      ok: true,
      value: { moved: input.paths.map((path) => ({ path, to: `${input.folder}/${baseName(path)}` })), failed: [] },
    };
  if (name === "project.open") return { ok: true, value: { trusted: true } };
  if (name === "project.marks")
    return {
      ok: true,
      value: {
        marks: [
          { path: "src/a.ts", mark: "modified" },
          { path: "c.ts", mark: "untracked" },
        ],
      },
    };
  if (name === "files.rename") {
    entries = entries.map((entry) => (entry === input.path ? input.to : entry));
    return { ok: true, value: null };
  }
  if (name === "files.write" || name === "files.make_folder") {
    entries = [...new Set([...entries, ...foldersAbove(input.path), input.path])].filter((path) => path !== "");
    return { ok: true, value: { hash: "#1" } };
  }
  if (name === "files.duplicate") return { ok: false, error: { code: "too_large" } };
  return undefined;
}

beforeEach(() => {
  entries = initialEntries;
  // happy-dom has no layout; the virtual list needs a height.
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(600);
});

const rowOf = (name: string): HTMLElement => {
  const row = screen.getAllByRole("treeitem").find(({ dataset }) => baseName(dataset.path ?? "") === name);
  if (row === undefined) throw new Error(`no row ${name}`);
  return row;
};
const selected = (): readonly (string | undefined)[] =>
  screen
    .getAllByRole("treeitem")
    .filter((row) => row.getAttribute("aria-selected") === "true")
    .map(({ dataset }) => dataset.path);

async function openTree(): Promise<ConnectedClient & { readonly user: UserEvent }> {
  const connected = await connectClient(answer);
  connected.client.workbench.showProject(projectId);
  const user = await renderForUser(connected.client, <FileTree projectId={projectId} />);
  await waitFor(() => expect(screen.getAllByRole("treeitem")).toHaveLength(4));
  return { ...connected, user };
}

const rowWithCursor = (): string | undefined =>
  document.getElementById(screen.getByRole("tree").getAttribute("aria-activedescendant") ?? "")?.dataset.path;

/** Selects b.ts and c.ts. */
async function selectTwo(user: UserEvent): Promise<void> {
  await user.click(rowOf("b.ts"));
  await user.keyboard("{Control>}");
  await user.click(rowOf("c.ts"));
  await user.keyboard("{/Control}");
}

test("a click selects one row, the modifier more, Shift and the arrows a range", async () => {
  const { user } = await openTree();
  expect(screen.getByRole("tree").getAttribute("aria-multiselectable")).toBe("true");
  await selectTwo(user);
  expect(selected()).toEqual(["b.ts", "c.ts"]);
  await user.keyboard("{Shift>}{ArrowDown}{/Shift}");
  expect(selected()).toEqual(["c.ts", "d.ts"]);
  await user.keyboard("{Control>}a{/Control}");
  expect(selected()).toEqual(["src", "b.ts", "c.ts", "d.ts"]);
  await user.keyboard("{Escape}");
  expect(selected()).toEqual([]);
});

test("Delete moves the selected files to the trash; the undo key performs the Undo of the notice", async () => {
  const { user, inputsOf, client } = await openTree();
  await selectTwo(user);
  await user.keyboard("{Delete}");
  await waitFor(() => expect(inputsOf("files.delete")).toEqual([{ projectId, paths: ["b.ts", "c.ts"] }]));
  await waitFor(() => expect(client.toasts.get()).toHaveLength(1));
  const [toast] = client.toasts.get();
  expect(toast?.text).toBe(enLate.files.deleted(enLate.files.count(2)));
  expect(client.workbench.get().layout.tabs).toEqual([]);
  await user.keyboard("{Control>}z{/Control}");
  await waitFor(() => expect(inputsOf("trash.restore")).toEqual([{ trashId: "t-b.ts" }, { trashId: "t-c.ts" }]));
  expect(client.toasts.get()).toEqual([]);
  // No notice is left whose operation could be undone.
  await user.keyboard("{Control>}z{/Control}");
  await expect.poll(() => inputsOf("trash.restore")).toHaveLength(2);
});

test("a file with unsaved text is deleted only after a confirmation", async () => {
  const { user, inputsOf, client } = await openTree();
  const discard = vi.fn();
  client.handles.unsavedFiles = { list: () => ["src/a.ts"], discard, renamed: () => undefined };
  await user.click(rowOf("src"));
  await user.keyboard("{Delete}");
  const dialog = await screen.findByRole("dialog", { hidden: true });
  expect(dialog.textContent).toContain("a.ts");
  await user.click(within(dialog).getByText(en.common.cancel));
  expect(inputsOf("files.delete")).toEqual([]);
  // The browser returns the focus when the dialog closes.
  act(() => screen.getByRole("tree").focus());
  await user.keyboard("{Delete}");
  await user.click(within(await screen.findByRole("dialog", { hidden: true })).getByText(enLate.files.delete));
  await waitFor(() => expect(discard).toHaveBeenCalledWith(projectId, "src"));
  await expect.poll(() => inputsOf("files.delete")).toEqual([{ projectId, paths: ["src"] }]);
});

test("cut files are moved where they are pasted, and Undo moves them back", async () => {
  const { user, inputsOf, client } = await openTree();
  const renamed = vi.fn();
  client.handles.unsavedFiles = { list: () => [], discard: () => undefined, renamed };
  await selectTwo(user);
  await user.keyboard("{Control>}x{/Control}");
  await user.click(rowOf("src"));
  await user.keyboard("{Control>}v{/Control}");
  await waitFor(() => expect(inputsOf("files.move")).toEqual([{ projectId, paths: ["b.ts", "c.ts"], folder: "src" }]));
  await waitFor(() => expect(client.toasts.get()).toHaveLength(1));
  expect(renamed.mock.calls).toContainEqual([projectId, "b.ts", "src/b.ts"]);
  act(() => client.toasts.get()[0]?.action?.onSelect());
  await waitFor(() =>
    expect(inputsOf("files.move")[1]).toEqual({ projectId, paths: ["src/b.ts", "src/c.ts"], folder: "" }),
  );
});

test("the menu of a row opens with the keyboard and the pointer, and returns the focus", async () => {
  const { user, inputsOf, client } = await openTree();
  await user.click(rowOf("b.ts"));
  await user.keyboard("{Shift>}{F10}{/Shift}");
  const menu = screen.getByRole("menu", { name: enLate.files.menu("b.ts") });
  expect(within(menu).getByRole("menuitem", { name: new RegExp(enLate.files.paste) })).toHaveProperty("disabled", true);
  await user.keyboard("{Escape}");
  expect(screen.queryByRole("menu")).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole("tree"));
  await user.pointer({ target: rowOf("c.ts"), keys: "[MouseRight]" });
  await user.click(screen.getByRole("menuitem", { name: enLate.files.duplicate }));
  await waitFor(() => expect(inputsOf("files.duplicate")).toEqual([{ projectId, path: "c.ts" }]));
  await waitFor(() => expect(client.toasts.get()).toHaveLength(1));
  expect(client.toasts.get()[0]).toMatchObject({ look: "danger" });
});

test("dragged files move into the folder below the pointer", async () => {
  const { user, inputsOf } = await openTree();
  await selectTwo(user);
  const dataTransfer = { setData: () => undefined, setDragImage: () => undefined };
  fireEvent.dragStart(rowOf("b.ts"), { dataTransfer });
  fireEvent.dragOver(rowOf("src"), { dataTransfer });
  fireEvent.drop(rowOf("src"), { dataTransfer });
  await waitFor(() => expect(inputsOf("files.move")).toEqual([{ projectId, paths: ["b.ts", "c.ts"], folder: "src" }]));
});

test("a path is added to the message", async () => {
  const { user, client } = await openTree();
  const attach = vi.fn();
  const nothing = (): void => undefined;
  client.handles.conversation = {
    attach,
    focusComposer: nothing,
    sessionId: null,
    insert: () => true,
    offer: nothing,
    focusApproval: () => false,
    find: nothing,
  };
  await user.pointer({ target: rowOf("d.ts"), keys: "[MouseRight]" });
  await user.click(screen.getByRole("menuitem", { name: enLate.files.addToMessage }));
  expect(attach).toHaveBeenCalledWith({ kind: "file", path: "d.ts" });
});

test("git's marks are named on files and on the folders that contain them", async () => {
  const { client, inputsOf, push } = await openTree();
  const markOf = (name: string) => within(rowOf(name)).queryByRole("img")?.getAttribute("aria-label") ?? null;
  await waitFor(() => expect(markOf("c.ts")).toBe(enLate.files.marks.untracked));
  expect([markOf("b.ts"), markOf("src")]).toEqual([null, enLate.files.markedInside(enLate.files.marks.modified)]);
  // The index of the repository is watched, and a change there reads the marks again.
  await waitFor(() => expect(inputsOf("files.watch").at(-1)).toMatchObject({ folders: ["", ".git"] }));
  const before = inputsOf("project.marks").length;
  const change = { projectId, folders: [".git"], paths: [".git/index"], gone: false, branch: "main" };
  const message = { type: "files", ...change, subject: projectId } as const;
  push(message);
  await waitFor(() => expect(inputsOf("project.marks").length).toBeGreaterThan(before));
  expect(client.workbench.get().layout.expanded).toEqual([]);
});

test("the file of the editor is revealed when another one becomes active, unless that is switched off", async () => {
  const { user, client } = await openTree();
  const paths = () => screen.getAllByRole("treeitem").map(({ dataset }) => dataset.path);
  act(() => client.workbench.openFile("src/a.ts"));
  await waitFor(() => expect(paths()).toContain("src/a.ts"));
  await user.click(screen.getByRole("button", { name: enLate.files.collapseAll }));
  await waitFor(() => expect(paths()).not.toContain("src/a.ts"));
  await user.click(screen.getByRole("button", { name: enLate.files.view }));
  await user.click(screen.getByRole("menuitem", { name: enLate.files.unfollow }));
  act(() => client.workbench.openFile("b.ts"));
  act(() => client.workbench.openFile("src/a.ts"));
  expect(paths()).not.toContain("src/a.ts");
  await user.click(screen.getByRole("button", { name: enLate.files.view }));
  await user.click(screen.getByRole("menuitem", { name: en.actions.names.revealFile }));
  await waitFor(() => expect(paths()).toContain("src/a.ts"));
  expect(client.workbench.get().fileToReveal).toBeNull();
  await waitFor(() => expect(rowWithCursor()).toBe("src/a.ts"));
});

test("the tree takes the focus on request", async () => {
  const { client } = await openTree();
  const focused = () => document.activeElement?.getAttribute("role");
  expect(focused()).not.toBe("tree");
  act(() => client.workbench.revealInTree(""));
  await waitFor(() => expect(focused()).toBe("tree"));
  expect(client.workbench.get()).toMatchObject({ fileToReveal: null, phoneTab: "files", layout: { side: "files" } });
});

test("a notice says that changes are polled, until they are reported again", async () => {
  const { push } = await openTree();
  expect(screen.queryByText(enLate.files.polled)).toBeNull();
  const change = { projectId, folders: [], paths: [], gone: false, branch: null, isPolled: true };
  const message = { type: "files", ...change, subject: projectId } as const;
  push({ ...message, isPolled: true });
  await screen.findByText(enLate.files.polled);
  const { isPolled: _isPolled, ...reported } = message;
  push(reported);
  await waitFor(() => expect(screen.queryByText(enLate.files.polled)).toBeNull());
});

test("the name field returns the focus to the tree, with the cursor on the row of the name", async () => {
  const { user, inputsOf } = await openTree();
  const tree = screen.getByRole("tree");
  await user.click(rowOf("c.ts"));
  await user.keyboard("{F2}{Escape}");
  expect([document.activeElement, rowWithCursor()]).toEqual([tree, "c.ts"]);
  await user.keyboard("{F2}renamed{Enter}");
  expect(document.activeElement).toBe(tree);
  await waitFor(() => expect(rowWithCursor()).toBe("renamed.ts"));
  await expect.poll(() => inputsOf("files.rename")).toEqual([{ projectId, path: "c.ts", to: "renamed.ts" }]);
  await user.keyboard("{F2}");
  expect(screen.getByRole("textbox", { name: enLate.files.rename })).toHaveProperty("value", "renamed.ts");
});

test("a click on another entry while the name is refused closes the field and opens that entry", async () => {
  const { user, client } = await openTree();
  await user.pointer({ target: rowOf("b.ts"), keys: "[MouseRight]" });
  await user.click(screen.getByRole("menuitem", { name: enLate.files.newFile }));
  await user.keyboard("b.ts{Enter}");
  screen.getByText(enLate.files.problems.exists);
  // The rows move up when the field closes: the pointer is released above another one.
  await user.pointer({ target: rowOf("c.ts"), keys: "[MouseLeft>]" });
  expect(screen.queryByRole("textbox")).toBeNull();
  await user.pointer({ target: rowOf("d.ts"), keys: "[/MouseLeft]" });
  expect([rowWithCursor(), selected(), client.workbench.get().layout.activeTab]).toEqual(["c.ts", ["c.ts"], "c.ts"]);
});

test.each([
  ["file", "deep/er/new.ts", ["deep", "deep/er", "deep/er/new.ts"], "files.write"],
  ["folder", "deep/er", ["deep", "deep/er"], "files.make_folder"],
] as const)("a new %s is created with the folders before its name", async (kind, path, created, command) => {
  const { user, inputsOf } = await openTree();
  await user.pointer({ target: rowOf("b.ts"), keys: "[MouseRight]" });
  await user.click(
    screen.getByRole("menuitem", { name: kind === "file" ? enLate.files.newFile : enLate.files.newFolder }),
  );
  await user.keyboard("deep/");
  expect(screen.queryByText(enLate.files.problems.unfinished)).toBeNull();
  await user.keyboard("{Enter}");
  screen.getByText(enLate.files.problems.unfinished);
  await user.keyboard(`${path.slice("deep/".length)}{Enter}`);
  await waitFor(() => expect(rowWithCursor()).toBe(path));
  await expect.poll(() => inputsOf(command)).toMatchObject([{ path }]);
  expect(screen.getAllByRole("treeitem").map((row) => row.dataset.path)).toEqual(expect.arrayContaining([...created]));
  // Undo moves it to the trash with the folders that were created for it.
  screen.getByRole("tree").focus();
  await user.keyboard("{Control>}z{/Control}");
  await waitFor(() => expect(inputsOf("files.delete")).toEqual([{ projectId, paths: ["deep"] }]));
});

test("the undo key takes back one operation after the other, also those whose notices are gone", async () => {
  const { user, client, inputsOf } = await openTree();
  for (const [from, name] of [
    ["c.ts", "first"],
    ["first.ts", "second"],
  ] as const) {
    await user.click(rowOf(from));
    await user.keyboard(`{F2}${name}{Enter}`);
    await waitFor(() => expect(client.toasts.get().at(-1)?.text).toBe(enLate.files.renamed(from, `${name}.ts`)));
    for (const { id } of client.toasts.get()) client.toasts.close(id);
  }
  await user.keyboard("{Control>}z{/Control}");
  await waitFor(() => expect(inputsOf("files.rename").at(-1)).toMatchObject({ path: "second.ts", to: "first.ts" }));
  expect(client.toasts.get().at(-1)?.text).toBe(enLate.files.undone(enLate.files.renamed("first.ts", "second.ts")));
  await user.keyboard("{Control>}z{/Control}");
  await waitFor(() => expect(inputsOf("files.rename").at(-1)).toMatchObject({ path: "first.ts", to: "c.ts" }));
  await user.keyboard("{Control>}z{/Control}");
  await expect.poll(() => inputsOf("files.rename")).toHaveLength(4);
});

test("undo after a rename returns the name", async () => {
  const { user, client, inputsOf } = await openTree();
  await user.click(rowOf("c.ts"));
  await user.keyboard("{F2}renamed{Enter}");
  await waitFor(() => expect(client.toasts.get()).toHaveLength(1));
  await user.keyboard("{Control>}z{/Control}");
  await waitFor(() =>
    expect(inputsOf("files.rename")).toEqual([
      { projectId, path: "c.ts", to: "renamed.ts" },
      { projectId, path: "renamed.ts", to: "c.ts" },
    ]),
  );
});
