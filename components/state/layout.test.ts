import { describe, expect, test } from "vitest";
import {
  boundedSize,
  defaultLayout,
  type Layout,
  parseLayout,
  withExpanded,
  withoutTab,
  withPreset,
  withRenamed,
  withSide,
  withTab,
} from "./layout";

const tabs = (paths: readonly string[], activeTab: string | null): Layout => ({
  ...defaultLayout,
  tabs: paths,
  activeTab,
});

describe("a stored layout", () => {
  test("comes back as it was", () => {
    const layout = withTab({ ...defaultLayout, preset: "code", side: null }, "src/a.ts");
    expect(parseLayout(JSON.stringify(layout))).toEqual(layout);
  });
  test.each([null, "", "{", "[]", "7", '"x"', "null"])("that is %j is the default one", (text) => {
    expect(parseLayout(text)).toEqual(defaultLayout);
  });
  test("keeps what is sound of a broken one", () => {
    const text = JSON.stringify({
      preset: "code",
      side: "nothing",
      sizes: { side: 1e9, editor: "wide" },
      tabs: ["a", 7, "a", ""],
      activeTab: "b",
    });
    const layout = parseLayout(text);
    expect(layout.preset).toBe("code");
    expect(layout.side).toBe("sessions");
    expect(layout.sizes).toEqual({ side: 420, conversation: 420, editor: 560 });
    expect(layout.tabs).toEqual(["a"]);
    expect(layout.activeTab).toBe("a");
  });
});

describe("tabs", () => {
  test("a file opens beside the active one", () => {
    expect(withTab(tabs(["a", "b"], "a"), "c").tabs).toEqual(["a", "c", "b"]);
  });
  test("an open file is only gone to", () => {
    expect(withTab(tabs(["a", "b"], "a"), "b")).toEqual(tabs(["a", "b"], "b"));
  });
  test.each([
    ["a", "b"],
    ["b", "c"],
    ["c", "b"],
  ])("closing the active %s goes to %s", (closed, next) => {
    expect(withoutTab(tabs(["a", "b", "c"], closed), closed).activeTab).toBe(next);
  });
  test("closing another one stays where it is", () => {
    expect(withoutTab(tabs(["a", "b", "c"], "a"), "c")).toEqual(tabs(["a", "b"], "a"));
  });
  test("closing the last one leaves none", () => {
    expect(withoutTab(tabs(["a"], "a"), "a").activeTab).toBeNull();
  });
  test("tabs follow a renamed folder, but not its namesakes", () => {
    const moved = withRenamed(tabs(["src/a", "src2/b", "src"], "src/a"), "src", "lib");
    expect(moved.tabs).toEqual(["lib/a", "src2/b", "lib"]);
    expect(moved.activeTab).toBe("lib/a");
  });
});

test("a pane never leaves its bounds", () => {
  expect([boundedSize("side", 10), boundedSize("side", 300.4), boundedSize("side", Number.NaN)]).toEqual([
    180, 300, 252,
  ]);
});

test("the rail opens, changes and folds the side panel", () => {
  const files = withSide(defaultLayout, "files");
  expect(files.side).toBe("files");
  expect(withSide(files, "files")).toMatchObject({ side: null, lastSide: "files" });
});

test("code without an open file brings the tree, unless the panel was put away", () => {
  const sessions: Layout = { ...defaultLayout, side: "sessions" };
  expect(withPreset(sessions, "code")).toMatchObject({ preset: "code", side: "files" });
  expect(withPreset({ ...sessions, tabs: ["a.ts"] }, "code").side).toBe("sessions");
  expect(withPreset({ ...sessions, side: null }, "code").side).toBeNull();
  expect(withPreset(sessions, "chat").side).toBe("sessions");
});

test("folding a folder forgets what stood open inside it", () => {
  const open = ["a", "a/b", "ab"].reduce((layout, path) => withExpanded(layout, path, true), defaultLayout);
  expect(withExpanded(open, "a", false).expanded).toEqual(["ab"]);
});
