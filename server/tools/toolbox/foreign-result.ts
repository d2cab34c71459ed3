/**
 * Makes the result of a tool of another program what a model and a card get: text marked with its source, images, and files,
 * which are lines for the model. Links are lines, never fetched.
 */
import type { Block } from "@/lib/events/content";
import type { ResultFile } from "@/lib/events/tool-kind";
import type { BlobId } from "@/lib/events/id";
import { limits } from "@/lib/settings/settings";
import { stripAnsi } from "@/lib/text/ansi";
import { detectImageType } from "@/lib/workspace/detect-image-type";
import { formatDecimalSize } from "../core/to-tool-error";
import type { ToolResult } from "../core/tool";
import { escapeElements, removeInvisible, toForeignLine } from "./foreign-text";
import { describeResultFile, storeResultFile } from "./result-files";

/** A part of a result of another program. */
export type ForeignContent =
  | { readonly type: "text"; readonly text: string }
  /** `data` is base64, unchecked. */
  | { readonly type: "image" | "audio"; readonly data: string; readonly mime: string }
  /** Text or base64 (unchecked) of a resource. */
  | { readonly type: "resource"; readonly uri: string; readonly mime: string; readonly text: string }
  | { readonly type: "blob"; readonly uri: string; readonly mime: string; readonly data: string }
  | { readonly type: "link"; readonly uri: string; readonly name: string };

export interface ForeignResult {
  readonly content: readonly ForeignContent[];
  /** The tool reports that it failed. */
  readonly isError: boolean;
}

const maxImages = 4;
/** Images, sounds and files of a result that have a line; the rest have one together. */
const maxBinaries = 20;
/** Text that is stored, characters; a model gets less. */
const maxTextChars = 250_000;
/** Characters of base64 that show the type of an image. */
const imageHeadChars = 4_096;
/** A longer run of base64 says nothing to a model. */
const base64Run = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{1001,}={0,2}/g;
/** Lines of wrapped base64, and from how many on they are left out. */
const base64Line = /^[A-Za-z0-9+/]{60,76}$/;
const maxBase64Lines = 16;

interface ResultOptions {
  /** Name of the source, for the mark. */
  readonly source: string;
  /** Whether the model accepts images. */
  readonly vision: boolean;
  storeBlob(bytes: Uint8Array): Promise<BlobId>;
}

/** Converts a result. Rejects with what `storeBlob` rejects with, and when the signal fires. */
export async function toForeignOutput(
  { content, isError }: ForeignResult,
  { source, vision, storeBlob }: ResultOptions,
  signal: AbortSignal,
): Promise<ToolResult> {
  const images: Block[] = [];
  const files: ResultFile[] = [];
  const lines = makeResultLines();
  let binaries = 0;

  async function addImage(data: string): Promise<void> {
    const bytes = Buffer.byteLength(data, "base64");
    const mime = detectImageType(Buffer.from(data.slice(0, imageHeadChars), "base64"));
    const size = formatDecimalSize(bytes);
    if (mime === null) lines.add(`[image left out: not PNG, JPEG, WebP or GIF, ${size}]`);
    else if (bytes > limits.imageMaxBytes) lines.add(`[image left out: ${mime}, ${size} is too large]`);
    else if (images.length >= maxImages) lines.add(`[image left out: more than ${maxImages}]`);
    else {
      // A model that does not see gets the text alone; the card shows the image.
      images.push({ type: "image", mime, blob: await storeBlob(Buffer.from(data, "base64")) });
      lines.add(`[image ${images.length}: ${mime}, ${size}${vision ? "" : ". This model cannot see images."}]`);
    }
  }

  async function addBinary(part: Extract<ForeignContent, { readonly data: string }>): Promise<void> {
    binaries += 1;
    if (binaries > maxBinaries) return;
    const isImage = part.type === "image" || (part.mime.startsWith("image/") && part.mime !== "image/svg+xml");
    if (isImage && part.type !== "audio") return addImage(part.data);
    const bytes = Buffer.from(part.data, "base64");
    const found = { name: part.type === "blob" ? part.uri : "", mime: part.mime, bytes };
    const file = await storeResultFile(found, storeBlob);
    if (file !== null) files.push(file);
    lines.add(describeResultFile(found, file));
  }

  async function add(part: ForeignContent): Promise<void> {
    switch (part.type) {
      case "text":
        return lines.addText("", part.text);
      case "resource":
        return lines.addText(`${oneLine(part.uri)}\n`, part.text);
      case "link":
        return lines.add([oneLine(part.name), oneLine(part.uri)].filter((word) => word !== "").join(" "));
      case "image":
      case "audio":
      case "blob":
        return addBinary(part);
    }
  }

  for (const part of content) {
    signal.throwIfAborted();
    await add(part);
  }
  if (binaries > maxBinaries) lines.add(`[${binaries - maxBinaries} more images, sounds or files left out]`);
  const text = lines.end();
  const marked = `[from ${source}]\n${text === "" ? "(no output)" : text}`;
  const output: readonly Block[] = [{ type: "text", text: marked }, ...images];
  return { output, facts: files.length === 0 ? {} : { files }, ...(isError ? { failed: true } : {}) };
}

/** Collects the texts of a result up to the limit; what is beyond is not examined. */
function makeResultLines() {
  const lines: string[] = [];
  let room = maxTextChars;
  let omitted = 0;
  const take = (text: string): string => {
    const taken = text.length > room ? text.slice(0, room).replace(/[\ud800-\udbff]$/, "") : text;
    room -= taken.length;
    omitted += text.length - taken.length;
    return taken;
  };
  return {
    add: (line: string): void => void lines.push(take(line)),
    addText: (head: string, text: string): void => void lines.push(take(head) + toPlainText(take(text))),
    end(): string {
      const shown = lines.filter((line) => line !== "");
      return [...shown, ...(omitted === 0 ? [] : [`[${omitted} characters left out]`])].join("\n\n");
    },
  };
}

/** A name or an address of a server, so that it stays within its line. */
const oneLine = (text: string): string => toForeignLine(stripAnsi(text.slice(0, 2_000)), 300);

const toPlainText = (text: string): string =>
  escapeElements(removeInvisible(cutBase64Lines(cutBase64Runs(stripAnsi(text))))).trimEnd();

const leftOut = (chars: number): string => `[${chars} characters of base64 left out]`;

const cutBase64Runs = (text: string): string => text.replace(base64Run, (run) => leftOut(run.length));

function cutBase64Lines(text: string): string {
  const shown: string[] = [];
  let block: string[] = [];
  const endBlock = (): void => {
    if (block.length > maxBase64Lines) shown.push(leftOut(block.join("").length));
    else shown.push(...block);
    block = [];
  };
  for (const line of text.split("\n")) {
    if (base64Line.test(line)) {
      block.push(line);
      continue;
    }
    endBlock();
    shown.push(line);
  }
  endBlock();
  return shown.join("\n");
}
