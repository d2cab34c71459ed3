/** The layout in the store: effects of the window width and of a new session, and what is stored. */
import { describe, expect, test } from "vitest";
import { asId, type ProjectId } from "@/lib/events/id";
import { defaultLayout, type Layout, type PaneIds, parseLayout, setPreset, toggleSidePanel } from "./layout";
import { createWorkbenchStore, type KeyValue, type WorkbenchStore } from "./workbench-store";

const project = asId<ProjectId>("p1");
const panes: PaneIds = { side: ["files", "sessions"], bottom: [] };
const other = asId<ProjectId>("p2");

function memory(): KeyValue {
  const values = new Map<string, string>();
  return { getItem: (key) => values.get(key) ?? null, setItem: (key, value) => void values.set(key, value) };
}

function opened(): { readonly store: WorkbenchStore; readonly kept: (id?: ProjectId) => Layout } {
  const local = memory();
  const store = createWorkbenchStore({ local, tab: memory() }, panes);
  store.showProject(project);
  return { store, kept: (id = project) => parseLayout(local.getItem(`gopi-web.layout.${id}`), panes) };
}

const sideOf = (store: WorkbenchStore): Layout["side"] => store.get().layout.side;

test("panels and preset chosen before the first project is loaded stay; another project has its own", () => {
  const local = memory();
  local.setItem(`gopi-web.layout.${project}`, JSON.stringify({ ...defaultLayout, tabs: ["a.ts"] }));
  const store = createWorkbenchStore({ local, tab: memory() }, panes);
  store.changeLayout((layout) => toggleSidePanel({ ...layout, preset: "code", bottom: "terminal" }, "files"));
  store.showProject(project);
  expect(store.get().layout).toMatchObject({ side: "files", preset: "code", bottom: "terminal", tabs: ["a.ts"] });
  store.showProject(other);
  const { side, preset, bottom } = defaultLayout;
  expect(store.get().layout).toMatchObject({ side, preset, bottom });
});

describe("a window that becomes too narrow for the side panel", () => {
  test.each(["files", "sessions", null] as const)("restores the panel when it becomes wide again: %s", (side) => {
    const { store, kept } = opened();
    store.changeLayout((layout) => ({ ...layout, side }));
    store.setFloating(true);
    expect(sideOf(store)).toBeNull();
    // A change while narrow is stored, the collapsed panel is not.
    store.resize("side", 300);
    expect(kept()).toMatchObject({ side, sizes: { side: 300 } });
    store.setFloating(false);
    expect(sideOf(store)).toBe(side);
  });

  test("opens and closes the panel over the panes without changing the stored layout", () => {
    const { store, kept } = opened();
    store.setFloating(true);
    store.changeLayout((layout) => toggleSidePanel(layout, "files"));
    expect(sideOf(store)).toBe("files");
    expect(kept().side).toBe("sessions");
    store.changeLayout((layout) => toggleSidePanel(layout, "files"));
    expect(sideOf(store)).toBeNull();
    store.setFloating(false);
    expect(sideOf(store)).toBe("sessions");
  });

  test("keeps an open panel open when the window becomes wide", () => {
    const { store } = opened();
    store.setFloating(true);
    store.changeLayout((layout) => toggleSidePanel(layout, "files"));
    store.setFloating(false);
    expect(sideOf(store)).toBe("files");
  });

  test("collapses the panel of the next project, and restores both", () => {
    const { store } = opened();
    store.setFloating(true);
    store.showProject(other);
    expect(sideOf(store)).toBeNull();
    store.setFloating(false);
    expect(sideOf(store)).toBe(defaultLayout.side);
  });
});

describe("a new session", () => {
  test.each([
    ["chat", false, "chat"],
    ["code", true, "code"],
    ["review", false, "chat"],
    ["review", true, "chat"],
  ] as const)("from %s, conversation hidden: %s, opens in %s with the conversation", (preset, hidden, after) => {
    const { store, kept } = opened();
    store.changeLayout((layout) => ({ ...setPreset(layout, preset), conversationHidden: hidden }));
    store.showPhoneTab("review");
    store.beginSession();
    expect(store.get()).toMatchObject({
      phoneTab: "conversation",
      layout: { preset: after, conversationHidden: false },
    });
    expect(kept().preset).toBe(after);
  });
});
