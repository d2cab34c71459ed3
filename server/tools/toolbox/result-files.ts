/** Files in results of tools of other programs: stored beside the result, for the user to save; a model gets a line. */
import type { ResultFile } from "@/lib/events/tool-kind";
import type { BlobId } from "@/lib/events/id";
import { serverLimits } from "@/lib/settings/server-limits";
import { stripAnsi } from "@/lib/text/ansi";
import { formatDecimalSize } from "../core/to-tool-error";
import { toForeignLine, toOneLine } from "./foreign-text";

const maxNameChars = 100;

/** Endings of the types that tools often answer with. */
const endings: Readonly<Record<string, string>> = {
  "application/pdf": ".pdf",
  "application/zip": ".zip",
  "application/gzip": ".gz",
  "audio/mpeg": ".mp3",
  "audio/wav": ".wav",
  "audio/x-wav": ".wav",
  "audio/ogg": ".ogg",
  "video/mp4": ".mp4",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ".xlsx",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ".docx",
};

interface FoundFile {
  /** As the other program gives it: a name or an address; "" = none. */
  readonly name: string;
  readonly mime: string;
  readonly bytes: Uint8Array;
}

/** Stores a file; null = it is too large. Rejects with what `storeBlob` rejects with. */
export async function storeResultFile(
  { name, mime, bytes }: FoundFile,
  storeBlob: (bytes: Uint8Array) => Promise<BlobId>,
): Promise<ResultFile | null> {
  if (bytes.length > serverLimits.resultFileMaxBytes) return null;
  const type = toType(mime);
  return { name: toFileName(name, type), mime: type, bytes: bytes.length, blob: await storeBlob(bytes) };
}

/** The line in place of a file. `stored` = null: it was not stored. */
export function describeResultFile({ name, mime, bytes }: FoundFile, stored: ResultFile | null): string {
  const size = formatDecimalSize(bytes.length);
  if (stored !== null) return describeStored(stored, "stored for the user");
  return `[${toFileName(name, toType(mime))}: ${toType(mime)}, ${size}, left out: too large]`;
}

const describeStored = ({ name, mime, bytes }: ResultFile, note: string): string =>
  `[${name}: ${mime}, ${formatDecimalSize(bytes)}, ${note}]`;

/** Returns the text of a result where its stored files cannot be saved: `note` in their lines says so. */
export const describeMissingFiles = (text: string, files: readonly ResultFile[], note: string): string =>
  files.reduce(
    (shown, file) => shown.replace(describeStored(file, "stored for the user"), () => describeStored(file, note)),
    text,
  );

const toType = (mime: string): string =>
  toForeignLine(stripAnsi(mime.slice(0, 300)), 200) || "application/octet-stream";

/** The last part of a name or address, without what a file name cannot have. */
function toFileName(name: string, mime: string): string {
  const last =
    stripAnsi(name.slice(-2_000))
      .replace(/[?#].*$/s, "")
      .split(/[\\/]/)
      .at(-1) ?? "";
  const plain = toOneLine(last)
    .replace(/[\x00-\x1f<>:"|?*[\]]/g, "_")
    .replace(/^\.+/, "")
    .slice(-maxNameChars);
  const ending = endings[mime.split(";")[0]?.trim().toLowerCase() ?? ""] ?? "";
  return plain === "" ? `file${ending}` : plain;
}
