/** References of the composer's draft as data, and their storage beside its text. */
import { referenceName } from "@/lib/events/content";
import type { NewReference, ReferenceSize } from "@/lib/protocol/reference-commands";
import { limits } from "@/lib/settings/settings";

export interface DraftReference {
  readonly id: number;
  readonly reference: NewReference;
  /** null = not measured. */
  readonly size: ReferenceSize | null;
}

/** Name of a reference in the interface: a folder ends in a slash. */
export function draftReferenceName(reference: NewReference): string {
  if (reference.kind === "text") return reference.label;
  if (reference.kind === "folder") return `${reference.path}/`;
  return referenceName({ lines: reference.lines, label: reference.kind === "file" ? reference.path : reference.label });
}

/** Returns a key of the referenced part of the project; two sessions may have the same title. */
export const referenceKey = (reference: NewReference): string =>
  `${reference.kind === "session" ? reference.sessionId : reference.kind} ${draftReferenceName(reference)}`;

/** Whether a message already has it: the same part of the project; texts differ. */
const isSameReference = (one: NewReference, other: NewReference): boolean =>
  one.kind !== "text" && other.kind !== "text" && referenceKey(one) === referenceKey(other);

/** A reference that a message may not have. */
export interface RefusedReference {
  readonly reference: NewReference;
  readonly reason: "empty" | "tooLong" | "tooMany";
}

/** Appends the references that the draft does not have. `refused` = the last one that a message may not have. */
export function appendReferences(
  now: readonly DraftReference[],
  added: readonly DraftReference[],
): { readonly list: readonly DraftReference[]; readonly refused: RefusedReference | null } {
  const list = [...now];
  let refused: RefusedReference | null = null;
  for (const draft of added) {
    const { reference } = draft;
    if (list.some((one) => isSameReference(one.reference, reference))) continue;
    const reason = refusalReason(reference, list.length);
    if (reason === null) list.push(draft);
    else refused = { reference, reason };
  }
  return { list, refused };
}

function refusalReason(reference: NewReference, count: number): RefusedReference["reason"] | null {
  if (count >= limits.messageReferences) return "tooMany";
  if (reference.kind !== "text") return null;
  if (reference.text === "") return "empty";
  return reference.text.length > limits.promptMaxChars ? "tooLong" : null;
}

/** Returns the reference with a label that a message may have: the end of a longer one, as of a path. */
export function clipLabel(reference: NewReference): NewReference {
  if (!("label" in reference) || reference.label.length <= limits.referenceLabelChars) return reference;
  return { ...reference, label: `…${reference.label.slice(1 - limits.referenceLabelChars)}` };
}

/** The reference restricted to the lines that fit; null = it fits, or nothing of it does. */
export function shortenedReference({ reference, size }: DraftReference): NewReference | null {
  if (size?.ok !== true || !size.fitting) return null;
  if (reference.kind === "folder") return null;
  if (reference.kind !== "text") return { ...reference, lines: size.fitting };
  const { first, last } = size.fitting;
  return {
    ...reference,
    label: `${reference.label}:${first}-${last}`,
    text: reference.text
      .split("\n")
      .slice(first - 1, last)
      .join("\n"),
  };
}

const storageKeyPrefix = "gopi-web.draft-references.";

export function readDraftReferences(key: string): readonly NewReference[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKeyPrefix + key) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isNewReference) : [];
  } catch {
    return [];
  }
}

export function writeDraftReferences(key: string, references: readonly NewReference[]): void {
  try {
    if (references.length === 0) localStorage.removeItem(storageKeyPrefix + key);
    else localStorage.setItem(storageKeyPrefix + key, JSON.stringify(references));
  } catch {
    // Cannot be fixed here: the references are still in the composer.
  }
}

function isNewReference(value: unknown): value is NewReference {
  if (typeof value !== "object" || value === null || !("kind" in value)) return false;
  const isNamed = "label" in value && typeof value.label === "string";
  if (value.kind === "text") return isNamed && "text" in value && typeof value.text === "string";
  if (value.kind === "changes") return isNamed;
  if (value.kind === "session") return isNamed && "sessionId" in value && typeof value.sessionId === "string";
  return (value.kind === "file" || value.kind === "folder") && "path" in value && typeof value.path === "string";
}
