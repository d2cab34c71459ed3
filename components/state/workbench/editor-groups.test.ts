import { describe, expect, test } from "vitest";
import {
  changeGroup,
  closePaths,
  focusGroup,
  editorGroups,
  isInBothGroups,
  moveTab,
  openPaths,
  splitEditor,
} from "./editor-groups";
import { closeTab, defaultLayout, keepTab, type Layout, openTab, parseLayout, renamePaths } from "./layout";

const panes = { side: ["sessions"], bottom: [] };

/** Tabs of the groups from left to right, the active one in brackets, "~" = preview, "*" = the focused group. */
const draw = (layout: Layout): string =>
  editorGroups(layout)
    .map(({ group, tabs, activeTab, previewTab }) => {
      const names = tabs.map((tab) => (tab === previewTab ? `~${tab}` : tab));
      const shown = names.map((name, index) => (tabs[index] === activeTab ? `[${name}]` : name)).join(" ");
      return layout.otherGroup !== null && group === layout.group ? `*${shown}` : shown;
    })
    .join(" | ");

const openTabs = (...paths: readonly string[]): Layout =>
  paths.reduce((layout, path) => keepTab(openTab(layout, path), path), defaultLayout);

/** a and b on the left, c and b on the right, which has the focus. */
const split = keepTab(openTab(splitEditor(openTabs("b", "a"), "b"), "c"), "c");

describe("the groups", () => {
  test.each<[string, Layout, string]>([
    ["one", openTabs("b", "a"), "b [a]"],
    ["split: the file is in both", splitEditor(openTabs("b", "a"), "a"), "b [a] | *[a]"],
    ["split with another file of the group", splitEditor(openTabs("b", "a"), "b"), "b [a] | *[b]"],
    ["the preview stays a preview on the left", splitEditor(openTab(openTabs("b"), "a"), "a"), "b [~a] | *[a]"],
    ["a file that is not open", splitEditor(openTabs("a"), "x"), "[a]"],
    ["split twice", splitEditor(split, "c"), "b [a] | *b [c]"],
    ["the focused group receives files", openTab(split, "d"), "b [a] | *b c [~d]"],
    ["also the left one", openTab(focusGroup(split, 1), "d"), "*b a [~d] | b [c]"],
    [
      "a change of the other group leaves the focus",
      changeGroup(split, 1, (one) => openTab(one, "b")),
      "[b] a | *b [c]",
    ],
    ["the focused group can be named", changeGroup(split, 2, (one) => openTab(one, "b")), "b [a] | *[b] c"],
    ["a moved tab", moveTab(split, "c"), "*b a [c] | [b]"],
    ["a moved tab that is open there", moveTab(split, "b"), "*[b] a | [c]"],
    ["moving the only tab closes its group", moveTab(closeTab(split, "b"), "c"), "b a [c]"],
    ["a moved preview stays open", moveTab(openTab(split, "d"), "d"), "*b a [d] | b [c]"],
    ["moving without another group creates it", moveTab(openTabs("b", "a"), "b"), "[a] | *[b]"],
    ["the only tab of the editor is not moved", moveTab(openTabs("a"), "a"), "[a]"],
    ["closing the last tab closes the group", ["b", "c"].reduce(closeTab, split), "b [a]"],
    ["also of the group without the focus", changeGroup(split, 1, (one) => ["a", "b"].reduce(closeTab, one)), "b [c]"],
    ["a deleted file closes in both", closePaths(split, (path) => path === "b"), "[a] | *[c]"],
    ["deleted files close a group", closePaths(split, (path) => path !== "c"), "[c]"],
    ["all files are deleted", closePaths(split, () => true), ""],
    ["a renamed file", renamePaths(split, "b", "d/x"), "d/x [a] | *d/x [c]"],
    ["a stored split", parseLayout(JSON.stringify(focusGroup(split, 1)), panes), "*b [a] | b [c]"],
    ["a stored layout without groups", parseLayout(JSON.stringify({ tabs: ["a"] }), panes), "[a]"],
    [
      "a stored empty group",
      parseLayout(JSON.stringify({ tabs: ["a"], otherGroup: { group: 2, tabs: [] } }), panes),
      "[a]",
    ],
    [
      "stored groups with one number",
      parseLayout(JSON.stringify({ tabs: ["a"], otherGroup: { tabs: ["b"] } }), panes),
      "[a]",
    ],
  ])("%s", (_name, layout, drawn) => {
    expect(draw(layout)).toBe(drawn);
  });

  test("a new group is on the right of the one that remained", () => {
    const right = changeGroup(split, 1, (one) => ["a", "b"].reduce(closeTab, one));
    expect(draw(splitEditor(right, "b"))).toBe("b [c] | *[b]");
  });

  test("what changes nothing returns the same layout", () => {
    expect(focusGroup(split, 2)).toBe(split);
    expect(focusGroup(split, 7)).toBe(split);
    expect(changeGroup(split, 1, (one) => keepTab(one, "x"))).toBe(split);
    expect(closePaths(split, () => false)).toBe(split);
  });

  test("a file is open once, also if both groups show it", () => {
    expect(openPaths(split)).toEqual(["b", "a", "c"]);
    expect(["a", "b", "c"].map((path) => isInBothGroups(split, path))).toEqual([false, true, false]);
    expect(isInBothGroups(openTabs("a"), "a")).toBe(false);
  });

  test.each([
    [0.3, 0.3],
    [0, 0.1],
    [7, 0.9],
    ["wide", 0.5],
    [undefined, 0.5],
  ])("a stored share of %j is %d", (stored, share) => {
    expect(parseLayout(JSON.stringify({ splitShare: stored }), panes).splitShare).toBe(share);
  });
});
