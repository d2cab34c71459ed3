"use client";
/** A button that opens a panel beside it: more than a list of choices. Esc, a click outside and the panel itself close it. */
import {
  type ComponentProps,
  type ReactNode,
  type RefObject,
  Suspense,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { classes } from "./classes";
import { Tooltip } from "./tooltip";
import { type Align, type Side, useFloating } from "./use-floating";

export interface PopoverProps extends Omit<ComponentProps<"button">, "ref"> {
  /** Name of the panel for screen readers. */
  readonly name: string;
  /** May load late; it is drawn only while it is open. */
  readonly panel: (close: () => void) => ReactNode;
  readonly side?: Side;
  readonly align?: Align;
  readonly panelClass?: string;
  /** What a pointer that rests on the button is told. */
  readonly hint?: ReactNode;
}

export function Popover({ name, panel, side = "above", align = "end", panelClass, hint, ...button }: PopoverProps) {
  const [open, setOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  const id = useId();
  const close = (refocus: boolean): void => {
    setOpen(false);
    if (refocus) anchor.current?.focus();
  };
  return (
    <>
      <button
        {...button}
        ref={anchor}
        type="button"
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        data-state={open ? "open" : "closed"}
        onClick={() => setOpen(!open)}
      />
      {hint !== undefined && !open && <Tooltip anchor={anchor}>{hint}</Tooltip>}
      {open && (
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
  readonly side: Side;
  readonly align: Align;
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
      // A dialog that was opened from here lies above.
      if (!(target instanceof Element) || target.closest("dialog") !== null) return;
      if (!box.current?.contains(target) && !anchor.current?.contains(target)) onClose(false);
    };
    // Wherever the focus is: a dialog that was opened from here may have taken it away, and takes its own Esc.
    const escape = (event: KeyboardEvent): void => {
      if (event.key !== "Escape" || event.isComposing || document.querySelector("dialog[open]") !== null) return;
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
