/**
 * Parses the text of a document: JSON or YAML, OpenAPI 3.0 to 3.2 or Swagger 2, which is converted to 3.0. Runs in the
 * worker, because it blocks.
 */
import { isRecord } from "@/lib/events/content";
import { upgradeFromTwoToThree } from "@scalar/openapi-upgrader/2.0-to-3.0";
import { LineCounter, parseDocument as parseYaml } from "yaml";
import type { Result } from "@/lib/events/error";
import type { DocumentProblem } from "./document-problem";
import type { DocumentObject } from "./document-value";

export interface ParsedDocument {
  /** In the form of OpenAPI 3. */
  readonly root: DocumentObject;
  /** As it was written, such as `Swagger 2.0`. */
  readonly format: string;
}

/** Aliases of YAML that may be resolved: more are an attack on memory. */
const maxAliases = 10_000;

export function parseDocument(text: string): Result<ParsedDocument, DocumentProblem> {
  const trimmed = text.replace(/^\uFEFF/, "").trim();
  if (trimmed === "") return failWith({ reason: "empty" });
  if (trimmed.startsWith("<")) return failWith({ reason: "html" });
  const parsed = parseText(trimmed.length === text.length ? text : text.replace(/^\uFEFF/, ""));
  if (!parsed.ok) return parsed;
  return isRecord(parsed.value) ? readVersion(parsed.value) : failWith({ reason: "not_openapi" });
}

const failWith = (error: DocumentProblem): { readonly ok: false; readonly error: DocumentProblem } => ({
  ok: false,
  error,
});

function parseText(text: string): Result<unknown, DocumentProblem> {
  if (/^\s*\{/.test(text)) {
    try {
      const value: unknown = JSON.parse(text);
      return { ok: true, value };
    } catch {
      // Read as YAML below, which allows for more, and says where the mistake is.
    }
  }
  const lineCounter = new LineCounter();
  const document = parseYaml(text, { lineCounter, logLevel: "silent", uniqueKeys: false, merge: true });
  const [error] = document.errors;
  if (error !== undefined) {
    const { line, col } = lineCounter.linePos(error.pos[0]);
    return failWith({ reason: "syntax", line, column: col });
  }
  try {
    const value: unknown = document.toJS({ maxAliasCount: maxAliases });
    return { ok: true, value };
  } catch {
    return failWith({ reason: "syntax", line: 1, column: 1 });
  }
}

const maxVersionChars = 20;
/** YAML may read it as a number; an object has no text. */
const toVersion = (value: unknown): string =>
  (typeof value === "object" ? JSON.stringify(value) : String(value)).slice(0, maxVersionChars);

function readVersion(root: DocumentObject): Result<ParsedDocument, DocumentProblem> {
  const { openapi, swagger, swaggerVersion } = root;
  if (openapi !== undefined) {
    const version = toVersion(openapi);
    if (!/^3\.[012](?:\.|$)/.test(version)) return failWith({ reason: "version", version });
    return { ok: true, value: { root, format: `OpenAPI ${version}` } };
  }
  if (swagger !== undefined) {
    const version = toVersion(swagger);
    if (/^1(?:\.|$)/.test(version)) return failWith({ reason: "swagger_1" });
    if (!/^2(?:\.0)?$/.test(version)) return failWith({ reason: "version", version });
    const upgraded = upgrade(root);
    return upgraded === null
      ? failWith({ reason: "not_openapi" })
      : { ok: true, value: { root: upgraded, format: "Swagger 2.0" } };
  }
  return failWith({ reason: swaggerVersion === undefined ? "not_openapi" : "swagger_1" });
}

/** null = its parts do not have the form that they must have. */
function upgrade(root: DocumentObject): DocumentObject | null {
  try {
    const upgraded: unknown = upgradeFromTwoToThree({ ...root });
    return isRecord(upgraded) ? upgraded : null;
  } catch {
    return null;
  }
}
