/** Turns what a model wrote as the message of a commit into one. Pure. */
import { isJsonObject, type Json } from "@/lib/events/content";
import { textColumns, wrapText } from "@/lib/text/wrap-text";
import { readJsonText } from "@/server/tools/written-json/read-written-input";

/** Characters of the first line, and columns of the others. */
const lineMax = 72;
/** A break within the first line is not before this character. */
const subjectMin = 24;
/** Characters that are read: a model may repeat itself without an end. More than the longest message. */
const maxChars = 6_000;
/** Most lines after the first one. */
const maxBodyLines = 40;

/** Returns a first line of at most 72 characters and, after an empty line, what else there is; null = nothing. */
export function cleanCommitMessage(answer: string): string | null {
  const text = withoutWrapping(
    withoutThinking(answer)
      .trim()
      .slice(0, maxChars)
      .replaceAll("\r\n", "\n")
      .replaceAll(/(?![\n\t])\p{Cc}/gu, ""),
  );
  const [first = "", ...others] = text.split("\n");
  const subject = cleanSubject(first);
  if (/^[\s`~"'*_#-]*$/.test(subject)) return null;
  const [line, rest] = splitSubject(subject);
  const body = cleanBody([...(rest === "" ? [] : [rest, ""]), ...others]);
  return [line, ...(body === "" ? [] : ["", body])].join("\n");
}

/** An answer may end with its thinking still open, or begin within it. */
function withoutThinking(text: string): string {
  let message = "";
  let at = 0;
  let isOpen = false;
  for (const { 0: tag, index } of text.matchAll(/<\/?think(?:ing)?>/gi)) {
    const isEnd = tag.startsWith("</");
    if (!isOpen) message = isEnd ? "" : message + text.slice(at, index);
    isOpen = !isEnd;
    at = index + tag.length;
  }
  return isOpen ? message : message + text.slice(at);
}

/** A line that introduces the message, or names it. */
const introduction =
  /^(?:(?:(?:ok(?:ay)?|sure|certainly|of course|great)\b.*[:.!]|(?:here(?:'s| is| are)|this is|based on|the following|below is)\b.*:)|(?:好的|当然|没问题|以下|下面|这是|根据).*[:：。])$/iu;
const label =
  /^[*_#\s]*(?:(?:git\s+)?commit(?:\s+message)?|message|subject|title|提交(?:信息|说明|消息)?|标题|主题)[*_]*\s*[:：][*_]*\s*/iu;
const command = /^\$?\s*git commit\b[^"']*(["'])([\s\S]*)\1\s*$/;
const fence = /^\s*(`{3,}|~{3,})[^\n`]*\n([\s\S]*?)(?:\n\s*\1[ \t]*(?:\n|$)|$(?![\s\S]))/m;
/** Sentences that follow a message. */
const closing = /^(?:let me know|feel free|this (?:commit )?message|i hope|如果|希望|需要)/iu;
const quotes = [
  ['"', '"'],
  ["'", "'"],
  ["`", "`"],
  ["“", "”"],
  ["「", "」"],
  ["**", "**"],
] as const;

/** Removes what encloses a message: an introduction, a fence, JSON, the command, quotation marks. */
function withoutWrapping(text: string): string {
  const written = readJsonText(text);
  if (written !== undefined) return readMessageObject(written);
  const lines = text.trim().split("\n");
  while (lines.length > 1 && (lines[0]?.trim() === "" || introduction.test(lines[0]?.trim() ?? ""))) lines.shift();
  const last = lines.findLastIndex((line) => line.trim() === "");
  if (last > 0 && closing.test(lines[last + 1]?.trim() ?? "")) lines.length = last;
  const body = lines.join("\n").trim();
  const fenced = fence.exec(body);
  if (fenced !== null && (fenced.index === 0 || label.test(body.slice(0, fenced.index).trim())))
    return withoutWrapping(fenced[2] ?? "");
  const commanded = command.exec(body);
  if (commanded !== null) return (commanded[2] ?? "").replaceAll(/\\(["'$`\\])/g, "$1").trim();
  const named = body.replace(label, "").trim();
  const pair = quotes.find(([open, close]) => isEnclosed(named, open, close));
  return pair === undefined ? named : withoutWrapping(named.slice(pair[0].length, -pair[1].length));
}

const isEnclosed = (text: string, open: string, close: string): boolean =>
  text.length > open.length + close.length &&
  text.startsWith(open) &&
  text.endsWith(close) &&
  !text.slice(open.length, -close.length).includes(close);

const subjectKeys = ["subject", "title", "summary", "message", "commit_message", "commitMessage", "commit"];
const bodyKeys = ["body", "description", "details"];

/** Returns the message in an object; empty = it has none. */
function readMessageObject(value: Json): string {
  if (!isJsonObject(value)) return "";
  const read = (keys: readonly string[]): string => {
    const found = keys.map((key) => value[key]).find((one) => typeof one === "string" || Array.isArray(one));
    return Array.isArray(found) ? found.filter((line) => typeof line === "string").join("\n") : String(found ?? "");
  };
  const [subject, body] = [read(subjectKeys), read(bodyKeys)];
  return [subject, ...(body === "" ? [] : ["", body])].join("\n");
}

const cleanSubject = (line: string): string =>
  line
    .replace(label, "")
    .replace(/^#+\s+/, "")
    .replace(/^\*\*(.+)\*\*$/, "$1")
    .replaceAll(/\s+/g, " ")
    .trim()
    .replace(/(?<!\.)[.。]$/u, "");

/** Splits a first line that is too long, after a sign or a word if there is one. */
function splitSubject(subject: string): readonly [subject: string, rest: string] {
  const signs = [...subject];
  if (signs.length <= lineMax) return [subject, ""];
  const start = signs.slice(0, lineMax + 1).join("");
  const breaks = [/^[\s\S]*[.;:!?](?=\s)/u, /^[\s\S]*[,(–—-](?=\s)|^[\s\S]*[，。；：、！？]/u, /^[\s\S]*(?=\s)/u];
  const found = breaks
    .map((pattern) => pattern.exec(start)?.[0].trimEnd() ?? "")
    .find((part) => [...part].length >= subjectMin && [...part].length <= lineMax);
  const cut = found ?? signs.slice(0, lineMax).join("");
  return [cut.replace(/[\s.,;:，。；：、–—-]+$/u, ""), subject.slice(cut.length).trim()];
}

/** A statement that somebody signed or reviewed is the user's own to make. */
const trailer = /^(?:signed-off-by|co-authored-by|reviewed-by|tested-by|change-id|assisted-by)\s*:/i;
/** An item of a list, with the sign that begins it. */
const item = /^(\s*(?:[-*+•]|\d+[.)])\s+)\S/u;

function cleanBody(lines: readonly string[]): string {
  const own = lines
    .map((line) => line.trimEnd())
    .filter((line) => !trailer.test(line) && !/^\s*(?:```|~~~)/.test(line));
  const wrapped = own.flatMap((line) => {
    const [, sign = ""] = item.exec(line) ?? [];
    // An indented line may be code, and an address stays whole.
    if (
      textColumns(line) <= lineMax ||
      (sign === "" && /^\s{4}/.test(line)) ||
      (/^\S+$/.test(line) && /:\/\//.test(line))
    )
      return [line];
    return wrapText(line, lineMax, " ".repeat(sign.length));
  });
  const body = wrapped
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
  return body.split("\n").slice(0, maxBodyLines).join("\n");
}
