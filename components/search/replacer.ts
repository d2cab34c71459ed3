/** Replaces what a code search has found, and undoes it. */
import { type AgentError, type ErrorCode } from "@/lib/events/error";
import { asId, type ProjectId, type ReplacementId } from "@/lib/events/id";
import type { CodeSearchFile, CodeSearchLine } from "@/lib/workspace/code-search";
import { expandReplacement, listGroups } from "@/lib/workspace/replacement";
import type { AppClient } from "../state/client";
import { randomText } from "../state/new-id";
import type { WritableStore } from "../state/store";
import type { CodeSearchState } from "./code-search";
import type { FoundLines } from "./found-lines";

/** A file in which nothing was replaced, and why; unsaved = the editor has text that is not saved. */
export interface UnchangedFile {
  readonly path: string;
  readonly reason: ErrorCode | "unsaved";
}

/** Outcome of the last replacement or of its undo. */
export interface ReplacementOutcome {
  readonly kind: "replaced" | "undone";
  readonly files: number;
  readonly matches: number;
  readonly unchanged: readonly UnchangedFile[];
  /** The request itself failed; null = it did not. */
  readonly error: AgentError | null;
  /** null = there is nothing to undo. */
  readonly undo: (() => Promise<void>) | null;
}

export interface ReplacementState {
  /** Whether the field is shown. */
  readonly isShown: boolean;
  readonly text: string;
  /** A replacement or its undo runs. */
  readonly isRunning: boolean;
  readonly report: ReplacementOutcome | null;
}

export const initialReplacement: ReplacementState = { isShown: false, text: "", isRunning: false, report: null };

export interface Replacer {
  readonly show: (isShown: boolean) => void;
  readonly type: (text: string) => void;
  /** Replaces what is listed, in a file, or in one of its lines. Files with unsaved text stay as they are. */
  readonly replace: (path?: string, line?: number) => Promise<void>;
}

/** Whether what is listed can be replaced: the search has ended, and no replacement runs. */
export const canReplace = ({ status, files, replacement }: CodeSearchState): boolean =>
  replacement.isShown && !replacement.isRunning && status !== "searching" && files.length > 0;

/** Returns the new text of a match of a line, by its index. */
export type ReplacementPreview = (line: CodeSearchLine, index: number) => string;

/** Returns the preview of the replacement; null = none is shown. */
export function previewReplacement({
  foundWith,
  replacement,
}: Pick<CodeSearchState, "foundWith" | "replacement">): ReplacementPreview | null {
  if (!replacement.isShown) return null;
  const groups = foundWith.regex ? listGroups(foundWith.query) : null;
  return (line, index) => {
    const [from, to] = line.marks[index] ?? [0, 0];
    return expandReplacement(replacement.text, groups, {
      match: line.text.slice(from, to),
      captures: line.captures?.[index] ?? [],
    });
  };
}

export function createReplacer(
  client: AppClient,
  projectId: ProjectId,
  store: WritableStore<CodeSearchState>,
  found: FoundLines,
): Replacer {
  const change = (part: Partial<ReplacementState>): void =>
    store.update((now) => ({ ...now, replacement: { ...now.replacement, ...part } }));
  /** Changes the list, unless another search has replaced it. */
  const updateList = (foundWith: CodeSearchState["foundWith"], update: () => void): void => {
    if (store.get().foundWith !== foundWith) return;
    update();
    store.update((now) => ({ ...now, files: found.visible() }));
  };
  const undo = async (
    replacementId: ReplacementId,
    replaced: readonly CodeSearchFile[],
    foundWith: CodeSearchState["foundWith"],
  ): Promise<void> => {
    change({ isRunning: true });
    const answer = await client.call("search.undo", { projectId, replacementId });
    const { files, failed } = answer.ok ? answer.value : { files: [], failed: [] };
    const restored = new Set(files.map(({ path }) => path));
    const left = replaced.filter(({ path }) => !restored.has(path));
    const canRetry = left.length > 0 && (answer.ok || answer.error.code !== "not_kept");
    updateList(foundWith, () => found.restore(replaced.filter(({ path }) => restored.has(path))));
    change({
      isRunning: false,
      report: {
        kind: "undone",
        files: files.length,
        matches: sumMatches(files),
        unchanged: failed.map(({ path, code }) => ({ path, reason: code })),
        error: answer.ok ? null : answer.error,
        undo: canRetry ? () => undo(replacementId, left, foundWith) : null,
      },
    });
  };
  return {
    show: (isShown) => change({ isShown }),
    type: (text) => change({ text }),
    async replace(path, line) {
      const state = store.get();
      if (!canReplace(state)) return;
      const { foundWith, replacement } = state;
      const { include: _include, exclude: _exclude, context: _context, ...pattern } = foundWith;
      const unsaved = new Set(client.handles.unsavedFiles?.list(projectId) ?? []);
      const chosen = chooseLines(state.files, path, line);
      const sent = chosen.filter((file) => !unsaved.has(file.path));
      const replacementId = asId<ReplacementId>(randomText());
      change({ isRunning: true, report: null });
      const request = { projectId, replacementId, ...pattern, replacement: replacement.text };
      const answer =
        sent.length === 0 ? null : await client.call("search.replace", { ...request, files: sent.map(toSentFile) });
      const { files, failed } = answer?.ok === true ? answer.value : { files: [], failed: [] };
      const done = new Set(files.map((file) => file.path));
      const replaced = sent.filter((file) => done.has(file.path));
      updateList(foundWith, () => found.remove(replaced));
      change({
        isRunning: false,
        report: {
          kind: "replaced",
          files: files.length,
          matches: sumMatches(files),
          unchanged: [
            ...chosen
              .filter((file) => unsaved.has(file.path))
              .map((file) => ({ path: file.path, reason: "unsaved" as const })),
            ...failed.map((file) => ({ path: file.path, reason: file.code })),
          ],
          error: answer?.ok === false ? answer.error : null,
          undo: files.length === 0 ? null : () => undo(replacementId, replaced, foundWith),
        },
      });
    },
  };
}

const toSentFile = ({ path, lines }: CodeSearchFile) => ({
  path,
  lines: lines.map(({ line, digest }) => ({ line, digest })),
});

const sumMatches = (files: readonly { readonly matches: number }[]): number =>
  files.reduce((sum, { matches }) => sum + matches, 0);

function chooseLines(
  files: readonly CodeSearchFile[],
  path: string | undefined,
  line: number | undefined,
): readonly CodeSearchFile[] {
  if (path === undefined) return files;
  return files
    .filter((file) => file.path === path)
    .map((file) => ({ ...file, lines: file.lines.filter((one) => line === undefined || one.line === line) }));
}
