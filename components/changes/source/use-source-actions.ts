"use client";
/** Stages, unstages and discards, with an undo for what was discarded. */
import { useMemo } from "react";
import type { AgentError, Result } from "@/lib/events/error";
import type { Hash, ProjectId } from "@/lib/events/id";
import type { DiscardReport, SourceEntry, SourceLines, SourceSide } from "@/lib/workspace/source-control";
import { useFullMessages } from "../../messages/full-messages";
import { type AppClient, useClient } from "../../state/client";
import { invalidateCommands } from "../../state/command-query";
import { pathsOfEntries } from "./source-rows";

/** Lines of the diff of one path that is shown. */
export interface ShownLines {
  readonly path: string;
  readonly hash: Hash;
  readonly lines: SourceLines;
}

/** A lock of this age may have been left by a killed git, s. */
const staleLockSeconds = 60;

export interface SourceActions {
  stage(entries: readonly SourceEntry[]): Promise<void>;
  unstage(entries: readonly SourceEntry[]): Promise<void>;
  discard(entries: readonly SourceEntry[]): Promise<void>;
  /** Stages lines of the disk's difference, or unstages those of the index. */
  changeLines(side: SourceSide, isUntracked: boolean, lines: ShownLines): Promise<void>;
  discardLines(lines: ShownLines): Promise<void>;
}

export function useSourceActions(projectId: ProjectId): SourceActions {
  const client = useClient();
  const messages = useFullMessages();
  return useMemo(() => makeSourceActions(client, projectId, messages), [client, projectId, messages]);
}

/** Git's own text about a failure that has no code. */
const maxReasonChars = 400;

function makeSourceActions(
  client: AppClient,
  projectId: ProjectId,
  { errors, source, files }: ReturnType<typeof useFullMessages>,
): SourceActions {
  const { call, cache, toasts } = client;
  const refresh = (): Promise<void> => invalidateCommands(cache, ["source.", "project.marks"], { projectId });
  const removeLock = async (): Promise<void> => {
    const removed = await call("source.remove_lock", { projectId });
    if (removed.ok) toasts.show({ text: source.lockRemoved });
    else showError(removed.error);
  };
  const showError = (error: AgentError): void => {
    const seconds = (error.code === "git_locked" && error.facts?.seconds) || 0;
    const action =
      seconds < staleLockSeconds ? undefined : { label: source.removeLock, onSelect: () => void removeLock() };
    const reason = error.code === "tool_failed" ? ` ${error.detail ?? ""}`.slice(0, maxReasonChars) : "";
    toasts.show({ text: `${errors.sentences[error.code]}${reason}`.trim(), look: "danger", action });
  };
  /** Reads the state again, also after a failure: what was shown may be out of date. */
  const settle = async <T>(answer: Promise<Result<T>>): Promise<T | null> => {
    const result = await answer;
    if (!result.ok) showError(result.error);
    await refresh();
    return result.ok ? result.value : null;
  };
  const undo = async ({ saved }: DiscardReport): Promise<void> => {
    for (const trashId of saved) await settle(call("trash.restore", { trashId, replaces: true }));
  };
  const report = (done: DiscardReport | null, count: number): void => {
    if (done === null) return;
    const [failure] = done.failed;
    if (failure !== undefined)
      toasts.show({
        text: `${failure.path}: ${errors.sentences[failure.error.code]}`,
        look: "danger",
      });
    if (done.saved.length === 0) return;
    const action = { label: files.undo, onSelect: () => void undo(done) };
    toasts.show({ text: source.discarded(count - done.failed.length), action });
  };
  const copyLines = ({ lines, ...target }: ShownLines) => ({
    projectId,
    ...target,
    lines: { old: [...lines.old], new: [...lines.new] },
  });
  return {
    async stage(entries) {
      await settle(call("source.stage", { projectId, paths: pathsOfEntries(entries) }));
    },
    async unstage(entries) {
      await settle(call("source.unstage", { projectId, paths: pathsOfEntries(entries) }));
    },
    async discard(entries) {
      const paths = entries.map(({ path }) => path);
      report(await settle(call("source.discard", { projectId, paths })), paths.length);
    },
    async changeLines(side, isUntracked, lines) {
      await settle(call("source.change_lines", { ...copyLines(lines), side, isUntracked }));
    },
    async discardLines(lines) {
      report(await settle(call("source.discard_lines", copyLines(lines))), 1);
    },
  };
}
