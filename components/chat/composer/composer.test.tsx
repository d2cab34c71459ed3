// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import type { QueuedMessage } from "@/lib/events/event";
import { asId, type CommandId, type QueuedId } from "@/lib/events/id";
import { limits } from "@/lib/settings/settings";
import { en } from "../../messages/en";
import { renderForUser } from "../../shell/frame/test-dom";
import { testClient } from "../../shell/frame/test-render";
import { Composer, type ComposerProps } from "./composer";

const queued: QueuedMessage = {
  id: asId<QueuedId>("q1"),
  commandId: asId<CommandId>("c1"),
  intent: "followUp",
  text: "then the tests",
  at: 0,
};

const makeHandlers = () => ({
  onSend: vi.fn<ComposerProps["onSend"]>(() => Promise.resolve(true)),
  onCommand: vi.fn<NonNullable<ComposerProps["onCommand"]>>(() => Promise.resolve(true)),
  onRemoveQueued: vi.fn<ComposerProps["onRemoveQueued"]>(() => Promise.resolve(true)),
  onStop: vi.fn(),
  onTree: vi.fn(),
});

interface ComposerScreen extends ReturnType<typeof makeHandlers> {
  readonly user: UserEvent;
  readonly field: HTMLTextAreaElement;
}

/** Shows the composer of an idle session and focuses its field. */
async function showComposer(changed: Partial<ComposerProps> = {}): Promise<ComposerScreen> {
  const handlers = makeHandlers();
  const user = await renderForUser(
    testClient(),
    <Composer
      draftKey="s1"
      state="idle"
      mode="ask"
      sendKey="enter"
      queue={[]}
      history={["first", "second"]}
      onMode={() => undefined}
      onEditQueued={() => undefined}
      onSendQueued={() => undefined}
      modelMenu={{
        model: "qwen3:8b",
        connection: null,
        models: [],
        connections: [],
        loadModels: () => Promise.resolve([]),
        onModel: () => undefined,
        use: null,
        loaded: null,
        isLocked: false,
      }}
      {...handlers}
      {...changed}
    />,
  );
  const field = screen.getByRole<HTMLTextAreaElement>("textbox", { name: en.composer.label });
  await user.click(field);
  return { user, field, ...handlers };
}

test("Enter sends the trimmed text and empties the field", async () => {
  const { user, field, onSend } = await showComposer();
  await user.type(field, " fix the bug {Enter}");
  expect(onSend.mock.calls).toEqual([["fix the bug", "prompt", []]]);
  expect(field.value).toBe("");
});

test("Enter does not send an empty text", async () => {
  const { user, field, onSend } = await showComposer();
  await user.type(field, "  {Enter}");
  expect(onSend).not.toHaveBeenCalled();
});

test("Shift+Enter inserts a line break", async () => {
  const { user, field, onSend } = await showComposer();
  await user.type(field, "one{Shift>}{Enter}{/Shift}two");
  expect(field.value).toBe("one\ntwo");
  expect(onSend).not.toHaveBeenCalled();
});

test("with the send key Ctrl+Enter, Enter inserts a line break", async () => {
  const { user, field, onSend } = await showComposer({ sendKey: "mod-enter" });
  await user.type(field, "one{Enter}two");
  expect(field.value).toBe("one\ntwo");
  await user.keyboard("{Control>}{Enter}{/Control}");
  expect(onSend.mock.calls).toEqual([["one\ntwo", "prompt", []]]);
});

test("the Enter that confirms a candidate of an input method does not send", async () => {
  const { user, field, onSend } = await showComposer();
  await user.type(field, "你好");
  fireEvent.keyDown(field, { key: "Enter", isComposing: true });
  fireEvent.keyDown(field, { key: "Enter", keyCode: 229 });
  expect(onSend).not.toHaveBeenCalled();
  expect(field.value).toBe("你好");
});

test("a rejected message returns to the empty field", async () => {
  const { user, field } = await showComposer({ onSend: () => Promise.resolve(false) });
  await user.type(field, "fix the bug{Enter}");
  await waitFor(() => expect(field.value).toBe("fix the bug"));
});

test("without a connection Enter keeps the text and shows the reason until the text changes", async () => {
  const { user, field, onSend } = await showComposer({ state: "offline" });
  await user.type(field, "fix the bug{Enter}");
  expect(screen.getByRole("status").textContent).toContain(en.composer.refused.offline);
  expect(field.value).toBe("fix the bug");
  expect(onSend).not.toHaveBeenCalled();
  await user.type(field, "s");
  expect(screen.queryByRole("status")).toBeNull();
});

