/**
 * Transfers text typed before the composer is ready: the exported page and each waiting field pass it to the field that
 * replaces them, with focus, selection and a pending Enter. first-field.ts sets the same data attributes.
 */

interface EarlyText {
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

/** Draft key of a new session whose project is unknown. */
export const newDraftKey = "new";

let storedText: EarlyText | null = null;

const readField = (field: HTMLTextAreaElement, draftKey: string): EarlyText => ({
  draftKey,
  text: field.value,
  prefilled: field.value,
  selection: [field.selectionStart, field.selectionEnd],
  hasFocus: document.activeElement === field,
  sends: field.dataset.sends !== undefined,
  placeholder: field.placeholder,
  label: field.getAttribute("aria-label") ?? "",
});

/** Stores the state of a field that is about to be replaced. A field without a key has no composer to follow. */
export function storeEarlyText(field: HTMLTextAreaElement): void {
  const { draftKey, prefilled = "" } = field.dataset;
  if (draftKey !== undefined) storedText = { ...readField(field, draftKey), prefilled };
}

/**
 * Stores focus, selection and pending Enter of a composer's field that another one replaces in the same commit: in another
 * layout, or once the project of a new session is known. Its text is the draft.
 */
export function storeReplacedField(field: HTMLTextAreaElement, draftKey: string): void {
  const stored = readField(field, draftKey);
  storedText = stored;
  queueMicrotask(() => {
    if (storedText === stored) storedText = null;
  });
}

/** Removes and returns the early text of this draft; null = none. */
export function takeEarlyText(draftKey: string): EarlyText | null {
  if (storedText === null || !isSameDraft(storedText.draftKey, draftKey)) return null;
  const storedDraft = storedText;
  storedText = null;
  return storedDraft;
}

const isNewSessionKey = (key: string): boolean => key === newDraftKey || key.startsWith(`${newDraftKey}.`);

/** Keys of new sessions match each other: the first project may differ from the one stored in this browser. */
const isSameDraft = (one: string, other: string): boolean =>
  one === other || (isNewSessionKey(one) && isNewSessionKey(other));

/** Merges the stored draft with text typed since; never drops typed text. Pure. */
export function mergeEarlyText(draft: string, { text, prefilled }: Pick<EarlyText, "text" | "prefilled">): string {
  if (text === draft || text === prefilled) return draft;
  if (draft === prefilled || draft === "") return text;
  return `${draft}\n${text}`;
}

/** Restores text, focus and selection of the replaced field; returns the text. */
export function restoreEarlyText(field: HTMLTextAreaElement, draft: string, from: EarlyText): string {
  const text = mergeEarlyText(draft, from);
  field.value = text;
  const moved = text.length - from.text.length;
  if (from.hasFocus) field.focus();
  field.setSelectionRange(from.selection[0] + moved, from.selection[1] + moved);
  return text;
}
