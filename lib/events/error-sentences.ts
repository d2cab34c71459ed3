/** Tables of sentences about errors: by code, or by the `reason` in their facts. Pure. */
import type { AgentError, ErrorCode } from "./error";
import type { ErrorFacts } from "./error-facts";
import type { ErrorReason, ErrorReasonFacts, Reasoned } from "./error-reasons";

/** A sentence, or what makes one of the facts; undefined or "" = these facts have none. `context` = anything else in it. */
type Sentence<Facts, Context> = string | ((facts: Facts, context: Context) => string | undefined);

export type ErrorSentences<Context = unknown> = {
  readonly [Code in ErrorCode]?: Sentence<ErrorFacts[Code], Context>;
};

export type ReasonSentences<Reason extends ErrorReason, Context = unknown> = {
  readonly [R in Reason]: Sentence<ErrorReasonFacts[R], Context>;
};

const sentenceOf = <Facts, Context>(
  sentence: Sentence<Facts, Context> | undefined,
  facts: Facts,
  context: Context,
): string | undefined => (typeof sentence === "function" ? sentence(facts, context) : sentence) || undefined;

const codeSentence = <Code extends ErrorCode, Context>(
  table: ErrorSentences<Context>,
  code: Code,
  facts: ErrorFacts[Code],
  context: Context,
): string | undefined => sentenceOf<ErrorFacts[Code], Context>(table[code], facts, context);

/** Returns the sentence of the error's code; undefined = the table has none for it. */
export const errorSentence = <Context>(
  table: ErrorSentences<Context>,
  { code, facts = {} }: AgentError,
  context: Context,
): string | undefined => codeSentence(table, code, facts, context);

/** Whether the facts have one of the reasons of a table. */
export const isReasoned = <Reason extends ErrorReason>(
  table: { readonly [R in Reason]: unknown },
  facts: object = {},
): facts is Reasoned<Reason> =>
  "reason" in facts && typeof facts.reason === "string" && Object.hasOwn(table, facts.reason);

/** Returns the sentence of the reason in the error's facts; undefined = the table has none for it. */
export const reasonSentence = <Reason extends ErrorReason, Context>(
  table: ReasonSentences<Reason, Context>,
  { facts }: AgentError,
  context: Context,
): string | undefined =>
  isReasoned<Reason>(table, facts)
    ? sentenceOf<ErrorReasonFacts[Reason], Context>(table[facts.reason], facts, context)
    : undefined;
