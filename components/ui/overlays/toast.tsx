"use client";
/**
 * Toasts in a place of their own, which covers nothing: between the items of the status bar, on phones a row above the
 * tabs. Announced by screen readers; optionally with one action (undo). The owner decides how long a toast stays.
 */
import { X } from "lucide-react";
import { Button } from "../controls/button";
import { IconButton } from "../controls/icon-button";

interface Toast {
  readonly id: string;
  readonly text: string;
  readonly look?: "plain" | "danger";
  readonly action?: { readonly label: string; readonly onSelect: () => void };
}

interface ToastsProps {
  readonly toasts: readonly Toast[];
  readonly closeName: string;
  readonly onClose: (id: string) => void;
}

export function Toasts({ toasts, closeName, onClose }: ToastsProps) {
  return (
    <div
      role="status"
      aria-live="polite"
      data-toasts
      className="flex min-w-0 flex-1 flex-wrap justify-end gap-x-2 gap-y-px not-empty:min-w-[min(28rem,60vw)]"
    >
      {toasts.map((toast) => (
        <div
          key={toast.id}
          data-look={toast.look ?? "plain"}
          className="flex max-w-full items-center gap-2 rounded-control bg-pressed pl-2 text-ink data-[look=danger]:bg-danger-soft data-[look=danger]:text-danger max-tablet:rounded-none max-tablet:border-t max-tablet:border-line max-tablet:pl-4 max-tablet:w-full max-tablet:py-1 tablet:[&_button]:h-5"
        >
          <span className="line-clamp-3 min-w-0 flex-1 py-0.5 whitespace-normal [overflow-wrap:anywhere]">
            {toast.text}
          </span>
          {toast.action !== undefined && (
            <Button size="small" onClick={toast.action.onSelect}>
              {toast.action.label}
            </Button>
          )}
          <IconButton icon={X} name={closeName} size="small" onClick={() => onClose(toast.id)} />
        </div>
      ))}
    </div>
  );
}
