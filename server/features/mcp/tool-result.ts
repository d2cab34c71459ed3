/**
 * Makes the result of an MCP tool what a model and a card get: text marked with its source, images, and what was stored
 * beside it. Links are lines, never fetched.
 */
import type { Block } from "@/lib/events/content";
import type { BlobId } from "@/lib/events/id";
import { limits } from "@/lib/settings/settings";
import { stripAnsi } from "@/lib/text/ansi";
import { detectImageType } from "@/lib/workspace/detect-image-type";
import { formatDecimalSize } from "@/server/tools/core/to-tool-error";
import type { ToolResult } from "@/server/tools/core/tool";
import type { McpContent, McpToolResult } from "./transport/repair-content";

const maxImages = 4;
/** A longer run of base64 says nothing to a model. */
const maxBase64Chars = 1_000;
/** Lines of wrapped base64, and from how many on they are left out. */
const base64Line = /^[A-Za-z0-9+/]{60,76}$/;
const maxBase64Lines = 16;

/** Binary content of a result, stored as a blob. */
export interface McpAttachment {
  readonly kind: "image" | "audio" | "file";
  /** As the model reads it: `image 1`, or the address of a resource. */
  readonly name: string;
  readonly mime: string;
  readonly bytes: number;
  readonly blob: BlobId;
}

export interface McpToolOutput {
  readonly result: ToolResult;
  /** Everything that was stored, also the images that the model cannot see. */
  readonly attachments: readonly McpAttachment[];
}

interface ResultOptions {
  /** Name of the source, for the mark. */
  readonly source: string;
  /** Whether the model accepts images. */
  readonly vision: boolean;
  storeBlob(bytes: Uint8Array): Promise<BlobId>;
}

/** Converts a result. Rejects only with what `storeBlob` rejects with. */
export async function toMcpToolOutput(
  { content, isError }: McpToolResult,
  { source, vision, storeBlob }: ResultOptions,
): Promise<McpToolOutput> {
  const attachments: McpAttachment[] = [];
  const images: Block[] = [];
  const lines: string[] = [];

  async function store(kind: McpAttachment["kind"], name: string, mime: string, bytes: Uint8Array): Promise<BlobId> {
    const blob = await storeBlob(bytes);
    attachments.push({ kind, name, mime, bytes: bytes.length, blob });
    return blob;
  }

  async function addImage(data: string): Promise<void> {
    const bytes = Buffer.from(data, "base64");
    const mime = detectImageType(bytes);
    const size = formatDecimalSize(bytes.length);
    const count = attachments.filter(({ kind }) => kind === "image").length;
    const name = `image ${count + 1}`;
    if (mime === null) lines.push(`[image left out: not PNG, JPEG, WebP or GIF, ${size}]`);
    else if (bytes.length > limits.imageMaxBytes) lines.push(`[image left out: ${mime}, ${size} is too large]`);
    else if (count >= maxImages) lines.push(`[image left out: more than ${maxImages}]`);
    else {
      const blob = await store("image", name, mime, bytes);
      if (vision) images.push({ type: "image", mime, blob });
      lines.push(`[${name}: ${mime}, ${size}${vision ? "" : ". This model cannot see images."}]`);
    }
  }

  async function addFile(kind: "audio" | "file", name: string, mime: string, data: string): Promise<void> {
    const bytes = Buffer.from(data, "base64");
    const type = mime === "" ? "application/octet-stream" : oneLine(mime);
    await store(kind, name, type, bytes);
    lines.push(`[${name}: ${type}, ${formatDecimalSize(bytes.length)}, stored for the user]`);
  }

  async function add(part: McpContent): Promise<void> {
    switch (part.type) {
      case "text":
        lines.push(toPlainText(part.text));
        return;
      case "resource":
        lines.push(`${oneLine(part.uri)}\n${toPlainText(part.text)}`);
        return;
      case "link":
        lines.push([oneLine(part.name), oneLine(part.uri)].filter((word) => word !== "").join(" "));
        return;
      case "image":
        return addImage(part.data);
      case "audio":
        return addFile("audio", `audio ${attachments.length + 1}`, part.mime, part.data);
      case "blob":
        return part.mime.startsWith("image/") && part.mime !== "image/svg+xml"
          ? addImage(part.data)
          : addFile("file", oneLine(part.uri) || `file ${attachments.length + 1}`, part.mime, part.data);
    }
  }

  for (const part of content) await add(part);
  const text = lines.filter((line) => line !== "").join("\n\n");
  const marked = `[from ${source}]\n${text === "" ? "(no output)" : text}`;
  const output: readonly Block[] = [{ type: "text", text: marked }, ...images];
  return { result: { output, facts: {}, ...(isError ? { failed: true } : {}) }, attachments };
}

/** A name or an address of a server, so that it stays within its line. */
const oneLine = (text: string): string => stripAnsi(text).replace(/\s+/g, " ").trim().slice(0, 300);

const toPlainText = (text: string): string => cutBase64Lines(cutBase64Runs(stripAnsi(text))).trimEnd();

const leftOut = (chars: number): string => `[${chars} characters of base64 left out]`;

const cutBase64Runs = (text: string): string =>
  text.replace(/[A-Za-z0-9+/_-]+={0,2}/g, (run) => (run.length > maxBase64Chars ? leftOut(run.length) : run));

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
