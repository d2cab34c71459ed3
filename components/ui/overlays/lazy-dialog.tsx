"use client";
/**
 * Placeholder dialog while a lazy dialog's code or data loads: an empty modal dialog that takes the focus at once, so
 * that no key reaches the field behind it. Esc closes it.
 */
import { type ReactNode, Suspense } from "react";
import { useModal } from "./use-modal";

interface DialogPlaceholderProps {
  /** Accessible name. */
  readonly label: string;
  readonly onClose: () => void;
}

export function DialogPlaceholder({ label, onClose }: DialogPlaceholderProps) {
  const dialog = useModal();
  return (
    <dialog
      ref={dialog}
      tabIndex={-1}
      autoFocus
      data-key-hold
      aria-busy
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={onClose}
      className="m-auto size-px border-0 bg-transparent p-0 outline-none backdrop:bg-scrim"
    />
  );
}

/** Wraps a dialog created with `lazy`. */
export const LazyDialog = ({ children, ...hold }: DialogPlaceholderProps & { readonly children: ReactNode }) => (
  <Suspense fallback={<DialogPlaceholder {...hold} />}>{children}</Suspense>
);
