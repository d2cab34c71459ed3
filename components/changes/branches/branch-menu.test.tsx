// @vitest-environment happy-dom
import { act, screen, waitFor, within } from "@testing-library/react";
import { useRef, useState } from "react";
import { expect, test } from "vitest";
import { asId, type ProjectId, type TerminalId } from "@/lib/events/id";
import type { SourceBranchRow } from "@/lib/workspace/source-control";
import type { TerminalInfo } from "@/lib/terminal/terminal";
import { connectClient, renderForUser } from "../../shell/frame/test-dom";
import { BranchMenu } from "./branch-menu";

const projectId = asId<ProjectId>("p1");
const terminal: TerminalInfo = { id: asId<TerminalId>("t1"), projectId, name: "git push", exit: null };

const branch = (name: string, more: Partial<SourceBranchRow> = {}): SourceBranchRow => ({
  ...{ name, isRemote: false, isCurrent: false, commit: "c", subject: "", at: 0 },
  ...more,
});

interface Repository {
  readonly current?: Partial<SourceBranchRow>;
  readonly remotes?: readonly string[];
  /** Answers of `source.terminal_line`, one after another. */
  readonly lines?: readonly unknown[];
}

const line = { kind: "line", name: "git push", line: "git push -- origin x" };

function TestMenu() {
  const anchor = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(true);
  return (
    <div ref={anchor}>
      <BranchMenu id="menu" {...{ projectId, anchor, isOpen }} onClose={() => setOpen(false)} />
    </div>
  );
}

async function openMenu({ current = {}, remotes = ["origin"], lines = [line] }: Repository) {
  const rest = [...lines];
  const branches = [
    branch("main", { isCurrent: true, ...current }),
    branch("fix"),
    branch("origin/main", { isRemote: true }),
    branch("elsewhere", { worktree: "/x" }),
  ];
  const connected = await connectClient((name) => {
    if (name === "source.branches") return { ok: true, value: { branches, more: false } };
    if (name === "source.remotes") return { ok: true, value: { remotes } };
    if (name === "source.terminal_line") return { ok: true, value: rest.shift() };
    if (name === "terminal.open") {
      connected.push({ type: "terminals", projectId, terminals: [terminal] });
      return { ok: true, value: { terminal } };
    }
    return { ok: true, value: { kept: null } };
  });
  const user = await renderForUser(connected.client, <TestMenu />);
  const choose = async (name: string): Promise<void> => user.click(await screen.findByRole("menuitem", { name }));
  const names = async (): Promise<readonly (string | null)[]> => {
    await screen.findByRole("menuitem", { name: "New branch…" });
    return screen.getAllByRole("menuitem").map(({ textContent }) => textContent);
  };
  return { ...connected, user, choose, names };
}

const always = ["fix", "New branch…", "All branches, tags and stashes…"];

test("offers branches that can be checked out here, and what there is to exchange", async () => {
  const { names, choose, inputsOf } = await openMenu({ current: { upstream: "origin/main", ahead: 2, behind: 1 } });
  expect(await names()).toEqual([...always, "Push 2", "Pull 1", "Fetch"]);
  expect(screen.getByText("2 commits to push, 1 commit to pull (origin/main)")).toBeTruthy();
  await choose("fix");
  await waitFor(() => expect(inputsOf("source.switch")).toEqual([{ projectId, branch: "fix" }]));
});

test("a branch without an upstream is published, to one of several remotes by name", async () => {
  const { names, choose, inputsOf } = await openMenu({ remotes: ["origin", "fork"] });
  expect(await names()).toEqual([...always, "Publish to origin", "Publish to fork", "Fetch"]);
  await choose("Publish to fork");
  const work = { kind: "push", remote: "fork" };
  await waitFor(() => expect(inputsOf("source.terminal_line")).toEqual([{ projectId, work }]));
});

test("without a remote there is nothing to exchange", async () => {
  expect(await (await openMenu({ remotes: [] })).names()).toEqual(always);
});

test("the repository's programs run in a terminal after the user has allowed them", async () => {
  const ask = { kind: "ask", programs: ["pre-push", "core.sshcommand"], hash: "h1" };
  const { user, choose, inputsOf } = await openMenu({ lines: [ask, line] });
  await choose("Publish");
  const dialog = await screen.findByRole("dialog");
  expect(dialog.textContent).toContain("pre-push, core.sshcommand");
  expect(inputsOf("terminal.open")).toEqual([]);
  await user.click(within(dialog).getByRole("button", { name: "Run them" }));
  await waitFor(() => expect(inputsOf("terminal.open")).toHaveLength(1));
  expect(inputsOf("source.terminal_line").at(-1)).toMatchObject({ allowed: "h1" });
  expect(inputsOf("terminal.open")[0]).toMatchObject({ run: { name: "git push", line: "git push -- origin x" } });
});

test.each([
  ["succeeded", [], null, "conversation"],
  ["failed", [{ ...terminal, exit: { code: 1, signal: null } }], "terminal", "terminal"],
])(
  "after a line has %s the state is read again, and only success closes the panel",
  async (_how, left, bottom, tab) => {
    const { client, choose, push } = await openMenu({});
    await choose("Publish");
    await waitFor(() => expect(client.workbench.get().layout).toMatchObject({ bottom: "terminal" }));
    expect(client.workbench.get()).toMatchObject({ phoneTab: "terminal", layout: { terminals: { active: "t1" } } });
    client.cache.setQueryData(["source.remotes", { projectId }], { remotes: [] });
    await act(async () => push({ type: "terminals", projectId, terminals: left }));
    await waitFor(() =>
      expect(client.cache.getQueryState(["source.remotes", { projectId }])?.isInvalidated).toBe(true),
    );
    expect(client.workbench.get()).toMatchObject({ phoneTab: tab, layout: { bottom } });
    // One that is started again may succeed.
    await act(async () => push({ type: "terminals", projectId, terminals: [terminal] }));
    await act(async () => push({ type: "terminals", projectId, terminals: [] }));
    await waitFor(() => expect(client.workbench.get()).toMatchObject({ phoneTab: "conversation" }));
  },
);
