// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { createRef, useState } from "react";
import { expect, type Mock, onTestFinished, test, vi } from "vitest";
import type { QueuedMessage } from "@/lib/events/event";
import { asId, type BlobId, type CommandId, type ProjectId, type QueuedId } from "@/lib/events/id";
import { limits, settingsDefaults } from "@/lib/settings/settings";
import type { ActionContext } from "../../actions/action";
import { CurrentActionContext } from "../../actions/current-actions";
import { en } from "../../messages/en";
import { renderForUser } from "../../shell/frame/test-dom";
import { testActionContext, testClient } from "../../shell/frame/test-render";
import type { AppClient } from "../../state/client";
import { commandQuery } from "../../state/command-query";
import type { SessionControl } from "../../state/workbench/component-handles";
import { Composer, type ComposerProps } from "./composer";
import { writeDraftImages } from "./drafts/drafts";
import { testModelMenu } from "./test-composer-props";
import type { ComposerHandle } from "./use-composer-handle";

const queued: QueuedMessage = {
  id: asId<QueuedId>("q1"),
  commandId: asId<CommandId>("c1"),
  intent: "followUp",
  text: "then the tests",
  at: 0,
};

const makeHandlers = () => ({
  onSend: vi.fn<ComposerProps["onSend"]>(() => Promise.resolve(true)),
  onRemoveQueued: vi.fn<ComposerProps["onRemoveQueued"]>(() => Promise.resolve(true)),
  onRunCommand: vi.fn<ComposerProps["onRunCommand"]>(() => Promise.resolve(true)),
  onStop: vi.fn(),
  onTree: vi.fn(),
});

const makeSession = () => ({
  compact: vi.fn<SessionControl["compact"]>(() => Promise.resolve(true)),
  fork: vi.fn(),
  rewind: vi.fn(),
  undo: vi.fn(),
  redo: vi.fn(),
  rename: vi.fn(),
  save: vi.fn(),
});

interface ComposerScreen extends ReturnType<typeof makeHandlers> {
  readonly client: AppClient;
  /** Effects of the commands on the session. */
  readonly session: ReturnType<typeof makeSession>;
  readonly setTheme: Mock<ActionContext["setTheme"]>;
  readonly user: UserEvent;
  readonly field: HTMLTextAreaElement;
  /** Changes properties of the composer. */
  readonly change: (props: Partial<ComposerProps>) => void;
  /** Shows the composer at another place, as another layout does. */
  readonly replaceField: () => void;
}

/** Shows the composer of an idle session and focuses its field. */
async function showComposer(changed: Partial<ComposerProps> = {}): Promise<ComposerScreen> {
  const handlers = makeHandlers();
  const client = testClient();
  const session = makeSession();
  const setTheme = vi.fn<ActionContext["setTheme"]>();
  const handle = createRef<ComposerHandle>();
  client.handles.composer = {
    findMenu: (menu) => handle.current?.findMenu(menu) ?? null,
    setMode: (mode) => changed.onMode?.(mode),
    setModel: () => undefined,
    modelNames: () => ["qwen3:8b", "Gemma3:4b"],
    send: () => undefined,
    session,
    pins: null,
  };
  let change = (_props: Partial<ComposerProps>): void => {};
  let replaceField = (): void => {};
  const ChangingComposer = () => {
    const [later, setLater] = useState<Partial<ComposerProps>>({});
    const [layout, setLayout] = useState(0);
    change = setLater;
    replaceField = () => setLayout(1);
    return (
      <Composer
        key={layout}
        draftKey="s1"
        state="idle"
        mode="ask"
        sendKey="enter"
        queue={[]}
        history={["first", "second"]}
        onMode={() => undefined}
        onEditQueued={() => undefined}
        onSendQueued={() => undefined}
        modelMenu={testModelMenu}
        {...handlers}
        {...changed}
        {...later}
        handle={handle}
      />
    );
  };
  const user = await renderForUser(
    client,
    <CurrentActionContext value={{ ...testActionContext(client), setTheme, hasSession: true }}>
      <ChangingComposer />
    </CurrentActionContext>,
  );
  const field = screen.getByRole<HTMLTextAreaElement>("textbox", { name: en.composer.label });
  await user.click(field);
  return {
    user,
    field,
    client,
    session,
    setTheme,
    change: (props) => act(() => change(props)),
    replaceField: () => act(() => replaceField()),
    ...handlers,
  };
}

const testProjectId = asId<ProjectId>("p1");

