/** Sentences for the errors of the built-in engine, with what is known about them. Pure. */
import type { AgentError } from "@/lib/events/error";
import { errorSentence } from "@/lib/events/error-sentences";
import type { EngineState } from "@/lib/models/engine";
import type { FullMessages } from "./full-messages";

/** `program` = the one that is used, null = none; absent = not known, and the next step that depends on it is left out. */
export function engineErrorText(
  error: AgentError,
  { engine, errors, figures }: FullMessages,
  program?: EngineState["program"],
): string {
  const isLatest = program === undefined ? undefined : program?.isInstalled === true && program.update === undefined;
  return (
    errorSentence(engine.problems.sentences, error, { bytes: figures.bytes, isLatest }) ?? errors.sentences[error.code]
  );
}
