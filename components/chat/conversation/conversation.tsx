"use client";
/**
 * The conversation: renders only the visible rows, follows the end until the user scrolls up, and prepends earlier
 * pages without a scroll jump. Data and callbacks are props; use the session id as React key.
 */
import { ArrowDown } from "lucide-react";
import {
  type ReactNode,
  type RefObject,
  type UIEvent,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { useMessages } from "../../messages/messages";
import type { Entry, PhaseView, SessionView } from "@/lib/view/view";
import { classes } from "../../ui/theme/classes";
import { Icon } from "../../ui/indicators/icon";
import { Spinner } from "../../ui/indicators/spinner";
import { useKeptFocus } from "../../ui/browser/use-kept-focus";
import { phoneQuery, useMedia } from "../../ui/layout/use-media";
import { type ListHandle, VirtualList } from "../../ui/layout/virtual-list";
import {
  type ConversationActions,
  ConversationActionsContext,
  type ConversationFacts,
  ConversationFactsContext,
} from "../actions";
import { focusOldestApproval } from "../approval/approval-focus";
import { useTrackPointer } from "../approval/use-click-guard";
import { ApprovalSheet, type WaitingApproval } from "../approval/approval-sheet";
import { ConversationRow } from "./conversation-row";
import {
  estimateHeight,
  gapAbove,
  type ConversationItem,
  createItemBuilder,
  newestChangeIndex,
  newestItemIndex,
  computeTurnPositions,
} from "./conversation-items";
import { MarkdownLinksContext } from "../../ui/markdown/links";
import { PhaseLine } from "../run/phase-line";
import { type FindPosition, useFindHighlights } from "./use-find-highlights";
import { findCallIndex, useKeepOldestApprovalVisible } from "./use-keep-oldest-approval-visible";

export interface ConversationScrollHandle {
  /** Scrolls to and focuses the oldest waiting approval; false if none waits. */
  readonly focusApproval: () => boolean;
  /** Scrolls to an entry and returns the seq of the row that shows it; null if it is not loaded. */
  readonly scrollToEntry: (seq: number) => number | null;
  readonly jumpToLatest: () => void;
}

interface ConversationProps {
  /** The loaded entries of the path, in order. */
  readonly entries: readonly Entry[];
  readonly dismissedCalls: SessionView["dismissedCalls"];
  readonly queue: SessionView["queue"];
  /** seq up to which the entries are of the session that this one was forked from; absent = it is no fork. */
  readonly inheritedUpTo?: number;
  /** Unanswered approvals, oldest first (`pendingApprovals`). */
  readonly pending: readonly WaitingApproval[];
  /** The model server's phase of the open turn; null if nothing runs. */
  readonly phase: PhaseView | null;
  /** Time of the session's last event, ms epoch. */
  readonly lastEventAt: number;
  /** Earlier entries exist that are not loaded. */
  readonly hasOlder: boolean;
  readonly loadingOlder: boolean;
  readonly onLoadOlder: () => void;
  readonly canContinue: boolean;
  readonly actions: ConversationActions;
  readonly facts: ConversationFacts;
  /** Text to highlight; `position` = the current match: its entry and its index in it. */
  readonly find?: { readonly query: string; readonly position: FindPosition | null };
  readonly handle?: RefObject<ConversationScrollHandle | null>;
  readonly className?: string;
}

/** Earlier entries are requested when the scroll position is closer than this to the start, px. */
const loadOlderThresholdPx = 1_200;
/** Height that the button "Jump to latest" covers at the lower edge, with its distances, px. */
const jumpButtonPx = 52;
const emptyFind: NonNullable<ConversationProps["find"]> = { query: "", position: null };

function useItems({ entries, dismissedCalls, queue, inheritedUpTo }: ConversationProps): readonly ConversationItem[] {
  const [toItems] = useState(createItemBuilder);
  return useMemo(
    () => toItems(entries, dismissedCalls, queue, inheritedUpTo),
    [toItems, entries, dismissedCalls, queue, inheritedUpTo],
  );
}

export function Conversation(props: ConversationProps) {
  const {
    pending,
    phase,
    lastEventAt,
    hasOlder,
    loadingOlder,
    onLoadOlder,
    canContinue,
    actions,
    facts,
    find = emptyFind,
    handle,
    className,
  } = props;
  const messages = useMessages();
  const findSeq = find.position?.seq ?? null;
  const phone = useMedia(phoneQuery);
  const items = useItems(props);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const [atEnd, setAtEnd] = useState(true);
  const list = useRef<ListHandle>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const onToggle = useCallback((key: string) => {
    setOpened((keys) => (keys.has(key) ? new Set([...keys].filter((other) => other !== key)) : new Set(keys).add(key)));
  }, []);
  const scrollToEntry = useCallback(
    (seq: number): number | null => {
      const row = findRow(items, seq);
      if (row !== null) list.current?.scrollToIndex(row.index, { align: "center" });
      return row?.seq ?? null;
    },
    [items],
  );
  const jumpToLatest = useCallback(() => list.current?.scrollToEnd(), []);
  const oldest = pending[0];
  useImperativeHandle(
    handle,
    () => ({
      scrollToEntry,
      jumpToLatest,
      focusApproval: () => {
        if (oldest === undefined) return false;
        if (focusOldestApproval()) return true;
        list.current?.scrollToIndex(findCallIndex(items, oldest.call.callId));
        requestAnimationFrame(() => requestAnimationFrame(() => focusOldestApproval()));
        return true;
      },
    }),
    [scrollToEntry, jumpToLatest, oldest, items],
  );
  useTrackPointer();
  useKeptFocus(scroller, "[data-seq]");
  useLayoutEffect(() => list.current?.scrollToEnd(), []);
  const releaseHandlers = useKeepOldestApprovalVisible({ list, scroller, items, pending, atEnd, isOn: !phone });
  useEffect(() => {
    if (findSeq !== null) scrollToEntry(findSeq);
  }, [findSeq, scrollToEntry]);
  useFindHighlights(scroller, find.query, find.position);
  const onScroll = ({ currentTarget: { scrollTop } }: UIEvent<HTMLDivElement>): void => {
    if (hasOlder && !loadingOlder && scrollTop < loadOlderThresholdPx) onLoadOlder();
  };
  const links = useMemo(() => ({ openPath: actions.openPath }), [actions.openPath]);
  const approvalNumbers = useMemo(() => new Map(pending.map(({ call }, index) => [call.callId, index + 1])), [pending]);
  const turnPositionOf = useMemo(() => computeTurnPositions(items), [items]);
  const [newest, newestChange] = [newestItemIndex(items), newestChangeIndex(items)];
  const showsPhase = phase !== null && pending.length === 0;
  const hasProgressRow = showsProgress(items.at(-1)?.content);
  const row = (index: number) => {
    const item = items[index];
    if (item === undefined)
      return showsPhase && phase !== null ? (
        <RowFrame gap={index === 0 || hasProgressRow ? 0 : 8} seq={null}>
          <PhaseLine phase={phase} lastEventAt={lastEventAt} silenceOnly={hasProgressRow} />
        </RowFrame>
      ) : null;
    return (
      <RowFrame gap={gapAbove(items[index - 1], item)} seq={item.seq}>
        <ConversationRow
          item={item}
          open={opened.has(item.key)}
          onToggle={onToggle}
          {...{ last: index === newest, hasUndo: index === newestChange }}
          turnPosition={turnPositionOf(index)}
          canContinue={canContinue}
          phase={hasProgressRow && index === items.length - 1 ? phase : null}
          showsApprovalsInSheet={phone}
          approvalNumber={item.content.kind === "call" ? (approvalNumbers.get(item.content.call.callId) ?? 0) : 0}
          approvalCount={pending.length}
        />
      </RowFrame>
    );
  };
  return (
    <ConversationActionsContext value={actions}>
      <ConversationFactsContext value={facts}>
        <MarkdownLinksContext value={links}>
          <div className={classes("relative flex min-h-0 flex-col", className)}>
            {loadingOlder && (
              <p
                role="status"
                className="absolute inset-x-0 top-2 z-10 mx-auto flex w-fit animate-late items-center gap-2 rounded-full bg-raised px-3 py-1 text-small text-ink-muted shadow-float"
              >
                <Spinner /> {messages.chat.loadingOlder}
              </p>
            )}
            <VirtualList
              role="log"
              aria-label={messages.chat.label}
              aria-live="off"
              tabIndex={0}
              className="@container flex min-h-0 flex-1 flex-col overflow-x-hidden overflow-y-auto overscroll-contain outline-none [overflow-anchor:none] [scrollbar-gutter:stable_both-edges]"
              columnClass="mx-auto mt-auto max-w-[808px] shrink-0"
              count={items.length + (showsPhase ? 1 : 0)}
              keyOf={(index) => items[index]?.key ?? "phase"}
              estimate={(index) => estimateRow(items, index) ?? (hasProgressRow ? 0 : 36)}
              row={row}
              anchor="end"
              paddingStart={24}
              paddingEnd={16}
              scrollPaddingEnd={jumpButtonPx}
              handle={list}
              scroller={scroller}
              onEnd={setAtEnd}
              onScroll={onScroll}
              {...releaseHandlers}
            />
            {!atEnd && (
              <button
                type="button"
                onClick={jumpToLatest}
                className="absolute bottom-2 left-1/2 z-10 flex h-8 -translate-x-1/2 animate-appear items-center gap-1.5 rounded-full border border-line bg-raised pr-3 pl-2.5 text-base shadow-float hover:bg-surface max-tablet:h-11"
              >
                <Icon of={ArrowDown} size={14} className="text-ink-muted" />
                {messages.chat.jump}
              </button>
            )}
            {phone && <ApprovalSheet pending={pending} />}
          </div>
        </MarkdownLinksContext>
      </ConversationFactsContext>
    </ConversationActionsContext>
  );
}

/** Estimated height of a row with the gap above it, px; null = there is no such item. */
function estimateRow(items: readonly ConversationItem[], index: number): number | null {
  const item = items[index];
  return item === undefined ? null : estimateHeight(item) + gapAbove(items[index - 1], item);
}

/** Finds the first row of an entry. An entry without a row (folded reads) maps to the nearest row before it. */
function findRow(
  items: readonly ConversationItem[],
  seq: number,
): { readonly index: number; readonly seq: number } | null {
  const nearest = items.findLast((item) => item.seq <= seq);
  if (nearest === undefined) return null;
  return { index: items.findIndex((item) => item.seq === nearest.seq), seq: nearest.seq };
}

/** Whether the last row itself shows the progress of the run. */
const showsProgress = (
  content: ReturnType<ReturnType<typeof createItemBuilder>>[number]["content"] | undefined,
): boolean =>
  content !== undefined &&
  (content.kind === "input" ||
    (content.kind === "compaction" && content.entry.state === "running") ||
    (content.kind === "text" && content.live) ||
    (content.kind === "thinking" && content.live) ||
    (content.kind === "call" && content.call.state === "running"));

function RowFrame({
  gap,
  seq,
  children,
}: {
  readonly gap: number;
  readonly seq: number | null;
  readonly children: ReactNode;
}) {
  return (
    <div data-seq={seq ?? undefined} className="px-4 @lg:px-6" style={{ paddingTop: gap }}>
      {children}
    </div>
  );
}
