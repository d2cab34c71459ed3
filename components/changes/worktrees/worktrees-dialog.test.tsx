// @vitest-environment happy-dom
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { asId, type ProjectId, type SessionId } from "@/lib/events/id";
import type { Worktree, WorktreeList } from "@/lib/workspace/worktrees";
import { connectClient, renderForUser } from "../../shell/frame/test-dom";
import { WorktreesDialog } from "./worktrees-dialog";

const main = asId<ProjectId>("main");
const own = asId<ProjectId>("own");

const worktree = (name: string, more: Partial<Worktree> = {}): Worktree => ({
  path: `/home/worktrees/x/${name}`,
  name,
  branch: `gopi/${name}`,
  projectId: asId<ProjectId>(name),
  changes: 0,
  commits: 2,
  sessions: 0,
  head: "b".repeat(40),
  fork: "a".repeat(40),
  createdAt: 0,
  ...more,
});

/** Shows the dialog of a project; `shown` records where its links lead. */
async function openDialog(
  worktrees: readonly Worktree[],
  { projectId = main, merged = {}, ...list }: Partial<WorktreeList> & { projectId?: ProjectId; merged?: unknown } = {},
) {
  const shown: string[] = [];
  const connected = await connectClient((name) => {
    const value = { worktrees, into: "main", orphans: [], ignored: [], ...list };
    if (name === "worktree.list") return { ok: true, value };
    if (name === "worktree.sizes")
      return { ok: true, value: { sizes: [{ name: "one", bytes: 2_000_000, isPartial: true }] } };
    return name.startsWith("worktree.") ? merged : undefined;
  });
  const links = {
    onProject: (id: ProjectId) => shown.push(`project ${id}`),
    onSession: (id: SessionId) => shown.push(`session ${id}`),
  };
  const dialog = <WorktreesDialog projectId={projectId} links={links} onClose={() => shown.push("closed")} />;
  const user = await renderForUser(connected.client, dialog);
  const row = async (name: string): Promise<HTMLElement> => {
    const label = await screen.findByText(`gopi/${name}`);
    return label.closest("li") ?? label;
  };
  return { ...connected, user, row, shown };
}

test("a work tree has its size and the session used last, which Open shows", async () => {
  const session = { id: asId<SessionId>("s1"), title: "Fix the parser" };
  const { user, row, shown } = await openDialog([worktree("one", { sessions: 3, session })]);
  const one = await row("one");
  expect(within(one).getByText("Fix the parser")).toBeTruthy();
  await waitFor(() => expect(one.textContent).toMatch(/over 2\sMB/));
  await user.click(within(one).getByRole("button", { name: "Open" }));
  expect(shown).toEqual(["session s1", "closed"]);
});

test("one with changes is merged only after a commit, one without commits has nothing to merge", async () => {
  const { row } = await openDialog([worktree("dirty", { changes: 1 }), worktree("new", { commits: 0 })]);
  const dirty = await row("dirty");
  expect(within(dirty).getByRole("button", { name: "Merge into main" })).toHaveProperty("disabled", true);
  expect(dirty.textContent).toContain("Commit its changes before you merge it.");
  expect(within(await row("new")).queryByRole("button", { name: /Merge|Compare/ })).toBeNull();
});

test("conflicts of a merge are shown in the project that they are in", async () => {
  const merged = { ok: true, value: { conflicts: 2, operation: { kind: "merge" }, projectId: main } };
  const { client, user, row, shown, inputsOf } = await openDialog([worktree("one")], { projectId: own, merged });
  await user.click(within(await row("one")).getByRole("button", { name: "Merge into main" }));
  await waitFor(() => expect(shown).toContain("project main"));
  expect(inputsOf("worktree.merge")).toEqual([{ projectId: own, name: "one" }]);
  expect(client.workbench.get()).toMatchObject({ scope: "tree", phoneTab: "review", layout: { preset: "review" } });
});

test("the work tree whose session is open is marked", async () => {
  const { row } = await openDialog([worktree("own", { projectId: own }), worktree("one")], { projectId: own });
  expect(within(await row("own")).getByText("current")).toBeTruthy();
  expect(within(await row("one")).queryByText("current")).toBeNull();
});

test("folders without a repository are named with their paths", async () => {
  await openDialog([], { orphans: [{ path: "/home/worktrees/x/lost", name: "lost" }] });
  expect(await screen.findByText("/home/worktrees/x/lost")).toBeTruthy();
});
