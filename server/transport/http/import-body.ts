/** Body of an import: one line of JSON with the command's other fields, then the file. */
import type { IncomingMessage } from "node:http";
import { parseJson } from "@/server/base/parse-json";

type ImportBody =
  | { readonly kind: "import"; readonly input: object }
  | { readonly kind: "too_large" }
  | { readonly kind: "wrong" };

const headMaxChars = 4_096;

/** Decodes the body as it arrives, one network chunk at a time. */
export async function readImportBody(request: IncomingMessage, maxBytes: number): Promise<ImportBody> {
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  let head: object | null = null;
  let begun = "";
  let size = 0;
  for await (const part of request) {
    size += part.length;
    if (size > maxBytes) return { kind: "too_large" };
    const piece = decoder.decode(part, { stream: true });
    if (head !== null) {
      pieces.push(piece);
      continue;
    }
    begun += piece;
    const end = begun.indexOf("\n");
    if (end < 0 && begun.length <= headMaxChars) continue;
    head = end < 0 || end > headMaxChars ? null : parseObject(begun.slice(0, end));
    if (head === null) return { kind: "wrong" };
    pieces.push(begun.slice(end + 1));
  }
  if (head === null) return { kind: "wrong" };
  pieces.push(decoder.decode());
  return { kind: "import", input: { ...head, text: pieces.join("") } };
}

function parseObject(line: string): object | null {
  const value = parseJson(line);
  return typeof value === "object" ? value : null;
}
