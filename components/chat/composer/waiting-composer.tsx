"use client";
/** The message field of a session that is still being opened: what is typed goes into its draft, where the composer finds it. */
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { useWords } from "@/components/words/words";
import { mayTakeFocus } from "../../ui/focus";
import { readDraft, writeDraft } from "./drafts";
import { useGrowing } from "./use-growing";

const maxHeightPx = 240;

export function WaitingComposer({ draftKey }: { readonly draftKey: string }) {
  const { composer } = useWords();
  const area = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(() => readDraft(draftKey));
  useGrowing(area, text, maxHeightPx);
  useLayoutEffect(() => {
    if (mayTakeFocus()) area.current?.focus();
  }, []);
  useEffect(() => {
    const end = area.current?.value.length ?? 0;
    area.current?.setSelectionRange(end, end);
  }, []);
  return (
    <div className="@container mt-auto">
      <div className="px-4 pt-2 pb-4 @lg:px-6 max-tablet:px-3 max-tablet:pb-2">
        <div
          data-waiting-composer
          className="mx-auto w-full max-w-[760px] rounded-dialog border border-line bg-raised shadow-rest focus-within:border-ink-faint/70"
        >
          <textarea
            ref={area}
            rows={1}
            value={text}
            aria-label={composer.label}
            placeholder={composer.placeholder.idle}
            onChange={(event) => {
              // Written at once: the composer that comes next reads it while it is drawn.
              writeDraft(draftKey, event.target.value);
              setText(event.target.value);
            }}
            onKeyDown={(event) => {
              // There is nothing to send to yet; the text stays.
              if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) event.preventDefault();
            }}
            className="block w-full resize-none bg-transparent px-4 pt-3 text-talk text-ink outline-none max-tablet:text-field"
          />
          <div className="h-12 max-tablet:h-15" />
        </div>
      </div>
    </div>
  );
}