test("the arrow keys step through the history and back to the empty field", async () => {
  const { user, field } = await showComposer();
  await user.keyboard("{ArrowUp}");
  expect(field.value).toBe("second");
  await user.keyboard("{ArrowUp}{ArrowUp}");
  expect(field.value).toBe("first");
  await user.keyboard("{ArrowDown}");
  expect(field.value).toBe("second");
  await user.keyboard("{ArrowDown}");
  expect(field.value).toBe("");
});

test("ArrowUp keeps a typed text and an edited message of the history", async () => {
  const { user, field } = await showComposer();
  await user.type(field, "draft{ArrowUp}");
  expect(field.value).toBe("draft");
  await user.clear(field);
  await user.keyboard("{ArrowUp}!{ArrowUp}");
  expect(field.value).toBe("second!");
});

test("the command menu is used by keyboard", async () => {
  const { user, field, onCommand, onSend } = await showComposer();
  await user.type(field, "/re");
  const names = (await screen.findAllByRole("option")).map(({ id }) => id.split("-").at(-1));
  expect(names).toEqual(["rewind", "redo"]);
  await user.keyboard("{ArrowDown}");
  expect(screen.getByRole("option", { selected: true }).id).toBe(field.getAttribute("aria-activedescendant"));
  await user.keyboard("{Enter}");
  expect(onCommand.mock.calls).toEqual([[{ name: "redo", rest: "" }]]);
  expect(onSend).not.toHaveBeenCalled();
  expect(field.value).toBe("");
});

test("Tab completes a command that takes an argument", async () => {
  const { user, field, onCommand } = await showComposer();
  await user.type(field, "/co");
  await user.tab();
  expect(field.value).toBe("/compact ");
  expect(document.activeElement).toBe(field);
  await user.type(field, "the tests{Enter}");
  expect(onCommand.mock.calls).toEqual([[{ name: "compact", rest: "the tests" }]]);
});

test("Esc closes the command menu before it stops the run", async () => {
  const { user, field, onStop } = await showComposer({ state: "running" });
  await user.type(field, "/");
  await screen.findByRole("listbox");
  await user.keyboard("{Escape}");
  expect(screen.queryByRole("listbox")).toBeNull();
  expect(field.value).toBe("/");
  expect(onStop).not.toHaveBeenCalled();
  await user.keyboard("{Escape}");
  expect(onStop).toHaveBeenCalledTimes(1);
});

test("two Esc in the empty field of an idle session open the branches; with a text they do not", async () => {
  const { user, field, onTree } = await showComposer();
  const pressTwice = (): void => {
    fireEvent.keyDown(field, { key: "Escape" });
    fireEvent.keyDown(field, { key: "Escape" });
  };
  await user.type(field, "draft");
  pressTwice();
  expect(onTree).not.toHaveBeenCalled();
  await user.clear(field);
  pressTwice();
  expect(onTree).toHaveBeenCalledTimes(1);
});

test("during a run Enter steers and Alt+Enter queues", async () => {
  const { user, field, onSend } = await showComposer({ state: "running" });
  await user.type(field, "use tabs{Enter}");
  await user.type(field, "then commit{Alt>}{Enter}{/Alt}");
  expect(onSend.mock.calls).toEqual([
    ["use tabs", "steer", []],
    ["then commit", "followUp", []],
  ]);
});

test("Alt+ArrowUp moves the last queued message back into the empty field", async () => {
  const { user, field, onRemoveQueued } = await showComposer({ state: "running", queue: [queued] });
  await user.keyboard("{Alt>}{ArrowUp}{/Alt}");
  await waitFor(() => expect(field.value).toBe(queued.text));
  expect(onRemoveQueued.mock.calls).toEqual([[queued.id]]);
});

test("a queued message that the run has taken is not moved back", async () => {
  const taken = Promise.resolve(false);
  const { user, field } = await showComposer({
    state: "running",
    queue: [queued],
    onRemoveQueued: () => taken,
  });
  await user.keyboard("{Alt>}{ArrowUp}{/Alt}");
  await taken;
  expect(field.value).toBe("");
});

test("a pasted text over the limit is rejected whole; one at the limit is inserted", async () => {
  const { user, field } = await showComposer();
  await user.type(field, "ab");
  await user.paste("x".repeat(limits.promptMaxChars));
  expect(field.value).toBe("ab");
  expect(screen.getByRole("status").textContent).toBe(en.composer.notPasted("2"));
  await user.paste("x".repeat(limits.promptMaxChars - 2));
  expect(field.value).toHaveLength(limits.promptMaxChars);
  expect(screen.queryByRole("status")).toBeNull();
});

test("the text of a session is in its field when it is shown again, and in no other session's field", async () => {
  const { user, field } = await showComposer();
  await user.type(field, "half a sentence");
  cleanup();
  expect((await showComposer({ draftKey: "s2" })).field.value).toBe("");
  cleanup();
  expect((await showComposer()).field.value).toBe("half a sentence");
});
