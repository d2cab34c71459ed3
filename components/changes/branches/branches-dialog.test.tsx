// @vitest-environment happy-dom
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { asId, type ProjectId } from "@/lib/events/id";
import type { SourceBranchRow } from "@/lib/workspace/source-control";
import { connectClient, renderForUser } from "../../shell/frame/test-dom";
import { BranchesDialog } from "./branches-dialog";

const projectId = asId<ProjectId>("p1");

const branch = (name: string, more: Partial<SourceBranchRow> = {}): SourceBranchRow => ({
  name,
  isRemote: false,
  isCurrent: false,
  commit: `${name}'s`,
  subject: `last of ${name}`,
  at: 0,
  ...more,
});

/** `answers` = those of commands that change something; the default is success. */
async function openDialog(answers: (name: string, input: unknown) => unknown = () => undefined) {
  let isClosed = false;
  const listed = [
    branch("main", { isCurrent: true }),
    branch("fix"),
    branch("origin/feature", { isRemote: true }),
    branch("elsewhere", { worktree: "/x" }),
  ];
  const stashes = [{ id: "s1", parent: "p", branch: "main", message: "half done", at: 0 }];
  const connected = await connectClient((name, input) => {
    if (name === "source.branches") return { ok: true, value: { branches: listed, more: false } };
    if (name === "source.tags")
      return { ok: true, value: { tags: [{ name: "v1", commit: "c", subject: "one", at: 0 }] } };
    if (name === "source.stashes") return { ok: true, value: { stashes } };
    if (name === "source.compare") return { ok: true, value: { files: [], more: 0 } };
    return name.startsWith("source.") ? (answers(name, input) ?? { ok: true, value: null }) : undefined;
  });
  const dialog = <BranchesDialog projectId={projectId} onClose={() => (isClosed = true)} />;
  const user = await renderForUser(connected.client, dialog);
  const choose = async (name: string, action: string): Promise<void> => {
    await user.click(await screen.findByRole("button", { name: `More: ${name}` }));
    await user.click(await screen.findByRole("menuitem", { name: action }));
  };
  const row = async (name: string): Promise<HTMLElement> => {
    const label = await screen.findByText(name);
    return label.closest("li") ?? label;
  };
  return { ...connected, user, row, choose, isClosed: () => isClosed };
}

test("a branch of a remote is created under its own name, one of another work tree is not switched to", async () => {
  const { user, row, inputsOf, isClosed, client } = await openDialog(() => ({
    ok: true,
    value: { kept: "detached-1" },
  }));
  await user.click(within(await row("origin/feature")).getByRole("button", { name: "Switch" }));
  await waitFor(() => expect(isClosed()).toBe(true));
  expect(inputsOf("source.switch")).toEqual([{ projectId, branch: "feature", from: "origin/feature" }]);
  expect(client.toasts.get().map(({ text }) => text)).toEqual(["Commits without a branch are now in detached-1"]);
  for (const name of ["main", "elsewhere"])
    expect(within(await row(name)).queryByRole("button", { name: "Switch" })).toBeNull();
});

test("a name that git does not accept is neither created nor given, and the dialog tells why", async () => {
  const { user, choose, inputsOf } = await openDialog();
  await screen.findByText("fix");
  await user.type(screen.getByRole("textbox"), "my branch{Enter}");
  screen.getByText(/^Not a valid name/);
  expect(screen.getByRole("button", { name: "Create and switch" })).toHaveProperty("disabled", true);
  await user.clear(screen.getByRole("textbox"));
  await choose("fix", "Rename");
  await user.keyboard("a..b{Enter}");
  screen.getByText(/^Not a valid name/);
  expect([...inputsOf("source.switch"), ...inputsOf("source.rename_branch")]).toEqual([]);
});

