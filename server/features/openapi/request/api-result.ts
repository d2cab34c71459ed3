/** Makes an answer, or its failure, what a model and a card get. */
import { STATUS_CODES } from "node:http";
import type { Block } from "@/lib/events/content";
import { limits } from "@/lib/settings/settings";
import { stripAnsi } from "@/lib/text/ansi";
import { detectImageType } from "@/lib/workspace/detect-image-type";
import { maskSecrets } from "@/server/security/redaction/mask-secrets";
import { type ToolDependencies, ToolError, type ToolResult } from "@/server/tools/core/tool";
import { formatDecimalSize } from "@/server/tools/core/to-tool-error";
import { escapeElements, removeInvisible, toForeignLine, toOneLine } from "@/server/tools/toolbox/foreign-text";
import { describeResultFile, storeResultFile } from "@/server/tools/toolbox/result-files";
import { type ApiAnswer, type ApiSendFailure, apiTimeoutMs } from "./send-request";

/** Longer JSON is passed on as the server wrote it: reading it would hold the server. */
const maxCompactBytes = 262_144;
/** Text that is stored, bytes; a model gets less. */
const maxTextBytes = 262_144;

interface ApiResultOptions {
  /** Id of the API, for the mark. */
  readonly source: string;
  readonly secrets: readonly string[];
  /** Schemes without a stored key. */
  readonly missing: readonly string[];
}

export async function toApiResult(
  answer: ApiAnswer,
  { source, secrets, missing }: ApiResultOptions,
  { vision, storeBlob }: Pick<ToolDependencies, "vision" | "storeBlob">,
): Promise<ToolResult> {
  const { status, bytes, isCut } = answer;
  const mask = (text: string): string => maskSecrets(text, secrets);
  const type = (answer.header("content-type") ?? "").trim();
  const head = `[from ${source}]\n${status} ${STATUS_CODES[status] ?? ""}`.trimEnd();
  const size = `${isCut ? "more than " : ""}${formatDecimalSize(bytes.length)}`;
  const failed = status >= 400 ? { failed: true } : {};
  const hint =
    missing.length > 0 && (status === 401 || status === 403)
      ? `\n\nNo key is stored for ${missing.map((name) => toOneLine(name)).join(", ")}. Ask the user to store it in Settings > Tools.`
      : "";
  const toResult = (text: string, ...more: readonly Block[]): ToolResult => ({
    output: [{ type: "text", text: `${head}${text}${hint}` }, ...more],
    facts: { bytes: bytes.length },
    ...failed,
  });
  if (bytes.length === 0) return toResult("");
  const image = /^image\//i.test(type) ? detectImageType(bytes.subarray(0, 4_096)) : null;
  if (image !== null && !isCut && bytes.length <= limits.imageMaxBytes) {
    const block = { type: "image" as const, mime: image, blob: await storeBlob(bytes) };
    return toResult(`\n[image: ${image}, ${size}${vision ? "" : ". This model cannot see images."}]`, block);
  }
  if (!isText(type, bytes)) {
    const found = { name: mask(fileNameIn(answer.header("content-disposition"))), mime: mask(type), bytes };
    const file = isCut ? null : await storeResultFile(found, storeBlob);
    const { output, facts, ...rest } = toResult(`\n${describeResultFile(found, file)}`);
    return { output, facts: file === null ? facts : { ...facts, files: [file] }, ...rest };
  }
  const shown = bytes.subarray(0, maxTextBytes);
  const text = compactJson(type, shown, bytes.length) ?? new TextDecoder().decode(shown);
  const omitted = bytes.length - shown.length;
  const rest = omitted > 0 || isCut ? `\n[the answer has ${size}; only its start is here. Ask for less at once.]` : "";
  return toResult(`\n${escapeElements(mask(removeInvisible(stripAnsi(text)))).trimEnd()}${rest}`);
}

/** "" = the server names no file. */
function fileNameIn(disposition: string | null | undefined): string {
  const [, encoded] = /filename\*=(?:utf-8)?''([^;\s]+)/i.exec(disposition ?? "") ?? [];
  const [, quoted, bare] = /filename="?(?:([^"]+)"|([^";\s]+))/i.exec(disposition ?? "") ?? [];
  try {
    return encoded === undefined ? (quoted ?? bare ?? "") : decodeURIComponent(encoded);
  } catch {
    return quoted ?? bare ?? "";
  }
}

/** A type says it; without one, bytes that are valid UTF-8 without zeros. */
function isText(type: string, bytes: Buffer): boolean {
  if (
    /^(?:text\/|application\/(?:[\w.+-]*\+)?(?:json|xml|yaml)|application\/(?:x-)?(?:ndjson|yaml|javascript|x-www-form-urlencoded)|image\/svg)/i.test(
      type,
    )
  )
    return true;
  if (type !== "") return false;
  const start = bytes.subarray(0, 4_096);
  return !start.includes(0) && !new TextDecoder().decode(start, { stream: true }).includes("\ufffd");
}

function compactJson(type: string, bytes: Buffer, size: number): string | null {
  if (size > maxCompactBytes || !/json/i.test(type)) return null;
  const text = bytes.toString("utf8");
  try {
    JSON.parse(text);
  } catch {
    return null;
  }
  // Writing the value again would change numbers that have more digits than a double.
  return text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, "$1");
}

/** The sentence for the model; the user reads it as well. */
export function toApiError(failure: ApiSendFailure, secrets: readonly string[]): ToolError {
  const { reason, host } = failure;
  const detail = toForeignLine(maskSecrets(failure.detail, secrets), 200);
  const other = "Use another tool, or tell the user.";
  switch (reason) {
    case "timeout":
      return new ToolError(
        "timeout",
        `${host} did not answer within ${apiTimeoutMs / 1_000} s: it may have run the call. Check that before you try again.`,
      );
    case "redirected":
      return new ToolError("tool_failed", `${host} redirects to ${detail}, which is not followed. ${other}`);
    case "too_many_redirects":
      return new ToolError("tool_failed", `${host} redirects too often. ${other}`);
    case "not_public":
      return new ToolError(
        "tool_failed",
        `${host} leads to ${detail}, which is not public, and the user has not confirmed that. ${other}`,
      );
    case "unresolved":
      return new ToolError("tool_failed", `The host ${host} was not found (${detail}). ${other}`);
    case "unreachable":
      return new ToolError(
        "tool_failed",
        `${host} could not be reached: ${detail}. Try again later, or tell the user.`,
      );
    case "bad_answer":
    case "not_http":
      return new ToolError("tool_failed", `${host} gave no readable answer: ${detail}. ${other}`);
  }
}
