import type { AgentError } from "@/lib/events/error";
import type { FullMessages } from "../messages/full-messages";

/** Returns the sentence of a format error, with the first line that the formatter printed. */
export function formatErrorText({ errors, editor }: FullMessages, error: AgentError): string {
  const { code, detail = "" } = error;
  const [line = ""] = detail.split("\n").filter((one) => one.trim() !== "");
  const name = code === "format_failed" ? error.facts?.name : undefined;
  return line === "" || name === undefined ? errors.sentences[code] : editor.notFormatted(name, line.slice(0, 200));
}
