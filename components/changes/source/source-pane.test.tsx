// @vitest-environment happy-dom
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { asId, type ProjectId } from "@/lib/events/id";
import type { SourceEntry, SourceStatus } from "@/lib/workspace/source-control";
import { connectClient, renderForUser } from "../../shell/frame/test-dom";
import { SourcePane } from "./source-pane";

const projectId = asId<ProjectId>("p1");

const changed = (path: string, more: Partial<SourceEntry> = {}): SourceEntry => ({ path, change: "modified", ...more });

type RepositoryStatus = Extract<SourceStatus, { kind: "status" }>;

const repository = (more: Partial<RepositoryStatus> = {}): RepositoryStatus => ({
  kind: "status",
  branch: { name: "main", commit: "12345678" },
  operation: null,
  stashes: 0,
  staged: [],
  changed: [changed("src/a.ts"), changed("lib", { isSubmodule: true })],
  untracked: [],
  conflicts: [],
  more: 0,
  unreadable: 0,
  tookMs: 10,
  ...more,
});

beforeEach(() => {
  // happy-dom has no layout; the list needs a height.
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(600);
});

/** Shows the pane; the commands that change something give `answer`. */
async function openPane(status: SourceStatus, answer: unknown = { ok: true, value: null }) {
  const connected = await connectClient((name) => {
    if (name === "source.status") return { ok: true, value: status };
    return name.startsWith("source.") ? answer : undefined;
  });
  const user = await renderForUser(
    connected.client,
    <SourcePane projectId={projectId} links={{ onProject: () => undefined, onSession: () => undefined }} />,
  );
  await waitFor(() => expect(connected.inputsOf("source.status")).not.toEqual([]));
  return { ...connected, user };
}

const row = (name: RegExp) => screen.findByRole("treeitem", { name });
const toastTexts = ({ client }: Awaited<ReturnType<typeof openPane>>) => client.toasts.get().map(({ text }) => text);

test("names branch, distance from the upstream, unfinished work, and what is not listed", async () => {
  await openPane(
    repository({
      branch: { name: "main", commit: "12345678", upstream: "origin/main", ahead: 2, behind: 1 },
      operation: { kind: "rebase", step: 2, steps: 5 },
      more: 12,
      unreadable: 1,
    }),
  );
  expect(await screen.findByText("2 commits to push, 1 commit to pull (origin/main)")).toBeTruthy();
  expect(screen.getByText("A rebase isn't finished. Step 2 of 5.")).toBeTruthy();
  expect(screen.getByText("and 12 files more")).toBeTruthy();
  expect(screen.getByText("1 file has a name that isn't UTF-8. Use a terminal for it.")).toBeTruthy();
});

test("a step that needs a terminal is done there", async () => {
  const status = repository({ operation: { kind: "rebase" } });
  const pane = await openPane(status, { ok: false, error: { code: "needs_terminal", facts: { command: "git" } } });
  await pane.user.click(await screen.findByRole("button", { name: "Continue" }));
  const work = { kind: "step", step: "continue" };
  await waitFor(() => expect(pane.inputsOf("source.terminal_line")).toEqual([{ projectId, work }]));
});

test("a status that takes long can be read again on request", async () => {
  const { user, inputsOf } = await openPane(repository({ tookMs: 3_500 }));
  await user.click(await screen.findByRole("button", { name: "Check now" }));
  await waitFor(() => expect(inputsOf("source.status")).toHaveLength(2));
});

test("without trust it offers to trust the folder, without a repository it says so", async () => {
  const { client, user } = await openPane({ kind: "untrusted" });
  await user.click(await screen.findByRole("button", { name: "Review and trust…" }));
  expect(client.workbench.get().overlay).toBe("trust");
});

test("a submodule can be staged, not discarded; a renamed file is unstaged with both of its paths", async () => {
  const status = repository({ staged: [changed("new.ts", { from: "old.ts", change: "renamed" })] });
  const { user, inputsOf } = await openPane(status);
  const submodule = await row(/lib/);
  expect(within(submodule).queryByRole("button", { name: /Discard/ })).toBeNull();
  await user.click(within(submodule).getByRole("button", { name: "Stage lib" }));
  await user.click(within(await row(/new\.ts/)).getByRole("button", { name: "Unstage new.ts" }));
  await waitFor(() => expect(inputsOf("source.unstage")).toEqual([{ projectId, paths: ["new.ts", "old.ts"] }]));
  expect(inputsOf("source.stage")).toEqual([{ projectId, paths: ["lib"] }]);
});

