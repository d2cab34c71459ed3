/** Local references of a document. Another document is never fetched: a reference to one makes an operation unusable. Pure. */
import { findPointerTarget } from "@/server/base/json-pointer";
import type { ApiSkipKind } from "@/lib/tools/openapi";
import { type DocumentObject, isDocumentObject, memberOf } from "./document-value";

/** Ends the reading of an operation that cannot be a tool. */
export class SkippedOperation extends Error {
  override readonly name = "SkippedOperation";
  constructor(
    readonly kind: ApiSkipKind,
    readonly detail: string,
  ) {
    super(`${kind}: ${detail}`);
  }
}

const maxAddressChars = 300;
const maxHops = 20;

/** Follows references until there is a value. Throws SkippedOperation. */
export function resolveReference(root: DocumentObject, value: unknown): unknown {
  let found = value;
  for (let hops = 0; isDocumentObject(found) && typeof memberOf(found, "$ref") === "string"; hops += 1) {
    const pointer = String(found.$ref);
    if (hops > maxHops) throw new SkippedOperation("circular_reference", pointer.slice(0, maxAddressChars));
    found = resolvePointer(root, pointer);
  }
  return found;
}

function resolvePointer(root: DocumentObject, pointer: string): unknown {
  const shown = pointer.slice(0, maxAddressChars);
  if (!pointer.startsWith("#")) throw new SkippedOperation("foreign_reference", shown);
  const target = findPointerTarget(root, pointer);
  if (target === undefined) throw new SkippedOperation("missing_reference", shown);
  return target;
}

/** Values of schemas that are data, not schemas. */
const dataKeywords: ReadonlySet<string> = new Set(["example", "examples", "default", "enum", "const"]);

/** Returns a function that throws SkippedOperation if a schema leads to another document, or to nothing. */
export function makeReferenceCheck(root: DocumentObject): (schema: unknown) => void {
  /** Targets that were examined, with the failure they lead to. */
  const examined = new Map<string, SkippedOperation | null>();
  const checkPointer = (pointer: string): SkippedOperation | null => {
    const cached = examined.get(pointer);
    if (cached !== undefined) return cached;
    // A target that contains a reference to itself is fine.
    examined.set(pointer, null);
    let failure: SkippedOperation | null;
    try {
      failure = find(resolvePointer(root, pointer));
    } catch (error) {
      if (!(error instanceof SkippedOperation)) throw error;
      failure = error;
    }
    examined.set(pointer, failure);
    return failure;
  };
  const find = (schema: unknown): SkippedOperation | null => {
    const open: unknown[] = [schema];
    const seen = new Set<unknown>();
    while (open.length > 0) {
      const one = open.pop();
      if (typeof one !== "object" || one === null || seen.has(one)) continue;
      seen.add(one);
      if (isDocumentObject(one) && typeof memberOf(one, "$ref") === "string") {
        const failure = checkPointer(String(one.$ref));
        if (failure !== null) return failure;
      }
      for (const [name, member] of Object.entries(one)) if (!dataKeywords.has(name)) open.push(member);
    }
    return null;
  };
  return (schema) => {
    const failure = find(schema);
    if (failure !== null) throw failure;
  };
}