/** Opens a project whose extensions and servers are known to offer no commands. */
function setNoOffers(client: AppClient): void {
  client.cache.setQueryData(commandQuery("extensions.commands", { projectId: testProjectId }).queryKey, {
    commands: [],
  });
  client.cache.setQueryData(commandQuery("mcp.offers", { projectId: testProjectId }).queryKey, {
    prompts: [],
    resources: [],
  });
  client.workbench.showProject(testProjectId);
}

test("Enter sends the trimmed text and empties the field", async () => {
  const { user, field, onSend } = await showComposer();
  await user.type(field, " fix the bug {Enter}");
  expect(onSend.mock.calls).toEqual([["fix the bug", "prompt", {}]]);
  expect(field.value).toBe("");
});

test("a text after `!` runs as a command and is not sent; `!` alone says what is missing", async () => {
  const { user, field, onSend, onRunCommand } = await showComposer();
  await user.type(field, "!{Enter}");
  expect(screen.getByRole("status").textContent).toContain(en.composer.userCommand.empty);
  expect(screen.getByText(en.composer.userCommand.added)).toBeTruthy();
  await user.type(field, "!npm test @types{Enter}");
  expect(onRunCommand.mock.calls).toEqual([["!!npm test @types"]]);
  expect([field.value, onSend.mock.calls]).toEqual(["", []]);
  await user.type(field, " !important{Enter}");
  expect(onSend.mock.calls).toEqual([["!important", "prompt", {}]]);
});

test("after `/mode ` and `/model ` the choices are offered by keyboard", async () => {
  const onMode = vi.fn();
  const { user, field, setTheme } = await showComposer({ onMode });
  await user.type(field, "/mode ");
  const options = await screen.findAllByRole("option");
  expect(options.map(({ textContent }) => textContent)).toEqual(
    ["/mode ask", "/mode edits", "/mode plan", "/mode full"].map((text) => `${text}${en.actions.names.mode}`),
  );
  await user.keyboard("{ArrowDown}{Enter}");
  expect([onMode.mock.calls, field.value]).toEqual([[["edits"]], ""]);
  await user.type(field, "/theme d{Enter}");
  expect(setTheme.mock.calls).toEqual([["dark"]]);
});

test("a rejected command returns to the field; without a model it runs", async () => {
  const onRunCommand = vi.fn(() => Promise.resolve(false));
  const { user, field } = await showComposer({ state: "noModel", onRunCommand });
  await user.type(field, "!ls{Enter}");
  await waitFor(() => expect(field.value).toBe("!ls"));
  expect(onRunCommand.mock.calls).toEqual([["!ls"]]);
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
  expect(onSend.mock.calls).toEqual([["one\ntwo", "prompt", {}]]);
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
  const { user, field, session, onSend } = await showComposer();
  await user.type(field, "/re");
  const names = (await screen.findAllByRole("option")).map(({ textContent }) => textContent);
  expect(names.map((name) => /^\/[a-z]+?(?=[A-Z])/.exec(name)?.[0])).toEqual(["/resume", "/rewind", "/redo"]);
  await user.keyboard("{ArrowUp}");
  const selected = screen.getByRole("option", { selected: true });
  expect(selected.id).toBe(field.getAttribute("aria-activedescendant"));
  expect(selected.textContent).toBe(`/redo${en.actions.names.redo}`);
  await user.keyboard("{Enter}");
  expect(session.redo).toHaveBeenCalledTimes(1);
  expect(onSend).not.toHaveBeenCalled();
  expect(field.value).toBe("");
});

test("commands of all sources are in one menu, in groups", async () => {
  const { user, field, client } = await showComposer();
  setNoOffers(client);
  client.cache.setQueryData(commandQuery("extensions.commands", { projectId: testProjectId }).queryKey, {
    commands: [{ name: "redact", description: "Removes names", from: "x", isScript: false }],
  });
  client.cache.setQueryData(commandQuery("mcp.offers", { projectId: testProjectId }).queryKey, {
    prompts: [{ server: "redmine", name: "report", title: "Report", description: "", arguments: [] }],
    resources: [],
  });
  await user.type(field, "/red");
  expect(await screen.findByRole("group", { name: en.composer.slash.label })).toBeTruthy();
  const names = (await screen.findAllByRole("option")).map(({ textContent }) => textContent);
  expect(names).toEqual([`/redo${en.actions.names.redo}`, "/redactRemoves names", "/redmine:reportReport"]);
  expect(screen.getAllByRole("listbox")).toHaveLength(1);
  // The row stays selected when rows above it go.
  await user.keyboard("{ArrowUp}");
  act(
    () =>
      void client.cache.setQueryData(commandQuery("extensions.commands", { projectId: testProjectId }).queryKey, {
        commands: [],
      }),
  );
  await waitFor(() => expect(screen.getAllByRole("option")).toHaveLength(2));
  expect(screen.getByRole("option", { selected: true }).textContent).toContain("/redmine:report");
});

