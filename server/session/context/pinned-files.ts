/** Reads the pinned files of a session, and has their content of the last reading. */
import type { ReferenceBlock } from "@/lib/events/content";
import { fail, ok, type Result } from "@/lib/events/error";
import { asId, type ProjectId, type SessionId } from "@/lib/events/id";
import type { PinReport } from "@/lib/protocol/answers";
import { limits } from "@/lib/settings/settings";
import { emptyView, type SessionView } from "@/lib/view/view";
import {
  checkPinnedSize,
  type FocusedFiles,
  focusedFiles,
  type PinBudget,
  pinBudget,
  type PinnedFile,
  type PinnedFilePlan,
  planPinnedFiles,
} from "@/server/agent/context/pinned-files";
import { beginTimeSlice } from "@/server/base/steps";
import { readFileReference } from "@/server/workspace/files/read-reference";
import type { WantedModel } from "@/server/models/access/session-models";
import type { OpenProject } from "@/server/workspace/projects/projects";
import type { SessionServices } from "../core/services";
import { estimateCutTokens, maxCharsPerToken, referenceBudget } from "../references/resolve-references";

/** Longest pinned file, UTF-16 units: counting its tokens takes up to 15 ms. */
const fileMaxChars = 500_000;

export interface SessionPins {
  /**
   * Reads the pinned files of the view, and those that the model has read if they stay too, at most `limits.pinnedFiles`. Never rejects; after an abort, and when a reading
   * that began later has ended before, the contents stay as they are.
   */
  read(view: SessionView, signal: AbortSignal): Promise<void>;
  plan(view: SessionView): PinnedFilePlan & { readonly maxTokens: number };
}

type PinServices = Pick<SessionServices, "readPinned" | "chooseModel" | "modelFacts" | "settings">;

const budgetOf = (view: Pick<SessionView, "model">, services: PinServices, wanted?: WantedModel): PinBudget =>
  pinBudget(referenceBudget(services, view.model, wanted), services.settings().pinnedPercent);

export function makeSessionPins(services: PinServices): SessionPins {
  let files: readonly PinnedFile[] = [];
  /** Numbers of the readings, in the order in which they began: of the last one, and of the one in `files`. */
  let begun = 0;
  let newest = 0;
  const focused = (view: SessionView): FocusedFiles => focusedFiles(view, services.settings().keepReadFiles);
  return {
    async read(view, signal) {
      const number = (begun += 1);
      const before = files;
      const budget = budgetOf(view, services);
      const { pinned, read: readFiles } = focused(view);
      const read = await Promise.all(
        [...pinned, ...readFiles].slice(0, limits.pinnedFiles).map(async (path): Promise<PinnedFile> => {
          const content = await readSafely(services, view.projectId, path, budget, signal);
          const last = before.find((file) => file.path === path);
          return last !== undefined && isSame(last.content, content) ? last : { path, content };
        }),
      );
      await measureInSlices(read, budget);
      if (signal.aborted || number < newest) return;
      newest = number;
      files = read;
    },
    plan(view) {
      const budget = budgetOf(view, services);
      return { ...planPinnedFiles(view, focused(view), files, budget), maxTokens: budget.maxTokens };
    },
  };
}

/** Counts the tokens of the files, which are remembered: one file blocks the event loop for a moment, not all of them. */
async function measureInSlices(files: readonly PinnedFile[], budget: PinBudget): Promise<void> {
  const slice = beginTimeSlice();
  for (const { content } of files) {
    checkPinnedSize(content, budget);
    if (slice.isOver()) await slice.next();
  }
}

interface NewPins {
  readonly projectId: ProjectId;
  readonly paths: readonly string[];
  /** The model of the new session; absent = the default. */
  readonly wanted?: WantedModel;
}

/** Reads files that are to be pinned to a session that does not exist yet, in the order in which they are pinned. */
export async function planNewPins(
  { projectId, paths, wanted }: NewPins,
  services: PinServices,
  signal: AbortSignal,
): Promise<PinReport> {
  const budget = budgetOf({ model: null }, services, wanted);
  const files = await Promise.all(
    paths.map(async (path): Promise<PinnedFile> => {
      const content = await readSafely(services, projectId, path, budget, signal);
      return { path: content.ok ? content.value.label : path, content };
    }),
  );
  await measureInSlices(files, budget);
  const pins = files.map(({ path }, since) => ({ path, since }));
  const view = { ...emptyView(asId<SessionId>("new")), projectId, pins };
  return { files: planPinnedFiles(view, focusedFiles(view, false), files, budget).states, maxTokens: budget.maxTokens };
}

async function readSafely(
  { readPinned }: PinServices,
  projectId: ProjectId,
  path: string,
  budget: PinBudget,
  signal: AbortSignal,
): Promise<Result<ReferenceBlock>> {
  try {
    return await readPinned(projectId, path, budget, signal);
  } catch (error) {
    return fail("internal", String(error));
  }
}

const isSame = (one: Result<ReferenceBlock>, other: Result<ReferenceBlock>): boolean =>
  one.ok && other.ok && one.value.text === other.value.text;

/** Reads a file that is to be pinned. Fails with the codes of reading, and with too_large. */
export async function checkPin(
  view: SessionView,
  path: string,
  services: PinServices,
  signal: AbortSignal,
): Promise<Result<ReferenceBlock>> {
  const budget = budgetOf(view, services);
  const content = await services.readPinned(view.projectId, path, budget, signal);
  const sized = checkPinnedSize(content, budget);
  return sized.ok ? ok(sized.value.block) : sized;
}

/** Fails with too_large, without counting it, for a file that is too long for the budget. */
export async function readPinnedFile(
  project: Pick<OpenProject, "files" | "policy" | "tree">,
  path: string,
  budget: PinBudget,
  signal: AbortSignal,
): Promise<Result<ReferenceBlock>> {
  const { maxTokens, scale } = budget;
  const maxChars = Math.min(fileMaxChars, maxTokens * maxCharsPerToken);
  const read = await readFileReference(project, path, undefined, maxChars, signal);
  if (!read.ok) return read;
  const { path: label, text, isCut, chars } = read.value;
  if (isCut) return fail("too_large", path, { tokens: estimateCutTokens(text, chars, maxTokens, scale), maxTokens });
  return ok({ type: "reference", kind: "file", label, text, pinned: true });
}
