/** Makes text of the bytes of an answer: decodes them, and converts pages to Markdown. Slow; runs in a worker. */
import { escapeElements, removeInvisible, toPlainLines } from "@/server/tools/toolbox/foreign-text";
import { stripAnsi } from "@/lib/text/ansi";
import { decodeTextOrNull } from "@/server/workspace/encoding/text-encoding";
import { htmlToMarkdown } from "./html-to-markdown";
import { mediaType } from "./media-type";

export interface WebText {
  /** "" = it has none. */
  readonly title: string;
  readonly text: string;
}

/** Text of a page that is kept, UTF-16 units. */
const maxTextChars = 2_000_000;
/** A declaration of the encoding is at the start of a page, bytes. */
const declarationBytes = 2_048;

/** `type` = value of Content-Type. null = the bytes are no text. */
export function readText(bytes: Uint8Array, type: string, url: string): WebText | null {
  const isPage = isHtml(type, bytes);
  const text = decodeWeb(bytes, findCharset(type) ?? (isPage ? declaredCharset(bytes) : null));
  if (text === null) return null;
  if (!isPage) return { title: "", text: escapeElements(removeInvisible(stripAnsi(text))) };
  const { title, markdown } = htmlToMarkdown(text, url);
  return { title: escapeElements(title), text: escapeElements(toPlainLines(markdown, maxTextChars)) };
}

const latin = (bytes: Uint8Array, end: number): string => Buffer.from(bytes.subarray(0, end)).toString("latin1");

/** Without a type, a page is recognised by its start. */
function isHtml(type: string, bytes: Uint8Array): boolean {
  const media = mediaType(type);
  if (media === "text/html" || media === "application/xhtml+xml") return true;
  return media === "" && /^\s*<(?:!doctype html|html|head|body)\b/i.test(latin(bytes, declarationBytes));
}

const findCharset = (type: string): string | null => /charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(type)?.[1] ?? null;

const declaredCharset = (bytes: Uint8Array): string | null =>
  /<meta[^>]{0,200}?charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(latin(bytes, declarationBytes))?.[1] ?? null;

/** A declared encoding that does not exist, or none: the encoding is recognised as that of files is. */
function decodeWeb(bytes: Uint8Array, charset: string | null): string | null {
  if (bytes.includes(0) && !/^utf-?16/i.test(charset ?? "")) return decodeTextOrNull(bytes);
  try {
    if (charset !== null) return new TextDecoder(charset).decode(bytes);
  } catch {
    // Not an encoding.
  }
  try {
    // The end may be cut within a character.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return decodeTextOrNull(bytes);
  }
}
