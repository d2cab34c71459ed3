import type { AgentError } from "@/lib/events/error";
import type { FullMessages } from "../messages/full-messages";

/** Returns the sentence of a format error, with the first line that the formatter printed. */
export function formatErrorText(
  { errors, editor }: FullMessages,
  { code, detail = "", facts = {} }: AgentError,
): string {
  const [line = ""] = detail.split("\n").filter((one) => one.trim() !== "");
  if (code !== "format_failed" || line === "" || typeof facts.name !== "string") return errors.sentences[code];
  return editor.notFormatted(facts.name, line.slice(0, 200));
}
