"use client";
/** Modal dialog, on phones a bottom sheet. The browser traps the focus and restores it on close. */
import { X } from "lucide-react";
import { type ReactNode, useLayoutEffect, useId } from "react";
import { classes } from "../theme/classes";
import { IconButton } from "../controls/icon-button";
import { useModal } from "./use-modal";

interface DialogProps {
  readonly title: string;
  readonly closeName: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly footer?: ReactNode;
  readonly wide?: boolean;
}

export function Dialog({ title, closeName, onClose, children, footer, wide = false }: DialogProps) {
  const element = useModal();
  const titleId = useId();
  useLayoutEffect(() => {
    const dialog = element.current;
    // Focus the first field, else the dialog; by default the browser would focus the close button.
    (dialog?.querySelector<HTMLElement>("input, textarea") ?? dialog)?.focus();
  }, [element]);
  return (
    <dialog
      ref={element}
      tabIndex={-1}
      aria-labelledby={titleId}
      onCancel={(event) => {
        // In React the event bubbles, from a dialog opened by this one or from a file field.
        if (event.target !== element.current) return;
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => {
        if (event.target === element.current) onClose();
      }}
      className={classes(
        "outline-none max-h-[min(44rem,calc(100dvh-32px))] animate-rise overflow-hidden border border-line bg-raised p-0 text-ink shadow-float backdrop:bg-scrim",
        "m-auto rounded-dialog max-tablet:mb-0 max-tablet:w-full max-tablet:max-w-none max-tablet:rounded-b-none",
        wide ? "w-[min(52rem,calc(100vw-32px))]" : "w-[min(30rem,calc(100vw-32px))]",
      )}
    >
      <div className="flex max-h-[inherit] flex-col">
        <header className="flex items-center gap-2 py-2 pr-2 pl-4">
          <h2 id={titleId} className="min-w-0 flex-1 cut text-title font-semibold">
            {title}
          </h2>
          <IconButton icon={X} name={closeName} side="below" onClick={onClose} />
        </header>
        <div className="min-h-0 flex-1 overflow-y-auto px-4 pb-4">{children}</div>
        {footer !== undefined && (
          <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-4 py-3">{footer}</footer>
        )}
      </div>
    </dialog>
  );
}
