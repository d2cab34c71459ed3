"use client";
/**
 * Command palette (mod+K) and quick open (mod+P): find commands, files, symbols and sessions by a few letters; see
 * `parsePaletteText` for the prefixes. The field is in the initial bundle, so that it has the focus before the next key press; the rows load lazily.
 */
import { Search } from "lucide-react";
import { type KeyboardEvent, lazy, Suspense, useCallback, useId, useState } from "react";
import type { ActionContext } from "../../actions/action";
import { Icon } from "../../ui/indicators/icon";
import { useModal } from "../../ui/overlays/use-modal";
import { useMessages } from "../../messages/messages";
import { takeEarlyOverlayText } from "../boot/early-overlay";
import type { PaletteChoice } from "./palette-match";
import type { PaletteStart } from "./palette-query";
import { isForInputMethod } from "../../ui/browser/is-for-input-method";

const PaletteList = lazy(async () => ({ default: (await import("./palette-list")).PaletteList }));

interface PaletteProps {
  readonly start: PaletteStart;
  /** Initial text of the field; absent = empty. */
  readonly prefix?: string;
  readonly context: ActionContext;
  readonly onClose: () => void;
}

export function Palette({ start, prefix = "", context, onClose }: PaletteProps) {
  const messages = useMessages();
  const dialog = useModal();
  const listId = useId();
  const [early] = useState(takeEarlyOverlayText);
  const [text, setText] = useState(prefix + early.text);
  const [at, setAt] = useState(0);
  const [count, setCount] = useState(0);
  const [isEntered, setEntered] = useState(early.isEntered);
  const run = useCallback(
    (choice: PaletteChoice | undefined): void => {
      setEntered(false);
      if (choice === undefined) return;
      onClose();
      // The dialog restores the focus first.
      requestAnimationFrame(choice.perform);
    },
    [onClose],
  );
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isForInputMethod(event.nativeEvent)) return;
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) setAt((now) => (now + step + count) % Math.max(1, count));
    else if (event.key === "Enter") setEntered(true);
    else return;
    event.preventDefault();
  };
  return (
    <dialog
      ref={dialog}
      aria-label={messages.actions.names.palette}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => {
        if (event.target === dialog.current) onClose();
      }}
      className="mx-auto mt-[12vh] mb-auto w-[min(36rem,calc(100vw-32px))] animate-rise overflow-hidden rounded-dialog border border-line bg-raised p-0 text-ink shadow-float backdrop:bg-scrim max-tablet:mt-4"
    >
      <div className="flex items-center gap-2 border-b border-line px-3">
        <Icon of={Search} className="text-ink-faint" />
        <input
          autoFocus
          role="combobox"
          aria-expanded
          aria-controls={listId}
          aria-activedescendant={count === 0 ? undefined : `${listId}${at}`}
          aria-label={messages.actions.placeholders[start]}
          placeholder={messages.actions.placeholders[start]}
          spellCheck={false}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setAt(0);
            setEntered(false);
          }}
          onFocus={({ currentTarget: field }) => field.setSelectionRange(field.value.length, field.value.length)}
          onKeyDown={onKeyDown}
          className="h-11 flex-1 bg-transparent text-talk outline-none max-tablet:text-field"
        />
      </div>
      <Suspense
        fallback={
          <div id={listId} role="listbox" aria-busy aria-label={messages.actions.names.palette} className="h-72" />
        }
      >
        <PaletteList
          {...{ start, context, text, activeIndex: at, isSubmitted: isEntered }}
          id={listId}
          onActiveIndex={setAt}
          onCount={setCount}
          onRun={run}
        />
      </Suspense>
    </dialog>
  );
}
