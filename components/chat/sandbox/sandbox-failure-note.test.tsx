// @vitest-environment happy-dom
import { cleanup, screen, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { type ApprovalId, asId, type ClientId, type Hash } from "@/lib/events/id";
import type { CallView } from "@/lib/view/view";
import { renderCommandLine } from "../own-commands/test-command-line";

test.each([
  ["files", "it lets commands write only to the project, /tmp, and caches"],
  ["network", "it has no network"],
  ["local", "it reaches only programs that the command itself starts"],
  ["hidden", "it hides keys, passwords, and the sockets of other programs"],
] as const)("a command that the sandbox stopped (%s) says so, and that it %s", async (sandboxFailure, cause) => {
  await renderCommandLine({ sandbox: true, sandboxFailure }, { isOwner: false });
  expect(await screen.findByText(cause, { exact: false })).toBeDefined();
  expect(screen.queryByRole("button", { name: "Run outside once" })).toBeNull();
});

test("a command that failed for another reason says nothing of it", async () => {
  await renderCommandLine({ sandbox: true });
  expect(screen.queryByText("The sandbox", { exact: false })).toBeNull();
});

test("it runs outside only after the question, which shows the whole command", async () => {
  const { user, commands } = await renderCommandLine({
    sandbox: true,
    sandboxFailure: "files",
    startFolder: "/p/it's",
  });
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
  const { user, commands } = await renderCommandLine({ sandbox: true, sandboxFailure: "network" });
  await screen.findByText("it has no network", { exact: false });
  const names = screen.getAllByRole("button").map(({ textContent }) => textContent);
  expect(names.slice(-2)).toEqual(["Allow the network for this session", "Run outside once"]);
  await user.click(screen.getByRole("button", { name: "Allow the network for this session" }));
  expect(commands).toEqual(["network"]);
});

test("an allowed network is stated, not offered", async () => {
  await renderCommandLine({ sandbox: true, sandboxFailure: "network" }, { isNetworkAllowed: true });
  await screen.findByText("Network allowed in this session");
  expect(screen.queryByRole("button", { name: "Allow the network for this session" })).toBeNull();
});

test.each([
  ["ran", "You ran it outside the sandbox"],
  ["queued", "Runs outside the sandbox after this run"],
] as const)("a command that the user %s outside says so and cannot be run again", async (ownRun, text) => {
  await renderCommandLine({ sandbox: true, sandboxFailure: "files" }, { ownRun });
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
    const { user, commands } = await renderCommandLine({}, { more: waiting("once") });
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
    // The note of another command: it is loaded then.
    await renderCommandLine({}, { more: waiting("once") });
    await screen.findByText(offline, { exact: false });
    cleanup();
    await renderCommandLine({}, { more });
    expect(screen.queryByText(offline, { exact: false })).toBeNull();
  });
});
