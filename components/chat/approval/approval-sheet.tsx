"use client";
/** Bottom sheet with the oldest waiting approval on phones; collapses to one line above the composer. */
import { ChevronDown, ChevronUp } from "lucide-react";
import { type RefObject, useLayoutEffect, useRef, useState } from "react";
import { useConversationMessages } from "../../messages/conversation-messages";
import type { ApprovalView, CallView } from "@/lib/view/view";
import { classes } from "../../ui/theme/classes";
import { IconButton } from "../../ui/controls/icon-button";
import { StatusDot } from "../../ui/indicators/status-dot";
import { ApprovalCard } from "./approval-card";

export interface WaitingApproval {
  readonly call: CallView;
  readonly approval: ApprovalView;
}

export function ApprovalSheet({ pending }: { readonly pending: readonly WaitingApproval[] }) {
  const messages = useConversationMessages();
  const [hidden, setHidden] = useState(false);
  const [oldest] = pending;
  const sheet = useRef<HTMLDivElement>(null);
  const coveredPx = useCoveredHeight(sheet, oldest !== undefined && !hidden);
  if (oldest === undefined) return null;
  return (
    <>
      <div aria-hidden className="shrink-0" style={{ height: coveredPx }} />
      <div
        ref={sheet}
        className={classes(
          "flex flex-col border-[color-mix(in_srgb,var(--ask-edge)_55%,var(--line))] bg-raised",
          hidden
            ? "mx-3 rounded-card border"
            : "fixed inset-x-0 bottom-0 z-30 max-h-[70dvh] animate-rise rounded-t-dialog border-t pb-[env(safe-area-inset-bottom)] shadow-float",
        )}
      >
        <div className="flex h-11 shrink-0 items-center gap-2 pr-1 pl-4">
          <StatusDot status="waiting" />
          <span className="flex-1 font-medium">{messages.approval.waiting}</span>
          {pending.length > 1 && (
            <span className="text-small text-ink-muted tabular-nums">{messages.approval.count(1, pending.length)}</span>
          )}
          <IconButton
            icon={hidden ? ChevronUp : ChevronDown}
            name={hidden ? messages.approval.show : messages.approval.hide}
            onClick={() => setHidden(!hidden)}
          />
        </div>
        {!hidden && (
          <div className="min-h-0 overflow-y-auto">
            <ApprovalCard key={oldest.approval.approvalId} {...oldest} shape="sheet" />
          </div>
        )}
      </div>
    </>
  );
}

/** Height of the container covered by the sheet, px; a spacer of this height keeps the end of the list visible. */
function useCoveredHeight(sheet: RefObject<HTMLDivElement | null>, isOpen: boolean): number {
  const [coveredPx, setCovered] = useState(0);
  useLayoutEffect(() => {
    const element = sheet.current;
    const container = element?.parentElement;
    if (!isOpen || element === null || container === null || container === undefined) return;
    const measure = (): void =>
      setCovered(Math.max(0, container.getBoundingClientRect().bottom - element.getBoundingClientRect().top));
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    observer.observe(container);
    return () => observer.disconnect();
  }, [sheet, isOpen]);
  return isOpen ? coveredPx : 0;
}
