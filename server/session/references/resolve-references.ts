/**
 * Resolves the references of a user's message to stored blocks, and measures them before they are added. A message gets
 * all of its references or is refused.
 */
import type { Steps } from "@/lib/async/steps";
import { type ReferenceBlock, referenceBlocks, joinTextBlocks } from "@/lib/events/content";
import { type AgentError, fail, ok, type Result, withFacts } from "@/lib/events/error";
import type { SessionId } from "@/lib/events/id";
import type { Reference, ReferenceSize } from "@/lib/protocol/reference-commands";
import { serverLimits } from "@/lib/settings/server-limits";
import { estimateTokens, type TokenScale } from "@/lib/text/estimate-tokens";
import { type ModelState, pathEntriesBackward, type SessionView } from "@/lib/view/view";
import { type ContextBudget, contextBudget } from "@/server/agent/context/context-budget";
import { fitTree } from "@/server/agent/context/fit-tree";
import { countReferenceTokens } from "@/server/agent/context/render-reference";
import { resultShareTokens } from "@/server/agent/tools/fit-result";
import { beginTimeSlice, runStepsInSlices } from "@/server/base/steps";
import type { WantedModel } from "@/server/models/access/session-models";
import { readFileReference, readFolderReference } from "@/server/workspace/files/read-reference";
import type { OpenProject } from "@/server/workspace/projects/projects";
import type { SessionServices } from "../core/services";
import { readPatchReference } from "./patch-text";
import { type ChangesSource, readChangesText } from "./changes-text";

/**
 * The text of a reference to another session: its title, the summary of its older messages, and its last exchange.
 * Returns the title alone for a session without an answer.
 */
function formatSessionText(view: Pick<SessionView, "title" | "entries" | "segments" | "newest">): string {
  let answer = "";
  let request = "";
  let summary = "";
  for (const entry of pathEntriesBackward(view)) {
    if (entry.kind === "message" && request === "") {
      const text = joinTextBlocks(entry.blocks.filter((block) => block.type !== "input")).trim();
      if (entry.role === "user" && answer !== "") request = text;
      else if (entry.role === "assistant" && answer === "") answer = text;
    }
    if (summary === "" && (entry.kind === "compaction" || entry.kind === "compaction_update"))
      summary = entry.summary ?? "";
  }
  const parts = [
    [`# ${view.title}`, view.title],
    [`## Summary of older messages\n\n${summary}`, summary],
    [`## Last request\n\n${request}`, request],
    [`## Last answer\n\n${answer}`, answer],
  ] as const;
  return parts.flatMap(([text, content]) => (content === "" ? [] : [text])).join("\n\n");
}

/** Share of the window for all references of one message, as for the results of one answer. */
const messageShare = 1 / 4;

interface ReferenceSource {
  readonly project: Pick<OpenProject, "project" | "tree"> & ChangesSource["project"];
  /** Holds the messages of stored references; null = a new session. */
  readonly view: (Pick<SessionView, "entries" | "segments" | "newest" | "queue"> & ChangesSource["view"]) | null;
  /** Budget of the model that gets the message. */
  readonly budget: ReferenceBudget;
  readonly services: SessionServices;
  /** Finds a session. Fails with not_found. */
  readonly get: (id: SessionId) => Result<{ readonly view: SessionView }>;
}

/** The window in tokens of the server, and the scale to them. */
type ReferenceBudget = Pick<ContextBudget, "tokens" | "scale">;

/** The budget of the wanted model, else of the current one, else of the model a new session would get. */
export function referenceBudget(
  { chooseModel, modelFacts }: Pick<SessionServices, "chooseModel" | "modelFacts">,
  current: ModelState | null,
  wanted?: WantedModel,
): ReferenceBudget {
  const model = wanted === undefined && current !== null ? current : chooseModel(wanted ?? { name: "" })?.change;
  return contextBudget(
    model === undefined ? { window: serverLimits.windowMinTokens, tokenRatio: 1 } : modelFacts(model),
  );
}

interface ResolvedReference {
  readonly block: ReferenceBlock;
  /** Length of the referenced text if the block has only its start, UTF-16 units; null = the block has the whole. */
  readonly wholeChars: number | null;
}

/** A text with more UTF-16 units per token is refused without being counted. */
export const maxCharsPerToken = 16;