test("an old lock of another program can be removed, a young one is only named", async () => {
  const locked = (seconds: number) => ({
    ok: false,
    error: { code: "git_locked", facts: { path: "/x/index.lock", seconds } },
  });
  const young = await openPane(repository(), locked(5));
  await young.user.click(within(await row(/a\.ts/)).getByRole("button", { name: /^Stage/ }));
  await waitFor(() => expect(young.client.toasts.get()).toHaveLength(1));
  expect(young.client.toasts.get()[0]?.action).toBeUndefined();
});

test("a failure without a code has git's own text", async () => {
  const error = { code: "tool_failed", detail: "error: insufficient permission" };
  const pane = await openPane(repository(), { ok: false, error });
  await pane.user.click(within(await row(/a\.ts/)).getByRole("button", { name: /^Stage/ }));
  await waitFor(() => expect(toastTexts(pane)).toEqual([expect.stringMatching(/ error: insufficient permission$/)]));
});

test("the lock that a killed git left is removed from the notice", async () => {
  const error = { code: "git_locked", facts: { path: "/x/index.lock", seconds: 90 } };
  const pane = await openPane(repository(), { ok: false, error });
  await pane.user.click(within(await row(/a\.ts/)).getByRole("button", { name: /^Stage/ }));
  await waitFor(() => expect(pane.client.toasts.get()).toHaveLength(1));
  pane.client.toasts.get()[0]?.action?.onSelect();
  await waitFor(() => expect(pane.inputsOf("source.remove_lock")).toEqual([{ projectId }]));
});

test("as a tree the list has folders, which are staged as a whole; the choice is remembered", async () => {
  const status = repository({ changed: [changed("src/lib/a.ts"), changed("src/lib/b.ts"), changed("c.ts")] });
  const { user, inputsOf } = await openPane(status);
  await user.click(await screen.findByRole("button", { name: "Show as a tree" }));
  await user.click(within(await row(/^src\/lib 2/)).getByRole("button", { name: "Stage src/lib/" }));
  await waitFor(() =>
    expect(inputsOf("source.stage")).toEqual([{ projectId, paths: ["src/lib/a.ts", "src/lib/b.ts"] }]),
  );
  screen.getByRole("tree").focus();
  await user.keyboard("{Home}{ArrowDown}{ArrowLeft}");
  expect(screen.getAllByRole("treeitem").map((item) => [item.getAttribute("aria-level"), item.textContent])).toEqual([
    ["1", expect.stringContaining("Changes 3")],
    ["2", expect.stringContaining("src/lib 2")],
    ["2", expect.stringContaining("c.ts")],
  ]);
  expect(localStorage.getItem("gopi-web.source-list")).toBe("tree");
});

test("a command that waits for a run offers to stop it", async () => {
  const pane = await openPane(repository(), { ok: false, error: { code: "busy", facts: { sessionId: "s1" } } });
  await pane.user.click(within(await row(/a\.ts/)).getByRole("button", { name: /^Stage/ }));
  await waitFor(() => expect(pane.client.toasts.get()).toHaveLength(1));
  pane.client.toasts.get()[0]?.action?.onSelect();
  await waitFor(() => expect(pane.inputsOf("session.abort")).toEqual([{ sessionId: "s1" }]));
});

test("a file that could not be discarded is named, the others can be brought back", async () => {
  const value = { saved: ["trash_1"], failed: [{ path: "b.key", error: { code: "filter_off" } }] };
  const status = repository({ changed: [changed("a.ts"), changed("b.key")] });
  const pane = await openPane(status, { ok: true, value });
  await pane.user.click(within(await row(/^Changes 2/)).getByRole("button", { name: "Discard all: Changes" }));
  await waitFor(() => expect(toastTexts(pane)).toHaveLength(2));
  expect(toastTexts(pane)).toEqual([expect.stringMatching(/^b\.key: /), "Discarded: 1 file"]);
  pane.client.toasts.get()[1]?.action?.onSelect();
  await waitFor(() => expect(pane.inputsOf("trash.restore")).toEqual([{ trashId: "trash_1", replaces: true }]));
});
