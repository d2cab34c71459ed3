"use client";
/** Short news under the bar at the top, where no field is, read out by screen readers; it may offer one action (undo). Its owner decides how long it stays. */
import { X } from "lucide-react";
import { Button } from "./button";
import { IconButton } from "./icon-button";

export interface Toast {
  readonly id: string;
  readonly text: string;
  readonly look?: "plain" | "danger";
  readonly action?: { readonly label: string; readonly onSelect: () => void };
}

export interface ToastsProps {
  readonly toasts: readonly Toast[];
  readonly closeName: string;
  readonly onClose: (id: string) => void;
}

export function Toasts({ toasts, closeName, onClose }: ToastsProps) {
  return (
    <div
      role="status"
      aria-live="polite"
      className="pointer-events-none fixed top-12 right-4 z-50 flex max-w-[min(28rem,calc(100vw-32px))] flex-col items-end gap-2 max-tablet:top-14"
    >
      {toasts.map((toast) => (
        <div
          key={toast.id}
          data-look={toast.look ?? "plain"}
          className="pointer-events-auto flex max-w-full animate-rise items-center gap-2 rounded-card border border-line bg-raised py-1 pr-1 pl-3 shadow-float data-[look=danger]:border-danger/50"
        >
          <span className="line-clamp-3 min-w-0 py-1 [overflow-wrap:anywhere]">{toast.text}</span>
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
