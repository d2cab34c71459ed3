"use client";
/** Button that opens a panel. Esc, a click outside and the panel itself close it. */
import { type ComponentProps, type ReactNode, type RefObject, Suspense, useEffect, useRef } from "react";
import { classes } from "../theme/classes";
import { Tooltip } from "./tooltip";
import { type FloatingAlign, type FloatingSide, useFloating } from "./use-floating";
import { useFloatingButton } from "./use-floating-button";
import { isForInputMethod } from "../browser/is-for-input-method";

interface PopoverProps extends Omit<ComponentProps<"button">, "ref"> {
  /** Accessible name of the panel. */
  readonly name: string;
  /** Renders the panel while it is open; may suspend. */
  readonly panel: (close: () => void) => ReactNode;
  readonly side?: FloatingSide;
  readonly align?: FloatingAlign;
  readonly panelClass?: string;
  /** Tooltip of the button. */
  readonly hint?: ReactNode;
}

export function Popover({ name, panel, side = "above", align = "end", panelClass, hint, ...button }: PopoverProps) {
  const { id, anchor, isOpen, close, attributes } = useFloatingButton("dialog");
  return (
    <>
      <button {...button} {...attributes} ref={anchor} />
      {hint !== undefined && !isOpen && <Tooltip anchor={anchor}>{hint}</Tooltip>}
      {isOpen && (
        <Panel {...{ id, anchor, name, side, align }} className={panelClass} onClose={close}>
          <Suspense>{panel(() => close(true))}</Suspense>
        </Panel>
      )}
    </>
  );
}

interface PanelProps {
  readonly id: string;
  readonly anchor: RefObject<HTMLButtonElement | null>;
  readonly name: string;
  readonly side: FloatingSide;
  readonly align: FloatingAlign;
  readonly className: string | undefined;
  readonly onClose: (refocus: boolean) => void;
  readonly children: ReactNode;
}

function Panel({ id, anchor, name, side, align, className, onClose, children }: PanelProps) {
  const box = useRef<HTMLDivElement>(null);
  useFloating(anchor, box, { side, align });
  useEffect(() => box.current?.focus({ preventScroll: true }), []);
  useEffect(() => {
    const outside = ({ target }: PointerEvent): void => {
      // Ignore clicks in a dialog opened from the panel, which is above it.
      if (!(target instanceof Element) || target.closest("dialog") !== null) return;
      if (!box.current?.contains(target) && !anchor.current?.contains(target)) onClose(false);
    };
    // Document listener: a dialog opened from the panel may have taken the focus. An open dialog handles its own Esc.
    const escape = (event: KeyboardEvent): void => {
      if (event.key !== "Escape" || isForInputMethod(event) || document.querySelector("dialog[open]") !== null) return;
      event.preventDefault();
      event.stopPropagation();
      onClose(true);
    };
    addEventListener("pointerdown", outside, true);
    addEventListener("keydown", escape, true);
    return () => {
      removeEventListener("pointerdown", outside, true);
      removeEventListener("keydown", escape, true);
    };
  }, [anchor, onClose]);
  return (
    <div
      ref={box}
      id={id}
      popover="manual"
      role="dialog"
      aria-label={name}
      tabIndex={-1}
      className={classes(
        "fixed inset-auto m-0 max-w-[calc(100vw-16px)] animate-appear overflow-y-auto rounded-card border border-line bg-raised text-base text-ink shadow-float outline-none",
        className,
      )}
    >
      {children}
    </div>
  );
}