test("the command menu leaves keys to an input method, and keys with a modifier to the field", async () => {
  const { user, field, client, onSend } = await showComposer();
  setNoOffers(client);
  await user.type(field, "/re");
  await screen.findAllByRole("option");
  await user.keyboard("{Control>}{Enter}{/Control}");
  await expect.poll(() => onSend.mock.calls).toEqual([["/re", "prompt", {}]]);
  await user.type(field, "/re");
  fireEvent.keyDown(field, { key: "Enter", isComposing: true });
  fireEvent.keyDown(field, { key: "Enter", keyCode: 229 });
  fireEvent.compositionEnd(field);
  fireEvent.keyDown(field, { key: "Enter" });
  expect(field.value).toBe("/re");
});

test("Tab completes a command that takes an argument", async () => {
  const { user, field, session } = await showComposer();
  await user.type(field, "/co");
  await user.tab();
  expect(field.value).toBe("/compact ");
  expect(document.activeElement).toBe(field);
  await user.type(field, "the tests{Enter}");
  expect(session.compact.mock.calls).toEqual([["the tests"]]);
});

test("a click in the menu performs a command, and offers those of the session only with a session", async () => {
  const { user, field, client } = await showComposer();
  await user.type(field, "/");
  expect(await screen.findByRole("option", { name: /^\/fork/ })).toBeTruthy();
  delete client.handles.composer;
  await user.type(field, "h");
  await user.click(await screen.findByRole("option", { name: /^\/help/ }));
  expect(client.workbench.get().overlay).toBe("help");
  expect(field.value).toBe("");
});

test("an argument that a command does not accept keeps the text and names those it does", async () => {
  const { user, field, setTheme, onSend } = await showComposer();
  await user.type(field, "/theme blue{Enter}");
  expect(screen.getByRole("status").textContent).toContain("system / light / dark");
  expect(field.value).toBe("/theme blue");
  await user.clear(field);
  await user.type(field, "/theme dark{Enter}");
  expect(setTheme.mock.calls).toEqual([["dark"]]);
  expect(screen.queryByRole("status")).toBeNull();
  expect(onSend).not.toHaveBeenCalled();
});

test("/mode opens the menu of modes, and with a mode selects it, also without a model", async () => {
  const onMode = vi.fn();
  const { user, field } = await showComposer({ onMode, state: "noModel" });
  await user.type(field, "/mode plan{Enter}");
  expect(onMode.mock.calls).toEqual([["plan"]]);
  await user.type(field, "/mode{Enter}");
  expect(await screen.findByRole("menu", { name: en.composer.mode })).toBeTruthy();
});

test.each(["full_access", "off"] as const)(
  "with the sandbox %s, the menu of modes says what it confines",
  async (sandbox) => {
    const { user, field, client } = await showComposer();
    act(() => client.serverState.merge({ settings: { ...settingsDefaults, sandbox } }));
    await user.type(field, "/mode{Enter}");
    const menu = await screen.findByRole("menu", { name: en.composer.mode });
    expect(menu.textContent.includes("Commands run in the system's sandbox where it works")).toBe(sandbox !== "off");
  },
);

test("other words after a slash, and a text after a command that takes none, are a message", async () => {
  const { user, field, client, onSend } = await showComposer();
  setNoOffers(client);
  await user.type(field, "/etc/hosts is empty{Enter}");
  await expect.poll(() => onSend.mock.calls.length).toBe(1);
  await user.type(field, "/new idea: write a test{Enter}");
  await expect
    .poll(() => onSend.mock.calls.map(([text]) => text))
    .toEqual(["/etc/hosts is empty", "/new idea: write a test"]);
});

