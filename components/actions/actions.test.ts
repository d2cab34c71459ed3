import { expect, test, vi } from "vitest";
import { eventually } from "@/lib/testing/test-waits";
import { testActionContext, testClient } from "../shell/frame/test-render";
import type { ComposerMenu } from "../state/workbench/component-handles";
import type { Action, ActionContext } from "./action";
import { actions } from "./actions";
import { findAction } from "./shortcuts";
import { keyPress } from "./test-key-press";

const slashActions = actions.flatMap(({ slash, id }) => (slash === undefined ? [] : [{ id, ...slash }]));

test("each slash name belongs to one action and consists of small letters", () => {
  const names = slashActions.flatMap((action) => action.names);
  expect(names).toEqual([...new Set(names)]);
  for (const name of names) expect(name).toMatch(/^[a-z]+$/);
});

const openContext = () => {
  const client = testClient();
  const opened: ComposerMenu[] = [];
  const composer = {
    findMenu: (menu: ComposerMenu) => () => void opened.push(menu),
    setMode: vi.fn(),
    setModel: vi.fn(),
    modelNames: () => [],
    send: vi.fn(),
    session: {
      compact: vi.fn(() => Promise.resolve(false)),
      fork: vi.fn(),
      rewind: vi.fn(),
      undo: vi.fn(),
      redo: vi.fn(),
      rename: vi.fn(),
      save: vi.fn(),
    },
    pins: { isPinned: (path: string) => path === "pinned.ts", setPinned: vi.fn(() => Promise.resolve(true)) },
  };
  client.handles.composer = composer;
  const navigate = vi.fn<ActionContext["navigate"]>();
  const setTheme = vi.fn<ActionContext["setTheme"]>();
  return { client, opened, composer, context: { ...testActionContext(client), navigate, setTheme, hasSession: true } };
};
const perform = (id: Action["id"], context: ActionContext, argument?: string): void =>
  actions.find((action) => action.id === id)?.perform(context, argument);

test("a file is pinned or unpinned: the named one, else the one that is shown", () => {
  const { client, composer, context } = openContext();
  client.workbench.openFile("src/a.ts", null);
  perform("pinFile", context);
  perform("pinFile", context, "pinned.ts");
  expect(composer.pins.setPinned.mock.calls).toEqual([
    ["src/a.ts", true],
    ["pinned.ts", false],
  ]);
});

test("without an argument the existing menu, dialog or page opens", () => {
  const { client, opened, context } = openContext();
  for (const id of ["mode", "model", "status"] as const) perform(id, context);
  expect(opened).toEqual(["mode", "model", "context"]);
  perform("renameSession", context);
  expect(client.workbench.get().overlay).toBe("rename_session");
  perform("switchSession", context);
  expect(client.workbench.get().overlay).toBe("sessions");
  perform("theme", context);
  expect(context.navigate.mock.calls).toEqual([["/settings/appearance"]]);
});

test.each([
  ["the commands", "P", "commands"],
  ["the symbols of the open file", "O", "go_to_symbol"],
])("the keys of VS Code for %s open them, also while one types", (_name, key, overlay) => {
  const { client, context } = openContext();
  client.workbench.openFile("src/a.ts");
  const press = keyPress(key, { code: `Key${key}`, ctrlKey: true, shiftKey: true });
  findAction(press, context, true, false)?.perform(context);
  expect(client.workbench.get().overlay).toBe(overlay);
});

test("an argument is used in place of the menu", () => {
  const { client, opened, composer, context } = openContext();
  perform("mode", context, "plan");
  perform("model", context, "qwen3:8b");
  perform("renameSession", context, "New name");
  perform("theme", context, "dark");
  perform("exportSession", context, "html");
  perform("exportSession", context);
  expect(composer.setMode.mock.calls).toEqual([["plan"]]);
  expect(composer.setModel.mock.calls).toEqual([["qwen3:8b"]]);
  expect(composer.session.rename.mock.calls).toEqual([["New name"]]);
  expect(context.setTheme.mock.calls).toEqual([["dark"]]);
  expect(composer.session.save.mock.calls).toEqual([["html"], ["md"]]);
  expect([opened, client.workbench.get().overlay]).toEqual([[], null]);
});

test("the focus of a rejected summary returns to the message field", async () => {
  const { client, context } = openContext();
  const offer = vi.fn();
  const unused = (): boolean => false;
  client.handles.conversation = {
    sessionId: null,
    offer,
    focusComposer: unused,
    attach: unused,
    insert: unused,
    focusApproval: unused,
    find: unused,
  };
  perform("compact", context, "the tests");
  perform("compact", context);
  await eventually(() => expect(offer.mock.calls).toEqual([["/compact the tests"]]));
});

test.each([
  ["listed where two groups fit", true, true],
  ["not listed in a window that is too narrow", false, false],
])("the split of the editor is %s", (_title, fits, isListed) => {
  const { client, context } = openContext();
  const unused = vi.fn();
  client.handles.editor = {
    ...{ save: unused, format: unused, closeTab: unused, focus: unused, find: unused, goToChange: unused },
    setFolded: unused,
    ...{ setIndentation: unused, setLineEnding: unused, chooseEncoding: unused, setLanguage: unused },
    ...{ togglePreview: unused, split: unused, focusOtherGroup: unused, moveToOtherGroup: unused },
    canSplit: () => fits,
    symbols: () => Promise.resolve(null),
    selectedText: () => "",
    reference: () => null,
  };
  expect(actions.find(({ id }) => id === "splitEditor")?.when?.(context)).toBe(isListed);
});
