"use client";
/**
 * Message field shown before the composer: in the exported page, while messages load, while a session opens.
 * Uncontrolled, so that it works before hydration; first-field.ts handles its keys and stores its draft.
 */
import { useLayoutEffect, useRef } from "react";
import { mayTakeFocus } from "../../../ui/browser/focus";
import { readDraft } from "./drafts";
import { storeEarlyText, newDraftKey, restoreEarlyText, takeEarlyText } from "./early-text";

interface EarlyFieldProps {
  /** Absent in the exported page: first-field.ts sets it from the URL. */
  readonly draftKey?: string;
  readonly label?: string;
  readonly placeholder?: string;
}

export function EarlyField({ draftKey, label, placeholder }: EarlyFieldProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const field = area.current;
    if (field === null) return;
    // The exported page's own field already has its key and text.
    if (draftKey !== undefined) initializeField(field, draftKey);
    return () => storeEarlyText(field);
  }, [draftKey]);
  return (
    <div className="@container mt-auto px-(--scrollbar-width,0px)">
      <div className="px-4 pt-2 pb-4 @lg:px-6 max-tablet:px-3 max-tablet:pb-2">
        <div
          data-early-composer
          className="mx-auto w-full max-w-[760px] rounded-dialog border border-line bg-raised shadow-rest focus-within:border-ink-faint/70"
        >
          <textarea
            ref={area}
            data-early
            rows={1}
            aria-label={label}
            placeholder={placeholder}
            suppressHydrationWarning
            className="field-sizing-content block max-h-60 w-full resize-none bg-transparent px-4 pt-3 text-talk text-ink outline-none placeholder-shown:overflow-hidden placeholder-shown:text-ellipsis placeholder-shown:whitespace-nowrap data-sends:opacity-60 max-tablet:text-field"
          />
          <div className="h-11 max-tablet:h-15" />
        </div>
      </div>
    </div>
  );
}

/** Fills the field with the stored draft and the text typed into its predecessor. */
function initializeField(field: HTMLTextAreaElement, draftKey: string): void {
  const early = takeEarlyText(draftKey);
  const key = early !== null && draftKey === newDraftKey ? early.draftKey : draftKey;
  const draft = readDraft(key);
  field.dataset.draftKey = key;
  field.dataset.prefilled = draft;
  field.value = draft;
  if (early !== null) {
    restoreEarlyText(field, draft, early);
    if (early.sends) field.dataset.sends = "";
    if (field.placeholder === "") field.placeholder = early.placeholder;
    if (field.ariaLabel === null) field.ariaLabel = early.label;
  }
  if (!mayTakeFocus()) return;
  field.focus();
  field.setSelectionRange(field.value.length, field.value.length);
}