/**
 * Fails with the code of the first reference that cannot be sent; facts: `reference` (its name), and for too_large
 * `tokens` and `maxTokens`.
 */
export async function resolveReferences(
  references: readonly Reference[],
  source: ReferenceSource,
  signal: AbortSignal,
): Promise<Result<readonly ReferenceBlock[]>> {
  const blocks: ReferenceBlock[] = [];
  let left = Math.floor(source.budget.tokens * messageShare);
  const slice = beginTimeSlice();
  for (const reference of references) {
    if (slice.isOver()) await slice.next();
    signal.throwIfAborted();
    const maxTokens = Math.max(0, Math.min(left, resultShareTokens(source.budget.tokens, 1)));
    const resolved = await resolveReference(reference, source, maxTokens, signal);
    if (!resolved.ok) return failNamed(resolved.error, reference);
    const { block } = resolved.value;
    const tokens = countTokens(resolved.value, maxTokens, source.budget.scale);
    if (tokens > maxTokens) return failNamed({ code: "too_large", facts: { tokens, maxTokens } }, reference, block);
    left -= tokens;
    blocks.push(block);
  }
  return ok(blocks);
}

/** Returns the sizes of references in their order, and the most tokens of one. */
export async function measureReferences(
  references: readonly Reference[],
  source: ReferenceSource,
  signal: AbortSignal,
): Promise<{ readonly maxTokens: number; readonly sizes: readonly ReferenceSize[] }> {
  const maxTokens = resultShareTokens(source.budget.tokens, 1);
  const sizes: ReferenceSize[] = [];
  const slice = beginTimeSlice();
  for (const reference of references) {
    if (slice.isOver()) await slice.next();
    signal.throwIfAborted();
    const resolved = await resolveReference(reference, source, maxTokens, signal);
    sizes.push(resolved.ok ? await measureResolved(resolved.value, maxTokens, source.budget.scale, signal) : resolved);
  }
  return { maxTokens, sizes };
}

async function measureResolved(
  resolved: ResolvedReference,
  maxTokens: number,
  scale: TokenScale,
  signal: AbortSignal,
): Promise<ReferenceSize> {
  const tokens = countTokens(resolved, maxTokens, scale);
  if (tokens <= maxTokens) return { ok: true, tokens };
  const first = resolved.block.lines?.first ?? 1;
  const count = await runStepsInSlices(countFittingLines(resolved, first, maxTokens, scale), signal);
  return { ok: true, tokens, fitting: count === 0 ? null : { first, last: first + count - 1 } };
}

/** Number of the first lines of a reference that fit. */
function* countFittingLines(
  { block, wholeChars }: ResolvedReference,
  first: number,
  maxTokens: number,
  scale: TokenScale,
): Steps<number> {
  const lines = block.text.split("\n");
  // The last line may be incomplete.
  if (wholeChars !== null) lines.pop();
  let count = 0;
  for (let tokens = 0; count < lines.length && tokens <= maxTokens; count += 1) {
    tokens += estimateTokens(`${lines[count]}\n`, scale);
    yield;
  }
  while (count > 0) {
    const range = { first, last: first + count - 1 };
    const part = { ...block, lines: range, text: lines.slice(0, count).join("\n") };
    const tokens = countReferenceTokens(part, scale);
    if (tokens <= maxTokens) break;
    count = Math.floor(count * Math.min(0.98, maxTokens / tokens));
    yield;
  }
  return count;
}

/** The tokens of a reference; of one of which the block has only the start, an estimate above `maxTokens`. */
function countTokens({ block, wholeChars }: ResolvedReference, maxTokens: number, scale: TokenScale): number {
  return wholeChars === null
    ? countReferenceTokens(block, scale)
    : estimateCutTokens(block.text, wholeChars, maxTokens, scale);
}

/** Returns a size in estimated tokens that is at most `maxTokens` by the server's counts, whatever the script. */
const estimatedTokens = (maxTokens: number, { scale }: ReferenceBudget): number =>
  Math.floor(maxTokens / Math.max(1, ...scale));

/** UTF-16 units of a text that is too long, from which its tokens are estimated. */
const sampleChars = 20_000;

