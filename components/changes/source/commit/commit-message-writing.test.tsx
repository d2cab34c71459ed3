// @vitest-environment happy-dom
import { act, screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { ChangedFile } from "@/lib/workspace/changes";
import type { AgentError } from "@/lib/events/error";
import { asId, type Hash, type ProjectId, type SessionId } from "@/lib/events/id";
import type { SourceEntry } from "@/lib/workspace/source-control";
import { connectClient, renderForUser } from "../../../shell/frame/test-dom";
import type { RepositoryStatus } from "../source-rows";
import { CommitBox } from "./commit-box";
import { RunCommitDialog } from "./run-commit-dialog";
import { findRunFiles } from "./run-files";

const projectId = asId<ProjectId>("p1");
const entry = (path: string): SourceEntry => ({ path, change: "modified" });
const repository = (more: Partial<RepositoryStatus> = {}): RepositoryStatus => ({
  kind: "status",
  branch: { name: "main", commit: "12345678" },
  ...{ operation: null, stashes: 0, staged: [], changed: [], untracked: [], conflicts: [] },
  ...{ more: 0, unreadable: 0, tookMs: 10 },
  ...more,
});
const facts = {
  ...{ hooks: [], hooksHash: asId<Hash>("0"), areHooksApproved: false, lastMessage: "before", lastIsPushed: false },
  ...{ identity: { name: "a", email: "a@b" }, signs: false },
};
const fileOf = (path: string): ChangedFile => ({ path, kind: "changed", added: 2, removed: 1, hunks: [] });

type Written = { readonly message: string | null } | AgentError;

/** Answers `source.write_message` with one of `written` after the other. */
async function connect(written: readonly Written[], status = repository({ staged: [entry("a.ts")] })) {
  const answers = [...written];
  const connected = await connectClient((name) => {
    if (name === "source.commit_facts") return { ok: true, value: facts };
    if (name === "source.status") return { ok: true, value: status };
    if (name === "session.changes")
      return { ok: true, value: { files: ["a.ts", "b.ts", "done.ts"].map(fileOf), more: 0 } };
    if (name === "source.commit") return { ok: true, value: { commit: "0123456789" } };
    const next = name === "source.write_message" ? answers.shift() : undefined;
    if (next === undefined) return undefined;
    return "message" in next ? { ok: true, value: next } : { ok: false, error: next };
  });
  return { ...connected, status };
}

const models = {
  ...{ status: "ready" as const, host: "", loaded: [], canStart: false },
  models: [{ name: "m", digest: "d", bytes: 1, cloud: false, capabilities: [] }],
};

async function openBox(...input: Parameters<typeof connect>) {
  const connected = await connect(...input);
  connected.client.serverState.merge({ models });
  const user = await renderForUser(connected.client, <CommitBox projectId={projectId} status={connected.status} />);
  return { ...connected, user };
}

const field = () => screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Commit message" });
const press = async (user: Awaited<ReturnType<typeof openBox>>["user"], name: string) =>
  user.click(await screen.findByRole("button", { name }));

test("the model's message replaces the user's, which comes back by Undo", async () => {
  const { user, inputsOf, client } = await openBox([{ message: "Fix it\n\nBecause." }]);
  await user.type(await field(), "mine");
  await press(user, "Write a message");
  await waitFor(async () => expect((await field()).value).toBe("Fix it\n\nBecause."));
  expect(inputsOf("source.write_message")).toEqual([{ projectId, scope: "staged" }]);
  act(() => client.toasts.get()[0]?.action?.onSelect());
  expect((await field()).value).toBe("mine");
});

test("without staged files it is for all, for an amended commit with the last one", async () => {
  const status = repository({ changed: [entry("a.ts")] });
  const { user, inputsOf } = await openBox([{ message: "All" }, { message: "Both" }], status);
  await press(user, "Write a message");
  await waitFor(async () => expect((await field()).value).toBe("All"));
  await press(user, "Commit options");
  await user.click(await screen.findByRole("menuitem", { name: /^Amend/ }));
  await press(user, "Write a message");
  await waitFor(async () => expect((await field()).value).toBe("Both"));
  expect(inputsOf("source.write_message")).toEqual(["all", "amended"].map((scope) => ({ projectId, scope })));
});

test("a conversation of the server is given up only after a yes", async () => {
  const { user, inputsOf } = await openBox([{ message: null }, { message: "Fix it" }]);
  await press(user, "Write a message");
  await press(user, "Write anyway");
  await waitFor(async () => expect((await field()).value).toBe("Fix it"));
  expect(inputsOf("source.write_message")[1]).toEqual({ projectId, scope: "staged", mayReplace: true });
});

test("a failure is explained, an end by the user is not, and the message stays", async () => {
  const { user } = await openBox([{ code: "busy" }, { code: "server_unreachable" }, { code: "aborted" }]);
  await user.type(await field(), "mine");
  await press(user, "Write a message");
  expect(await screen.findByText("The model is working on an answer. Try again when it's done.")).toBeTruthy();
  await press(user, "Write a message");
  expect((await screen.findByRole("alert")).textContent).not.toMatch(/working/);
  await press(user, "Write a message");
  await waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
  expect((await field()).value).toBe("mine");
});

test("there is no button without a model", async () => {
  const { status, client } = await connect([]);
  await renderForUser(client, <CommitBox projectId={projectId} status={status} />);
  await field();
  expect(screen.queryByRole("button", { name: "Write a message" })).toBeNull();
});

const run = { sessionId: asId<SessionId>("s1"), from: 3, to: 9 };

test("a run's changed files are committed with the message, except those that the user unchecks", async () => {
  const status = repository({ staged: [entry("a.ts"), entry("x.ts")], changed: [entry("a.ts"), entry("b.ts")] });
  const { client, inputsOf } = await connect([{ message: "Fix it" }], status);
  client.serverState.merge({ models });
  const onClose = vi.fn();
  const user = await renderForUser(
    client,
    <RunCommitDialog projectId={projectId} run={run} model="m" onClose={onClose} />,
  );
  await waitFor(async () => expect((await field()).value).toBe("Fix it"));
  expect(inputsOf("source.write_message")).toEqual([{ projectId, scope: "all", paths: ["a.ts", "b.ts"] }]);
  expect(screen.getAllByText(/^Staged with other content/)).toHaveLength(1);
  await user.click(screen.getByRole("checkbox", { name: /a\.ts/ }));
  await press(user, "Commit 1 file");
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(inputsOf("source.commit")).toEqual([
    { projectId, message: "Fix it", amend: false, signOff: false, hooks: "skip", paths: ["b.ts"], model: "m" },
  ]);
});

test("a run whose changes are committed has nothing to commit", async () => {
  const { client, inputsOf } = await connect([], repository({ changed: [entry("other.ts")] }));
  client.serverState.merge({ models });
  await renderForUser(client, <RunCommitDialog projectId={projectId} run={run} model="m" onClose={() => {}} />);
  expect(await screen.findByText("All changes of this run are committed or undone.")).toBeTruthy();
  expect(inputsOf("source.write_message")).toEqual([]);
});

test("files in untracked folders, and both names of a renamed one, are found", () => {
  const status = repository({
    staged: [{ path: "new.ts", from: "old.ts", change: "renamed" }],
    untracked: [{ path: "dir/", change: "untracked" }],
  });
  const found = findRunFiles(["dir/a.ts", "dir2/a.ts", "new.ts", "old.ts", "same.ts"].map(fileOf), status);
  expect(found.map(({ path }) => path)).toEqual(["dir/a.ts", "new.ts", "old.ts"]);
});
