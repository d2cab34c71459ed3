"use client";
/** Inline editor of a sent message or a queued message. */
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useMessages } from "../../messages/messages";
import { limits, type Settings } from "@/lib/settings/settings";
import { Button } from "../../ui/controls/button";
import { interpretComposerKey, toComposerKey } from "../composer/composer-keys";
import { useAutoHeight } from "../composer/use-auto-height";
import { usePasteLimit } from "../composer/use-paste-limit";

interface TextEditorProps {
  readonly text: string;
  /** Accessible name. */
  readonly name: string;
  /** Label of the save button. */
  readonly saveLabel: string;
  readonly sendKey: Settings["sendKey"];
  /** Shown below the text, beside the buttons. */
  readonly note?: string;
  /** False = rejected; the editor stays open. */
  readonly onSave: (text: string) => Promise<boolean>;
  readonly onCancel: () => void;
}

const maxHeightPx = 320;

/** Saves with the composer's send key; Esc discards. */
export function TextEditor({ text, name, saveLabel, sendKey, note, onSave, onCancel }: TextEditorProps) {
  const messages = useMessages();
  const [draft, setDraft] = useState(text);
  const [isBusy, setBusy] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  const compositionEndedAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    area.current?.focus();
    area.current?.setSelectionRange(text.length, text.length);
  }, [text]);
  const { excessChars, reset, handlers } = usePasteLimit();
  useAutoHeight(area, { text: draft, maxHeightPx });
  const canKeep = draft.trim() !== "" && draft.length <= limits.promptMaxChars && !isBusy;
  const keep = (): void => {
    if (!canKeep) return;
    setBusy(true);
    void onSave(draft.trim()).then((isAccepted) => {
      if (!isAccepted) setBusy(false);
    });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const meaning = interpretComposerKey(toComposerKey(event, compositionEndedAt.current), {
      sendKey,
      running: false,
      text: draft,
      inHistory: false,
      isMenuOpen: false,
      hasQueue: false,
    });
    if (meaning !== "send" && meaning !== "escape") return;
    event.preventDefault();
    event.stopPropagation();
    if (meaning === "send") keep();
    else onCancel();
  };
  return (
    <div className="min-w-0 flex-1">
      <textarea
        ref={area}
        rows={1}
        value={draft}
        aria-label={name}
        onChange={(event) => {
          setDraft(event.target.value);
          reset();
        }}
        {...handlers}
        onKeyDown={onKeyDown}
        onCompositionEnd={(event) => {
          compositionEndedAt.current = event.timeStamp;
        }}
        className="block w-full resize-none bg-transparent outline-none max-tablet:text-field"
      />
      {excessChars > 0 && (
        <p role="status" className="text-small text-danger">
          {messages.composer.notPasted(messages.figures.number(excessChars))}
        </p>
      )}
      <div className="flex flex-wrap items-center justify-end gap-2 pt-2">
        {note !== undefined && <p className="min-w-40 flex-1 text-small text-ink-muted">{note}</p>}
        <Button size="small" look="quiet" onClick={onCancel}>
          {messages.common.cancel}
        </Button>
        <Button size="small" look="primary" disabled={!canKeep} busy={isBusy} onClick={keep}>
          {saveLabel}
        </Button>
      </div>
    </div>
  );
}