/** The tokens of a text of `chars` UTF-16 units that starts with `start`: an estimate above `maxTokens`. */
export function estimateCutTokens(start: string, chars: number, maxTokens: number, scale: TokenScale): number {
  const sample = start.slice(0, sampleChars);
  const perChar = estimateTokens(sample, scale) / Math.max(1, sample.length);
  return Math.max(maxTokens + 1, Math.ceil(chars * perChar));
}

/** A reference with the start of a text that certainly exceeds `maxTokens`, or with the whole. */
const limitText = (block: ReferenceBlock, maxTokens: number): ResolvedReference => {
  const maxChars = maxTokens * maxCharsPerToken;
  const { length } = block.text;
  return length <= maxChars
    ? { block, wholeChars: null }
    : { block: { ...block, text: block.text.slice(0, maxChars) }, wholeChars: length };
};

async function resolveReference(
  reference: Reference,
  source: ReferenceSource,
  maxTokens: number,
  signal: AbortSignal,
): Promise<Result<ResolvedReference>> {
  const { project, view } = source;
  switch (reference.kind) {
    case "file": {
      const maxChars = maxTokens * maxCharsPerToken;
      const read = await readFileReference(project, reference.path, reference.lines, maxChars, signal);
      if (!read.ok) return read;
      const { path, text, first, count, isCut, chars } = read.value;
      const range = reference.lines === undefined ? {} : { lines: { first, last: first + count - 1 } };
      return ok({
        block: { type: "reference", kind: "file", label: path, ...range, text },
        wholeChars: isCut ? chars : null,
      });
    }
    case "folder": {
      const read = await readFolderReference(project, reference.path, signal);
      if (!read.ok) return read;
      const { path, text } = read.value;
      return ok(
        limitText(
          {
            type: "reference",
            kind: "folder",
            label: path,
            text: fitTree(text, estimatedTokens(maxTokens, source.budget)),
          },
          maxTokens,
        ),
      );
    }
    case "text": {
      const { label, text } = reference;
      return ok(limitText({ type: "reference", kind: "text", label, text }, maxTokens));
    }
    case "changes": {
      const changes = await (reference.git === undefined
        ? readChangesText(source, signal)
        : readPatchReference(project, reference.git, signal));
      return changes.ok ? selectTextLines(reference, changes.value, maxTokens) : changes;
    }
    case "session": {
      const other = source.get(reference.sessionId);
      if (!other.ok) return other;
      if (other.value.view.projectId !== project.project.id) return fail("not_found");
      return selectTextLines(reference, formatSessionText(other.value.view), maxTokens);
    }
    case "stored": {
      const block = view === null ? undefined : storedReferences(view, reference.messageId)[reference.index];
      return block === undefined ? fail("not_found") : ok(limitText(block, maxTokens));
    }
  }
}

/** The text or a range of its lines. Fails with bad_input for a range behind the end. */
function selectTextLines(
  { label, lines }: Pick<Extract<Reference, { kind: "changes" | "session" }>, "label" | "lines">,
  whole: string,
  maxTokens: number,
): Result<ResolvedReference> {
  const block: ReferenceBlock = { type: "reference", kind: "text", label, text: whole };
  if (lines === undefined) return ok(limitText(block, maxTokens));
  const all = whole.split("\n");
  if (lines.first > all.length) return fail("bad_input", undefined, { path: label, totalLines: all.length });
  const range = { first: lines.first, last: Math.min(lines.last, all.length) };
  return ok(limitText({ ...block, lines: range, text: all.slice(range.first - 1, range.last).join("\n") }, maxTokens));
}

/** The references of a message of the path, or of a queued one. */
function storedReferences(view: NonNullable<ReferenceSource["view"]>, id: string): readonly ReferenceBlock[] {
  const queued = view.queue.find((message) => message.id === id);
  if (queued !== undefined) return queued.references ?? [];
  for (const entry of pathEntriesBackward(view))
    if (entry.kind === "message" && entry.messageId === id) return referenceBlocks(entry.blocks);
  return [];
}

/** Fails with the name of the reference; that of a stored one is in its block, if it exists. */
function failNamed(error: AgentError, reference: Reference, block?: ReferenceBlock): Result<never> {
  const name = "path" in reference ? reference.path || "." : "label" in reference ? reference.label : block?.label;
  return { ok: false, error: withFacts(error, { reference: name ?? "" }) };
}
