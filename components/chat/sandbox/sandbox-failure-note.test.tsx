// @vitest-environment happy-dom
import { screen, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { type ApprovalId, asId, type CallId, type ClientId, type Hash } from "@/lib/events/id";
import type { CallFacts } from "@/lib/events/tool-kind";
import type { CallView } from "@/lib/view/view";
import { renderForUser } from "../../shell/frame/test-dom";
import { testClient } from "../../shell/frame/test-render";
import { ConversationActionsContext, ConversationFactsContext, defaultFacts, readOnlyActions } from "../actions";
import { noop, noopRunControls } from "../noop-run-controls";
import { ToolLine } from "../tools/tool-line";
import { type OwnRun, ownCommandText } from "./own-command";

interface Scene {
  readonly isOwner?: boolean;
  readonly ownRun?: OwnRun;
  readonly isNetworkAllowed?: boolean;
  readonly more?: Partial<CallView>;
}

/** Renders the line of a failed command; returns the commands that the user ran, and "network" when that was allowed. */
async function renderCall(
  facts: CallFacts,
  { isOwner = true, ownRun = "offered", isNetworkAllowed = false, more }: Scene = {},
) {
  const commands: string[] = [];
  const runCommand = (command: string) => Promise.resolve(commands.push(command) > 0);
  const allowNetwork = () => runCommand("network");
  const call: CallView = {
    callId: asId<CallId>("c"),
    name: "bash",
    kind: "shell",
    target: "make install",
    facts: { exit: 1, ...facts },
    state: "ok",
    approvals: [],
    ...more,
  };
  const user = await renderForUser(
    testClient(),
    <ConversationActionsContext
      value={{ ...readOnlyActions, runControls: isOwner ? { ...noopRunControls, runCommand, allowNetwork } : null }}
    >
      <ConversationFactsContext value={{ ...defaultFacts, isNetworkAllowed }}>
        <ToolLine call={call} ownRun={ownRun} open={false} onToggle={noop} />
      </ConversationFactsContext>
    </ConversationActionsContext>,
  );
  return { user, commands };
}

test.each([
  ["files", "it lets commands write only to the project, /tmp, and caches"],
  ["network", "it has no network"],
  ["local", "it reaches only programs that the command itself starts"],
  ["hidden", "it hides keys, passwords, and the sockets of other programs"],
] as const)("a command that the sandbox stopped (%s) says so, and that it %s", async (sandboxFailure, cause) => {
  await renderCall({ sandbox: true, sandboxFailure }, { isOwner: false });
  expect(await screen.findByText(cause, { exact: false })).toBeDefined();
  expect(screen.queryByRole("button", { name: "Run outside once" })).toBeNull();
});

test("a command that failed for another reason says nothing of it", async () => {
  await renderCall({ sandbox: true });
  expect(screen.queryByText("The sandbox", { exact: false })).toBeNull();
});

test("it runs outside only after the question, which shows the whole command", async () => {
  const { user, commands } = await renderCall({ sandbox: true, sandboxFailure: "files", startFolder: "/p/it's" });
  const command = "cd '/p/it'\\''s' || exit\nmake install";
  const button = await screen.findByRole("button", { name: "Run outside once" });
  await user.click(button);
  await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Cancel" }));
  expect([screen.queryByRole("dialog"), commands]).toEqual([null, []]);
  await user.click(button);
  const dialog = screen.getByRole("dialog", { name: "Run outside the sandbox?" });
  expect(dialog.querySelector("pre")?.textContent).toBe(command);
  await user.click(within(dialog).getByRole("button", { name: "Run outside once" }));
  expect([screen.queryByRole("dialog"), commands]).toEqual([null, [command]]);
});

test("a command that failed for the network offers that first, once", async () => {
  const { user, commands } = await renderCall({ sandbox: true, sandboxFailure: "network" });
  await screen.findByText("it has no network", { exact: false });
  const names = screen.getAllByRole("button").map(({ textContent }) => textContent);
  expect(names.slice(-2)).toEqual(["Allow the network for this session", "Run outside once"]);
  await user.click(screen.getByRole("button", { name: "Allow the network for this session" }));
  expect(commands).toEqual(["network"]);
});

test("an allowed network is stated, not offered", async () => {
  await renderCall({ sandbox: true, sandboxFailure: "network" }, { isNetworkAllowed: true });
  await screen.findByText("Network allowed in this session");
  expect(screen.queryByRole("button", { name: "Allow the network for this session" })).toBeNull();
});

test.each([
  ["ran", "You ran it outside the sandbox"],
  ["queued", "Runs outside the sandbox after this run"],
] as const)("a command that the user %s outside says so and cannot be run again", async (ownRun, text) => {
  await renderCall({ sandbox: true, sandboxFailure: "files" }, { ownRun });
  await screen.findByText(text);
  expect(screen.queryByRole("button", { name: "Run outside once" })).toBeNull();
});

describe("a silent command whose card offered the network", () => {
  const offline = "This command runs without the network.";
  const waiting = (option: "once" | "network" | undefined, more: Partial<CallView> = {}): Partial<CallView> => {
    const approval = { approvalId: asId<ApprovalId>("a"), at: 0, boundTo: asId<Hash>("h") };
    const response = option && { option, by: asId<ClientId>("t") };
    return {
      state: "running",
      facts: {},
      startedAt: Date.now() - 60_000,
      approvals: [{ ...approval, options: option === undefined ? ["once"] : ["network", "once", "deny"], response }],
      ...more,
    };
  };
  test("that runs without it says so and offers it", async () => {
    const { user, commands } = await renderCall({}, { more: waiting("once") });
    await screen.findByText(offline, { exact: false });
    await user.click(screen.getByRole("button", { name: "Allow the network for this session" }));
    expect(commands).toEqual(["network"]);
  });
  test.each<[string, Partial<CallView>]>([
    ["that has it", waiting("network")],
    ["that has just printed something", waiting("once", { live: { length: 3, tail: "abc" } })],
    ["that started just now", waiting("once", { startedAt: Date.now() })],
    ["that needs none", waiting(undefined)],
  ])("%s says nothing", async (_name, more) => {
    await renderCall({}, { more });
    // The note is loaded by now.
    await import("./offline-wait-note");
    expect(screen.queryByText(offline, { exact: false })).toBeNull();
  });
});

describe("a command that was refused by name", () => {
  const refusal: Partial<CallView> = { state: "error", target: "rm -rf build\nls" };
  const facts: CallFacts = { exit: undefined, code: "blocked", rule: "blocked_word", refusedBy: "rm" };
  test("runs as the user's own, in its folder, after a question that shows all of it", async () => {
    const { user, commands } = await renderCall({ ...facts, startFolder: "/p/sub" }, { more: refusal });
    await user.click(await screen.findByRole("button", { name: "Run it myself" }));
    const dialog = screen.getByRole("dialog", { name: "Run this command yourself?" });
    expect(dialog.querySelector("pre")?.textContent).toBe("cd '/p/sub' || exit\nrm -rf build\nls");
    expect(commands).toEqual([]);
    await user.click(within(dialog).getByRole("button", { name: "Run it myself" }));
    expect(commands).toEqual(["cd '/p/sub' || exit\nrm -rf build\nls"]);
  });
  test.each([
    ["ran", "You ran it"],
    ["queued", "Runs after this run"],
  ] as const)("and that the user %s says so and cannot be run again", async (ownRun, text) => {
    await renderCall(facts, { ownRun, more: refusal });
    await screen.findByText(text);
    expect(screen.queryByRole("button", { name: "Run it myself" })).toBeNull();
  });
  test("is not offered to a viewer", async () => {
    await renderCall(facts, { isOwner: false, more: refusal });
    // The button is loaded by now.
    await import("./own-run-button");
    expect(screen.queryByRole("button", { name: "Run it myself" })).toBeNull();
  });
});

test("a command that started in the project folder is repeated as it is", () =>
  expect(ownCommandText({ target: "make", facts: {} })).toBe("make"));
