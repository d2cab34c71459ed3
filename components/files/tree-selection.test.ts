import { describe, expect, test } from "vitest";
import {
  clearSelected,
  emptySelection,
  focusAfterRemoval,
  operationPaths,
  selectAll,
  selectEntries,
  selectOnly,
  selectRange,
  toggleSelected,
  type TreeSelection,
} from "./tree-selection";

const order = ["src", "src/a", "src/b", "x", "y"];
const sorted = ({ selected }: TreeSelection): readonly string[] => [...selected].sort();

describe("a selection", () => {
  test("is one row after a click, and more with the modifier", () => {
    const two = toggleSelected(selectOnly("x"), "src/a");
    expect(sorted(two)).toEqual(["src/a", "x"]);
    expect(two.focused).toBe("src/a");
    expect(sorted(toggleSelected(two, "x"))).toEqual(["src/a"]);
  });
  test.each([
    ["x", "src/a", ["src/a", "src/b", "x"]],
    ["src/a", "x", ["src/a", "src/b", "x"]],
    ["x", "x", ["x"]],
    ["gone", "y", ["y"]],
  ])("from %j to %j is the rows between", (from, to, expected) => {
    const range = selectRange(selectOnly(from), order, to);
    expect(sorted(range)).toEqual(expected);
    expect(range.focused).toBe(to);
  });
  test("that is extended again starts at the same row", () => {
    const down = selectRange(selectOnly("src/b"), order, "y");
    expect(sorted(selectRange(down, order, "src/a"))).toEqual(["src/a", "src/b"]);
  });
  test("without a row starts a range at its end", () => {
    expect(sorted(selectRange(emptySelection, order, "src/b"))).toEqual(["src/b"]);
  });
  test("is of all visible rows, and cleared; the focus stays", () => {
    const all = selectAll(selectOnly("x"), order);
    expect(all.selected.size).toBe(order.length);
    expect(all.focused).toBe("x");
    expect(clearSelected(all)).toEqual({ focused: "x", selected: new Set(), anchor: "x" });
  });
  test("of new entries has the focus at the first one", () => {
    expect(selectEntries(["y", "x"])).toMatchObject({ focused: "y", anchor: "y" });
    expect(selectEntries([])).toEqual(emptySelection);
  });
});

test.each([
  [["src/a"], "src/b"],
  [["src"], "x"],
  [["x", "y"], "src/b"],
  [["y"], "x"],
  [["src", "x", "y"], null],
])("after %j was removed, the focus is at %j", (removed, focused) => {
  expect(focusAfterRemoval(order, removed)).toEqual({ focused, selected: new Set(), anchor: focused });
});

test.each([
  [["x", "y"], "x", ["x", "y"]],
  [["x", "y"], "src/a", ["src/a"]],
  [["src", "src/a", "y"], "src/a", ["src", "y"]],
  [["x", "hidden"], "x", ["x"]],
])("with %j selected, an operation at %j changes %j", (selected, path, expected) => {
  expect(operationPaths(selectEntries(selected), order, path)).toEqual(expected);
});
