import { expect, test, vi } from "vitest";
import type { ComponentHandles } from "./component-handles";
import { addToMessage } from "./add-to-message";
import { defaultLayout } from "./layout";
import { createWorkbenchStore } from "./workbench-store";

const file = { kind: "file", path: "a.ts" } as const;
const makeWorkbench = () => {
  const storage = { getItem: () => null, setItem: () => undefined };
  return createWorkbenchStore({ local: storage, tab: storage }, { side: ["files"], bottom: [] });
};

test("references and a text are added to the message field", () => {
  const insert = vi.fn();
  const attach = vi.fn();
  const unused = (): boolean => false;
  const handles: ComponentHandles = {
    conversation: {
      ...{ sessionId: null, insert, attach },
      ...{ focusComposer: unused, offer: unused, focusApproval: unused, find: unused },
    },
  };
  addToMessage({ handles, workbench: makeWorkbench() }, [file], "Explain this code.");
  expect(attach.mock.calls).toEqual([[file]]);
  expect(insert.mock.calls).toEqual([["Explain this code."]]);
});

test("without a message field the conversation is shown, and both wait for it", () => {
  const handles: ComponentHandles = {};
  const workbench = makeWorkbench();
  workbench.changeLayout(() => ({ ...defaultLayout, preset: "code", conversationHidden: true }));
  workbench.showPhoneTab("files");
  addToMessage({ handles, workbench }, [file], "Fix");
  expect(handles.waitingMessage).toEqual({ references: [file], text: "Fix" });
  expect(workbench.get()).toMatchObject({ phoneTab: "conversation", layout: { conversationHidden: false } });
});
