"use client";
/** Stages, unstages and discards, with an undo for what was discarded. */
import { useMemo } from "react";
import type { Hash, ProjectId } from "@/lib/events/id";
import type { DiscardReport, SourceEntry, SourceLines, SourceSide } from "@/lib/workspace/source-control";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { pathsOfEntries } from "./source-rows";
import { type SourceChanger, useSourceChange } from "./use-source-change";

/** Lines of the diff of one path that is shown. */
export interface ShownLines {
  readonly path: string;
  readonly hash: Hash;
  readonly lines: SourceLines;
}

export interface SourceActions {
  stage(entries: readonly SourceEntry[]): Promise<void>;
  unstage(entries: readonly SourceEntry[]): Promise<void>;
  discard(entries: readonly SourceEntry[]): Promise<void>;
  /** Stages lines of the disk's difference, or unstages those of the index. */
  changeLines(side: SourceSide, isUntracked: boolean, lines: ShownLines): Promise<void>;
  discardLines(lines: ShownLines): Promise<void>;
}

export function useSourceActions(projectId: ProjectId): SourceActions {
  const { toasts } = useClient();
  const messages = useFullMessages();
  const { perform } = useSourceChange(projectId);
  return useMemo(
    () => makeSourceActions({ projectId, toasts, perform }, messages),
    [projectId, toasts, perform, messages],
  );
}

interface ActionContext extends Pick<SourceChanger, "perform">, Pick<ReturnType<typeof useClient>, "toasts"> {
  readonly projectId: ProjectId;
}

function makeSourceActions(
  { projectId, toasts, perform }: ActionContext,
  { errors, source, files }: ReturnType<typeof useFullMessages>,
): SourceActions {
  const undo = async ({ saved }: DiscardReport): Promise<void> => {
    for (const trashId of saved) await perform("trash.restore", { trashId, replaces: true });
  };
  const report = (done: DiscardReport | undefined, count: number): void => {
    if (done === undefined) return;
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
      await perform("source.stage", { projectId, paths: pathsOfEntries(entries) });
    },
    async unstage(entries) {
      await perform("source.unstage", { projectId, paths: pathsOfEntries(entries) });
    },
    async discard(entries) {
      const paths = entries.map(({ path }) => path);
      report(await perform("source.discard", { projectId, paths }), paths.length);
    },
    async changeLines(side, isUntracked, lines) {
      await perform("source.change_lines", { ...copyLines(lines), side, isUntracked });
    },
    async discardLines(lines) {
      report(await perform("source.discard_lines", copyLines(lines)), 1);
    },
  };
}
