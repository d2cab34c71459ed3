/**
 * Measures what the model server has to read again, by its own figures: whether it keeps two conversations, and whether the
 * model's chat template moves the list of tools between requests.
 */
import type { ToolMode } from "@/lib/events/event";
import type { ToolSchema } from "@/lib/models/stored-prompt";
import { doctorText } from "@/server/prompts/doctor";
import { type ModelMessage, ProviderError } from "@/server/providers/provider";
import { toolsStep } from "./doctor-steps";
import { type DoctorSubject, type ProbeResult, type StepResult, withTimeLimit } from "./doctor-subject";
import { longPrompt } from "./long-prompt";

/** Timeout of a step, ms. */
const readingMs = 240_000;
/** Length of a conversation: tokens, share of the window, and what the model reads in some seconds. */
const conversationTokens = 1_500;
const windowShare = 1 / 4;
const conversationReadSeconds = 20;
const minConversationTokens = 200;
const answerTokens = 24;

/** A request was read from the cache if this share of its start was cached, or reading took this share of the time. */
const cachedShare = 0.8;
const cachedTimeShare = 0.3;
/** Reading took so much of the first time that the start was read again; between the two no conclusion is drawn. */
const rereadTimeShare = 0.6;
/** Shorter times are mostly overhead, ms. */
const minMeasuredMs = 40;

interface OpenConversation {
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolSchema[];
  readonly first: ProbeResult;
}

interface ConversationOptions {
  readonly numCtx: number;
  /** Each begins with other words. */
  readonly topic: "stock" | "warehouse";
  readonly tools?: readonly ToolSchema[];
}

async function ask(
  subject: DoctorSubject,
  text: string,
  {
    numCtx,
    before,
    tools,
  }: Pick<ConversationOptions, "numCtx" | "tools"> & { readonly before: readonly ModelMessage[] },
  signal: AbortSignal,
): Promise<ProbeResult> {
  const options = { numCtx, think: false, maxOutputTokens: answerTokens, before, tools };
  const result = await subject.probe(text, options, signal);
  if (result.error !== undefined) throw new ProviderError(result.error);
  return result;
}

/** Sends the first message of a conversation that the server has never seen. */
async function openConversation(
  subject: DoctorSubject,
  { numCtx, topic, tools = [] }: ConversationOptions,
  signal: AbortSignal,
): Promise<OpenConversation> {
  const speed = subject.readPerSecond() ?? Number.POSITIVE_INFINITY;
  const readable = Math.max(minConversationTokens, speed * conversationReadSeconds);
  const tokens = Math.min(conversationTokens, numCtx * windowShare, readable);
  const ends = [doctorText(topic, { word: subject.word() }), doctorText("shelf")] as const;
  const text = longPrompt(ends, tokens / subject.tokenRatio());
  const first = await ask(subject, text, { numCtx, before: [], tools }, signal);
  // An answer without text was a tool call, or thinking.
  const answer = first.text.trim() === "" ? doctorText("short-answer") : first.text;
  return {
    messages: [
      { role: "user", text },
      { role: "assistant", text: answer },
    ],
    tools,
    first,
  };
}

/** Sends the next message, which only appends. */
const continueConversation = (
  subject: DoctorSubject,
  { messages, tools }: OpenConversation,
  numCtx: number,
  signal: AbortSignal,
): Promise<ProbeResult> => ask(subject, doctorText("another-shelf"), { numCtx, before: messages, tools }, signal);

/** Whether the second request was read from the cache; null = the server's figures do not say. */
export function wasCached(
  first: Pick<ProbeResult, "promptTokens" | "reading">,
  next: Pick<ProbeResult, "reading">,
): boolean | null {
  const { cachedTokens } = next.reading;
  if (cachedTokens !== undefined && first.promptTokens > 0) return cachedTokens >= first.promptTokens * cachedShare;
  const [before, after] = [first.reading.promptMs, next.reading.promptMs];
  if (before === undefined || after === undefined || before < minMeasuredMs) return null;
  if (after <= before * cachedTimeShare) return true;
  return after >= before * rereadTimeShare ? false : null;
}

/** The figures behind a conclusion. */
const readingFacts = ({ first }: OpenConversation, { reading }: ProbeResult): NonNullable<StepResult["facts"]> => ({
  ...(reading.cachedTokens === undefined ? {} : { cached: reading.cachedTokens, prompt: first.promptTokens }),
  ...(first.reading.promptMs === undefined ? {} : { firstMs: Math.round(first.reading.promptMs) }),
  ...(reading.promptMs === undefined ? {} : { againMs: Math.round(reading.promptMs) }),
});

/** Conversation A, another one, A again. `keeps` is yes, no, or unknown. */
export const conversationsStep = (subject: DoctorSubject, numCtx: number, signal: AbortSignal): Promise<StepResult> =>
  withTimeLimit(readingMs, signal, async (within) => {
    const first = await openConversation(subject, { numCtx, topic: "stock" }, within);
    await openConversation(subject, { numCtx, topic: "warehouse" }, within);
    const again = await continueConversation(subject, first, numCtx, within);
    const isCached = wasCached(first.first, again);
    if (isCached === null) return { state: "skipped", facts: { keeps: "unknown" } };
    return {
      state: isCached ? "ok" : "weak",
      facts: { keeps: isCached ? "yes" : "no", ...readingFacts(first, again) },
    };
  });

/**
 * A conversation with native tools, then one more message. If that is read again, but not in a conversation without
 * tools, the template moves the tools: the text modes are tried. `moves` is yes, no, or unknown; `proposed` is the text
 * mode that works. `keepsTwo`: the server keeps even two conversations.
 */
export async function templateStep(
  subject: DoctorSubject,
  { numCtx, keepsTwo }: { readonly numCtx: number; readonly keepsTwo: boolean },
  signal: AbortSignal,
): Promise<StepResult> {
  const seen = await withTimeLimit(readingMs, signal, async (within) => {
    const first = await openConversation(subject, { numCtx, topic: "stock", tools: subject.tools(numCtx) }, within);
    const again = await continueConversation(subject, first, numCtx, within);
    const isCached = wasCached(first.first, again);
    if (isCached === true) return { state: "ok", facts: { moves: "no", ...readingFacts(first, again) } };
    const isCachedWithoutTools = isCached === false && (keepsTwo || (await keepsOne(subject, numCtx, within)));
    if (!isCachedWithoutTools) return { state: "skipped", facts: { moves: "unknown" } };
    return { state: "weak", facts: { moves: "yes", ...readingFacts(first, again) } };
  });
  if (seen.facts?.moves !== "yes") return seen;
  const { seen: inText, mode } = await toolsStep(subject, numCtx, signal, textModes);
  return inText.state === "failed" ? seen : { ...seen, facts: { ...seen.facts, proposed: mode } };
}

const textModes: readonly ToolMode[] = ["react", "xml"];

async function keepsOne(subject: DoctorSubject, numCtx: number, signal: AbortSignal): Promise<boolean> {
  const plain = await openConversation(subject, { numCtx, topic: "warehouse" }, signal);
  return wasCached(plain.first, await continueConversation(subject, plain, numCtx, signal)) === true;
}
