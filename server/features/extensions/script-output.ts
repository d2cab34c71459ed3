/** Reads a script's output, text or `{"text", "images"}` as JSON, and describes a failure for a model and a user. */
import { isJsonObject } from "@/lib/events/content";
import type { AgentError } from "@/lib/events/error";
import type { ScriptStartReason } from "@/lib/events/error-reasons";
import { reasonSentence, type ReasonSentences } from "@/lib/events/error-sentences";
import type { CallFacts } from "@/lib/events/tool-kind";
import { stripAnsi } from "@/lib/text/ansi";
import { parseJson } from "@/server/base/parse-json";
import { type ToolDependencies, ToolError, type ToolResult } from "@/server/tools/core/tool";
import { type ForeignContent, toForeignOutput } from "@/server/tools/toolbox/foreign-result";
import { cutText, toOneLine, toPlainLines } from "@/server/tools/toolbox/foreign-text";
import { type ScriptResult, scriptOutputBytes } from "./run-script";
import { neverAborted } from "@/server/base/abort";

/** Standard output that is read as JSON; a longer one is text. */
const maxJsonBytes = 8_000_000;
const maxReasonChars = 600;

interface ScriptText {
  readonly text: string;
  readonly images: readonly string[];
}

/** Bytes that are not UTF-8 are replaced. */
export function readScriptText(output: Buffer): ScriptText {
  const text = output.toString("utf8");
  if (!text.trimStart().startsWith("{") || output.length > maxJsonBytes) return { text, images: [] };
  const value = parseJson(text);
  if (value === undefined || !isJsonObject(value)) return { text, images: [] };
  const { text: written, images } = value;
  const isOurs = typeof written === "string" || Array.isArray(images);
  if (!isOurs) return { text, images: [] };
  return {
    text: typeof written === "string" ? written : "",
    images: Array.isArray(images) ? images.filter((image) => typeof image === "string") : [],
  };
}

/** base64, or a data URL with it. */
const imageData = (image: string): string => image.slice(image.startsWith("data:") ? image.indexOf(",") + 1 : 0);

interface OutputOptions {
  readonly source: string;
  readonly tool: string;
  readonly timeoutMs: number;
  readonly dependencies: Pick<ToolDependencies, "vision" | "storeBlob">;
}

/** Returns the result of a tool. Rejects when the signal fires while images are stored. */
export async function toScriptOutput(
  result: ScriptResult,
  { source, tool, timeoutMs, dependencies }: OutputOptions,
  signal: AbortSignal,
): Promise<ToolResult> {
  const { exit, ended, output } = result;
  const { text, images } = readScriptText(output);
  const failure = describeEnd(result, tool, timeoutMs);
  const shown = failure === null ? text : [failure, text.trimEnd()].filter((part) => part !== "").join("\n\n");
  const content: readonly ForeignContent[] = [
    { type: "text", text: shown },
    ...images.map((image) => ({ type: "image" as const, data: imageData(image), mime: "" })),
  ];
  const isStopped = ended === "aborted";
  const converted = await toForeignOutput(
    { content, isError: failure !== null },
    { source, ...dependencies },
    isStopped ? neverAborted : signal,
  );
  const facts: CallFacts = {
    exit: exit ?? undefined,
    signal: result.signal ?? undefined,
    timeoutMs,
    bytes: output.length,
    ...(ended === null ? {} : { ended }),
  };
  return { ...converted, facts };
}

/** Why a script did not end well, with the end of its error output; null = it did. */
export function describeEnd(
  { exit, signal, ended, errorTail }: Omit<ScriptResult, "output">,
  tool: string,
  timeoutMs: number,
): string | null {
  if (exit === 0 && ended === null) return null;
  const endings: Readonly<Record<string, string>> = {
    timeout: `was ended after ${timeoutMs / 1_000} s`,
    aborted: "was stopped by the user",
    user: "was stopped by the user",
    output_limit: `was ended: more than ${scriptOutputBytes / 1_000_000} MB of output`,
  };
  const plain = exit === null ? `was ended by ${signal ?? "a signal"}` : `failed with exit code ${exit}`;
  const tail = toPlainLines(stripAnsi(errorTail), errorTail.length + 1);
  return `${tool} ${endings[ended ?? ""] ?? plain}.${tail === "" ? "" : `\n${tail}`}`;
}

/** The reason that a gate gave, in one line. */
export const toReason = (text: string): string => cutText(toOneLine(stripAnsi(text)), maxReasonChars);

/** The error for the model about a script that could not be started. */
export const startError = (tool: string, error: AgentError): ToolError =>
  new ToolError(error.code, `${tool} could not be started: ${describeStartProblem(error)} Tell the user.`);

const startProblems: ReasonSentences<ScriptStartReason> = {
  not_executable: ({ command }) => `its script is not executable; this corrects it: ${command}.`,
  no_interpreter: ({ interpreter }) => `the interpreter ${interpreter} of its script is not installed.`,
  not_copied: ({ folder, detail }) => `its files could not be copied to ${folder}: ${detail}.`,
  folder_missing: ({ folder }) => `the folder ${folder} does not exist.`,
  missing: ({ file }) => `the script ${file} cannot be read.`,
};

export const describeStartProblem = (error: AgentError): string =>
  reasonSentence(startProblems, error, null) ?? error.code;
