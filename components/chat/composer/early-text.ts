/**
 * Text typed before the composer is ready. The exported page and each waiting field hand it to the field that replaces them, with
 * focus, selection and a pending Enter. Used by early-field.tsx and composer.tsx; first-field.ts marks the same attributes.
 */

export interface EarlyText {
  readonly draftKey: string;
  readonly text: string;
  /** The draft the field started with. */
  readonly prefilled: string;
  readonly selection: readonly [start: number, end: number];
  readonly hasFocus: boolean;
  /** Enter was pressed: send as soon as the composer can. */
  readonly sends: boolean;
  readonly placeholder: string;
  readonly label: string;
}

/** The draft of a new session whose project is not known yet. */
export const newDraftKey = "new";

let early: EarlyText | null = null;

/** Remembers a field that is about to be replaced. A field without a key belongs to a page that shows no composer. */
export function keepEarly(field: HTMLTextAreaElement): void {
  const { draftKey, prefilled = "", sends } = field.dataset;
  if (draftKey === undefined) return;
  early = {
    draftKey,
    text: field.value,
    prefilled,
    selection: [field.selectionStart, field.selectionEnd],
    hasFocus: document.activeElement === field,
    sends: sends !== undefined,
    placeholder: field.placeholder,
    label: field.getAttribute("aria-label") ?? "",
  };
}

/** What was typed for this draft, once. null = nothing. */
export function takeEarly(draftKey: string): EarlyText | null {
  if (early === null || !isSameDraft(early.draftKey, draftKey)) return null;
  const taken = early;
  early = null;
  return taken;
}

const isNew = (key: string): boolean => key === newDraftKey || key.startsWith(`${newDraftKey}.`);

/** The first project may differ from the one this browser remembered: text for a new session follows. */
const isSameDraft = (one: string, other: string): boolean => one === other || (isNew(one) && isNew(other));

/** The text of the field: the stored draft with what was typed since. Nothing typed is dropped. Pure. */
export function withEarly(draft: string, { text, prefilled }: Pick<EarlyText, "text" | "prefilled">): string {
  if (text === draft || text === prefilled) return draft;
  if (draft === prefilled || draft === "") return text;
  return `${draft}\n${text}`;
}

/** Gives a field the text, focus and selection of the one it replaces; returns its text. */
export function restoreEarly(field: HTMLTextAreaElement, draft: string, from: EarlyText): string {
  const text = withEarly(draft, from);
  field.value = text;
  const moved = text.length - from.text.length;
  if (from.hasFocus) field.focus();
  field.setSelectionRange(from.selection[0] + moved, from.selection[1] + moved);
  return text;
}
