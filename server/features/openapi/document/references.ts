/** Local references of a document. Another document is never fetched: a reference to one makes an operation unusable. Pure. */
import { isRecord } from "@/lib/events/content";
import { findPointerTarget } from "@/server/base/json-pointer";
import type { ApiSkipKind } from "@/lib/tools/openapi";
import { type DocumentObject, memberOf } from "./document-value";

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

/** Returns what `read` returns, or why there is no tool. */
export function attemptRead<T>(read: () => T): T | SkippedOperation {
  try {
    return read();
  } catch (error) {
    if (error instanceof SkippedOperation) return error;
    throw error;
  }
}

const maxAddressChars = 300;
const maxHops = 20;

/** Follows references until there is a value. Throws SkippedOperation. */
export function resolveReference(root: DocumentObject, value: unknown): unknown {
  let found = value;
  for (let hops = 0; isRecord(found) && typeof memberOf(found, "$ref") === "string"; hops += 1) {
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

/**
 * Returns a function that throws SkippedOperation if a schema leads to another document, or to nothing. Without recursion:
 * a document decides how long its chains of references are.
 */
export function makeReferenceCheck(root: DocumentObject): (schema: unknown) => void {
  /** Values that lead to no failure, and to which one the others lead. */
  const sound = new WeakSet<object>();
  const failing = new WeakMap<object, SkippedOperation>();
  /** The failure of the value itself; else where its reference leads. */
  const follow = (value: object): SkippedOperation | { readonly target: unknown } => {
    const found = failing.get(value);
    if (found !== undefined) return found;
    if (!isRecord(value) || typeof memberOf(value, "$ref") !== "string") return { target: undefined };
    return attemptRead(() => ({ target: resolvePointer(root, String(value.$ref)) }));
  };
  return (schema) => {
    const open: object[] = [];
    /** Every value that was reached, with the one that led to it. */
    const reached = new Map<object, object | null>();
    const reach = (value: unknown, from: object | null): void => {
      if (typeof value !== "object" || value === null || reached.has(value) || sound.has(value)) return;
      reached.set(value, from);
      open.push(value);
    };
    reach(schema, null);
    for (let one = open.pop(); one !== undefined; one = open.pop()) {
      const followed = follow(one);
      if (followed instanceof SkippedOperation) {
        for (let at: object | null = one; at !== null; at = reached.get(at) ?? null) failing.set(at, followed);
        throw followed;
      }
      reach(followed.target, one);
      for (const [name, member] of Object.entries(one)) if (!dataKeywords.has(name)) reach(member, one);
    }
    // Only the whole of it is sound: a part of a cycle leads to all that the cycle leads to.
    for (const value of reached.keys()) sound.add(value);
  };
}
