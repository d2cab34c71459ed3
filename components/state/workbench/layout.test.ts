import { describe, expect, test } from "vitest";
import {
  clampSize,
  defaultLayout,
  type Layout,
  type PaneIds,
  expandParents,
  parseLayout,
  setExpanded,
  closeTab,
  setPreset,
  keepTab,
  renamePaths,
  toggleBottomPanel,
  toggleSidePanel,
  openTab,
} from "./layout";

const panes: PaneIds = { side: ["files", "sessions", "notes"], bottom: ["terminal"] };

const tabs = (paths: readonly string[], activeTab: string | null): Layout => ({
  ...defaultLayout,
  tabs: paths,
  activeTab,
});

describe("stored layout", () => {
  test("is restored unchanged", () => {
    const layout = openTab({ ...defaultLayout, preset: "code", side: null }, "src/a.ts");
    expect(parseLayout(JSON.stringify(layout), panes)).toEqual(layout);
  });
  test.each([null, "", "{", "[]", "7", '"x"', "null"])("%j yields the default layout", (text) => {
    expect(parseLayout(text, panes)).toEqual(defaultLayout);
  });
  test("keeps the valid fields of a broken one", () => {
    const text = JSON.stringify({
      preset: "code",
      side: "nothing",
      sizes: { side: 1e9, editor: "wide" },
      tabs: ["a", 7, "a", ""],
      activeTab: "b",
    });
    const layout = parseLayout(text, panes);
    expect(layout.preset).toBe("code");
    expect(layout.side).toBe("sessions");
    expect(layout.sizes).toEqual({ side: 420, conversation: 420, editor: 560, bottom: 300, right: 420 });
    expect(layout.tabs).toEqual(["a"]);
    expect(layout.activeTab).toBe("a");
  });
});

test("a stored layout keeps the ids of registered panes and drops the others", () => {
  const text = JSON.stringify({ ...defaultLayout, side: "notes", lastSide: "notes", bottom: "terminal" });
  expect(parseLayout(text, panes)).toMatchObject({ side: "notes", lastSide: "notes", bottom: "terminal" });
  const fewer: PaneIds = { side: ["files", "sessions"], bottom: [] };
  expect(parseLayout(text, fewer)).toMatchObject({ side: "sessions", lastSide: "sessions", bottom: null });
});

test("a bottom pane opens, gives way to another, and collapses", () => {
  const terminal = toggleBottomPanel(defaultLayout, "terminal");
  expect(terminal.bottom).toBe("terminal");
  expect(toggleBottomPanel(terminal, "output").bottom).toBe("output");
  expect(toggleBottomPanel(terminal, "terminal").bottom).toBeNull();
});

describe("tabs", () => {
  test("opens a file beside the active tab", () => {
    expect(openTab(tabs(["a", "b"], "a"), "c").tabs).toEqual(["a", "c", "b"]);
  });
  test("activates the tab of an open file", () => {
    expect(openTab(tabs(["a", "b"], "a"), "b")).toEqual({ ...tabs(["a", "b"], "b"), recentFiles: ["b"] });
  });
  test("an opened file replaces the preview, but not a tab that is to stay open", () => {
    const preview = openTab(openTab(tabs(["a", "b"], "a"), "c"), "d");
    expect(preview).toMatchObject({ tabs: ["a", "d", "b"], activeTab: "d", previewTab: "d" });
    const activated = openTab(preview, "b");
    expect(activated).toMatchObject({ tabs: ["a", "d", "b"], activeTab: "b", previewTab: "d" });
    expect(openTab(activated, "e")).toMatchObject({ tabs: ["a", "b", "e"], previewTab: "e" });
    const pinned = openTab(keepTab(preview, "d"), "e");
    expect(pinned).toMatchObject({ tabs: ["a", "d", "e", "b"], previewTab: "e" });
    expect(keepTab(pinned, "d").previewTab).toBe("e");
    expect(closeTab(pinned, "e").previewTab).toBeNull();
    expect(renamePaths(pinned, "e", "f").previewTab).toBe("f");
    expect(parseLayout(JSON.stringify(pinned), panes).previewTab).toBe("e");
    expect(parseLayout(JSON.stringify({ ...pinned, previewTab: "x" }), panes).previewTab).toBeNull();
  });
  test("the files opened last are listed, newest first, after they were closed and moved", () => {
    const opened = ["a", "b", "a", "c"].reduce(openTab, defaultLayout);
    expect(renamePaths(closeTab(opened, "a"), "a", "d/a").recentFiles).toEqual(["c", "d/a", "b"]);
  });
  test.each([
    ["a", "b"],
    ["b", "c"],
    ["c", "b"],
  ])("closing the active %s activates %s", (closed, next) => {
    expect(closeTab(tabs(["a", "b", "c"], closed), closed).activeTab).toBe(next);
  });
  test("closing an inactive tab keeps the active one", () => {
    expect(closeTab(tabs(["a", "b", "c"], "a"), "c")).toEqual(tabs(["a", "b"], "a"));
  });
  test("closing the last tab leaves none", () => {
    expect(closeTab(tabs(["a"], "a"), "a").activeTab).toBeNull();
  });
  test("tabs follow a renamed folder, but not folders with the same prefix", () => {
    const moved = renamePaths(tabs(["src/a", "src2/b", "src"], "src/a"), "src", "lib");
    expect(moved.tabs).toEqual(["lib/a", "src2/b", "lib"]);
    expect(moved.activeTab).toBe("lib/a");
  });
});

test("a pane stays within its bounds", () => {
  expect([clampSize("side", 10), clampSize("side", 300.4), clampSize("side", Number.NaN)]).toEqual([180, 300, 252]);
});

test("rail buttons open, switch and collapse the side panel", () => {
  const files = toggleSidePanel(defaultLayout, "files");
  expect(files.side).toBe("files");
  expect(toggleSidePanel(files, "files")).toMatchObject({ side: null, lastSide: "files" });
});

test("the code preset without an open file shows the tree, unless the panel was collapsed", () => {
  const sessions: Layout = { ...defaultLayout, side: "sessions" };
  expect(setPreset(sessions, "code")).toMatchObject({ preset: "code", side: "files" });
  expect(setPreset({ ...sessions, tabs: ["a.ts"] }, "code").side).toBe("sessions");
  expect(setPreset({ ...sessions, side: null }, "code").side).toBeNull();
  expect(setPreset(sessions, "chat").side).toBe("sessions");
});

test("collapsing a folder discards the expanded state of its descendants", () => {
  const open = ["a", "a/b", "ab"].reduce((layout, path) => setExpanded(layout, path, true), defaultLayout);
  expect(setExpanded(open, "a", false).expanded).toEqual(["ab"]);
});

test("the folders that contain a file are expanded, outermost first", () => {
  const open = setExpanded(defaultLayout, "a", true);
  expect(expandParents(open, "a/b/c.ts").expanded).toEqual(["a", "a/b"]);
  expect(expandParents(open, "a/x.ts")).toBe(open);
  expect(expandParents(open, "x.ts")).toBe(open);
});

test("the options of the file tree are stored, and each invalid one gets its default", () => {
  const tree = { hidesDotFiles: true, hidesIgnored: true, followsEditor: false, showsOutline: true };
  expect(parseLayout(JSON.stringify({ tree }), panes).tree).toEqual(tree);
  expect(parseLayout(JSON.stringify({ tree: { hidesDotFiles: 1, hidesIgnored: true } }), panes).tree).toEqual({
    ...defaultLayout.tree,
    hidesIgnored: true,
  });
});