test("a workflow that does not exist is not sent: the names that exist are shown, and the text stays", async () => {
  const { user, field, client, onSend } = await showComposer();
  setNoOffers(client);
  const show = vi.spyOn(client.toasts, "show");
  const files = ["release", "fix-tests"].map((name) => ({
    place: "home" as const,
    name,
    path: `/${name}.yaml`,
    description: "",
    inputs: [],
    steps: [],
    problems: [],
    isShadowed: false,
  }));
  await user.type(field, "/workflow relaese{Enter}");
  expect(await screen.findByText(en.composer.sendsWhenReady)).toBeTruthy();
  act(() =>
    client.cache.setQueryData(commandQuery("workflows.list", { projectId: testProjectId }).queryKey, {
      isTrusted: true,
      untrusted: [],
      files,
      folders: { project: "", home: "" },
    }),
  );
  const text = "There is no workflow “relaese”. Choose one of these: release, fix-tests.";
  await expect.poll(() => show.mock.calls).toEqual([[{ text, look: "danger" }]]);
  expect(field.value).toBe("/workflow relaese");
  await user.clear(field);
  await user.type(field, "/workflow release{Escape}{Enter}");
  await expect.poll(() => client.workbench.get().overlay).toBe("run_workflow");
  expect(onSend).not.toHaveBeenCalled();
});

test("until the models are known, Enter waits, unless the text is edited", async () => {
  const { user, field, onSend, change } = await showComposer({ state: "noModel", isStarting: true });
  await user.type(field, "fix it{Enter} now");
  expect(screen.queryByText(en.composer.sendsWhenReady)).toBeNull();
  await user.keyboard("{Enter}");
  expect(await screen.findByText(en.composer.sendsWhenReady)).toBeTruthy();
  expect(onSend).not.toHaveBeenCalled();
  change({ state: "idle", isStarting: false });
  await expect.poll(() => onSend.mock.calls).toEqual([["fix it now", "prompt", {}]]);
  expect(field.value).toBe("");
});

test("an Enter that waits is not lost when another layout replaces the field", async () => {
  const { user, field, onSend, change, replaceField } = await showComposer({ state: "noModel", isStarting: true });
  await user.type(field, "note it{Enter}");
  replaceField();
  expect(field.isConnected).toBe(false);
  change({ state: "idle", isStarting: false });
  await expect.poll(() => onSend.mock.calls).toEqual([["note it", "prompt", {}]]);
});

test("until the commands of extensions and servers are known, Enter on a text with a slash waits", async () => {
  const { user, field, client, onSend } = await showComposer({ state: "running" });
  client.workbench.showProject(testProjectId);
  await user.type(field, "/fix the tests{Alt>}{Enter}{/Alt}");
  expect(await screen.findByText(en.composer.sendsWhenReady)).toBeTruthy();
  expect(onSend).not.toHaveBeenCalled();
  act(() => setNoOffers(client));
  await expect.poll(() => onSend.mock.calls).toEqual([["/fix the tests", "followUp", {}]]);
  expect(screen.queryByText(en.composer.sendsWhenReady)).toBeNull();
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
    ["use tabs", "steer", {}],
    ["then commit", "followUp", {}],
  ]);
});

test("Alt+ArrowUp moves the last queued message back into the empty field", async () => {
  const { user, field, onRemoveQueued } = await showComposer({ state: "running", queue: [queued] });
  await user.keyboard("{Alt>}{ArrowUp}{/Alt}");
  await waitFor(() => expect(field.value).toBe(queued.text));
  expect(onRemoveQueued.mock.calls).toEqual([[queued.id]]);
});

test("a queued message that the run has taken is not moved back", async () => {
  const sent = Promise.resolve(false);
  const { user, field } = await showComposer({
    state: "running",
    queue: [queued],
    onRemoveQueued: () => sent,
  });
  await user.keyboard("{Alt>}{ArrowUp}{/Alt}");
  await sent;
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

test("Send is blocked beside the reason while the model cannot see the images; a command of the user still runs", async () => {
  writeDraftImages("s1", [{ blob: asId<BlobId>("b1"), mime: "image/png" }]);
  onTestFinished(() => writeDraftImages("s1", []));
  const imageStore = {
    add: () => Promise.resolve({ ok: false as const, refusal: "" }),
    check: () => Promise.resolve("tiny can't see images."),
    load: () => Promise.resolve(null),
  };
  const { user, field, onSend, onRunCommand } = await showComposer({ imageStore });
  await screen.findByText("tiny can't see images.");
  await user.type(field, "look{Enter}");
  expect(onSend).not.toHaveBeenCalled();
  expect(field.value).toBe("look");
  expect(screen.getByRole<HTMLButtonElement>("button", { name: en.composer.send }).disabled).toBe(true);
  await user.clear(field);
  await user.type(field, "!ls{Enter}");
  expect(onRunCommand).toHaveBeenCalledWith("!ls");
});