test("a typed name creates a branch, unless there is one", async () => {
  const { user, inputsOf } = await openDialog();
  await screen.findByText("fix");
  const field = screen.getByRole("textbox");
  await user.type(field, "fix");
  expect(screen.getByRole("button", { name: "Create and switch" })).toHaveProperty("disabled", true);
  await user.type(field, "-2{Enter}");
  await waitFor(() => expect(inputsOf("source.switch")).toEqual([{ projectId, branch: "fix-2", from: "HEAD" }]));
});

test("a branch with commits of its own is deleted after a question, and comes back", async () => {
  const { client, user, row, choose, inputsOf } = await openDialog((name, input) => {
    if (name !== "source.delete_branch") return undefined;
    const isForced = JSON.stringify(input).includes('"force":true');
    return isForced
      ? { ok: true, value: { commit: "abc" } }
      : { ok: false, error: { code: "not_merged", facts: { commits: 2 } } };
  });
  const fix = await row("fix");
  await choose("fix", "Delete");
  const question = await within(fix).findByRole("alert");
  expect(question.textContent).toContain("2 commits are only in this branch");
  await user.click(within(question).getByRole("button", { name: "Delete" }));
  await waitFor(() => expect(client.toasts.get()).toHaveLength(1));
  client.toasts.get()[0]?.action?.onSelect();
  await waitFor(() => expect(inputsOf("source.create_branch")).toEqual([{ projectId, branch: "fix", from: "abc" }]));
});

test("a dropped stash can be stored again", async () => {
  const { client, user, row, inputsOf } = await openDialog((name) =>
    name === "source.stash_drop" ? { ok: true, value: { id: "s1", message: "half done" } } : undefined,
  );
  await user.click(await screen.findByRole("radio", { name: "Stashes" }));
  await user.click(within(await row("half done")).getByRole("button", { name: "Drop" }));
  await waitFor(() => expect(client.toasts.get()).toHaveLength(1));
  client.toasts.get()[0]?.action?.onSelect();
  await waitFor(() => expect(inputsOf("source.stash_store")).toEqual([{ projectId, id: "s1", message: "half done" }]));
});

test("a stash is applied and stays", async () => {
  const { user, row, inputsOf } = await openDialog((name) =>
    name === "source.stash_apply" ? { ok: true, value: { conflicts: 0, operation: null } } : undefined,
  );
  await user.click(await screen.findByRole("radio", { name: "Stashes" }));
  await user.click(within(await row("half done")).getByRole("button", { name: "Apply" }));
  await waitFor(() => expect(inputsOf("source.stash_apply")).toEqual([{ projectId, id: "s1" }]));
});

test("a branch is renamed in its row; Escape leaves it", async () => {
  const { user, choose, inputsOf } = await openDialog();
  await choose("fix", "Rename");
  await user.keyboard("other{Escape}");
  await choose("fix", "Rename");
  await user.keyboard("better{Enter}");
  await waitFor(() => expect(inputsOf("source.rename_branch")).toEqual([{ projectId, branch: "fix", to: "better" }]));
});

test("a branch is compared with the checked-out one, by their commits", async () => {
  const { choose, inputsOf } = await openDialog();
  await choose("fix", "Compare with the current branch");
  await waitFor(() => expect(inputsOf("source.compare")).toEqual([{ projectId, from: "main's", to: "fix's" }]));
});

test("a deleted tag comes back, with its own object", async () => {
  const { client, user, row, inputsOf } = await openDialog((name) =>
    name === "source.delete_tag" ? { ok: true, value: { object: "o1" } } : undefined,
  );
  await user.click(await screen.findByRole("radio", { name: "Tags" }));
  await user.type(await screen.findByRole("textbox"), "v");
  await user.click(within(await row("v1")).getByRole("button", { name: "Delete" }));
  await waitFor(() => expect(client.toasts.get()).toHaveLength(1));
  client.toasts.get()[0]?.action?.onSelect();
  await waitFor(() => expect(inputsOf("source.create_tag")).toEqual([{ projectId, tag: "v1", from: "o1" }]));
});
