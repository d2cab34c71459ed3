"use client";
/** The plan of a session above its message field: progress and next step; the whole list and its editor on demand. */
import { ChevronDown, ChevronUp, ListTodo, Pencil, X } from "lucide-react";
import { useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { SessionId } from "@/lib/events/id";
import { type ChecklistItem, countDone, type Plan } from "@/lib/view/checklist";
import { type ConversationMessages, useConversationMessages } from "../../messages/conversation-messages";
import { createKeptDrafts } from "../../state/kept-drafts";
import { IconButton } from "../../ui/controls/icon-button";
import { Icon } from "../../ui/indicators/icon";
import { PlanEditor, type PlanEditorRow } from "./plan-editor";
import { plainStep, PlanSteps } from "./plan-steps";

interface PlanPanelProps {
  readonly sessionId: SessionId;
  readonly plan: Plan;
  readonly isRunning: boolean;
  /** Sends the changed plan to the model; resolves with whether it was sent. Null = it cannot be changed now. */
  readonly onChange: ((items: readonly ChecklistItem[]) => Promise<boolean>) | null;
}

/** A plan that is being edited stays when the layout changes. */
const usePlanDraft = createKeptDrafts<{ readonly plan: Plan; readonly rows: readonly PlanEditorRow[] }>();

/** Draws nothing once all steps are done and no run is open, and after the user hid it, until the plan changes. */
export function PlanPanel({ sessionId, plan, isRunning, onChange }: PlanPanelProps) {
  const messages = useConversationMessages();
  const text = messages.plan;
  const [isOpen, setOpen] = useState(false);
  const { initial: left, keep } = usePlanDraft(sessionId);
  const [edited, setEdited] = useState(left?.plan ?? null);
  const [hiddenSeq, setHiddenSeq] = useState<number | null>(null);
  const listId = useId();
  const toggle = useRef<HTMLButtonElement>(null);
  const { done, total } = countDone(plan);
  if (edited === null && (hiddenSeq === plan.seq || (done === total && !isRunning))) return null;
  const closeEditor = (): void => {
    const hasFocus = document.activeElement?.closest("section")?.contains(toggle.current) === true;
    keep(null);
    flushSync(() => setEdited(null));
    if (hasFocus) toggle.current?.focus();
  };
  const send = async (items: readonly ChecklistItem[]): Promise<void> => {
    if (onChange !== null && (await onChange(items))) closeEditor();
  };
  return (
    <section
      aria-label={text.title}
      className="mx-auto mb-1.5 w-full max-w-[760px] overflow-hidden rounded-card border border-line bg-surface"
    >
      <div className="flex min-h-8 items-center gap-1 pr-1">
        <button
          ref={toggle}
          type="button"
          aria-expanded={isOpen || edited !== null}
          aria-controls={listId}
          title={isOpen ? text.collapse : text.show}
          disabled={edited !== null}
          onClick={() => setOpen(!isOpen)}
          className="flex min-h-8 min-w-0 flex-1 items-center gap-2 rounded-control px-2.5 text-left outline-offset-[-2px] max-tablet:min-h-11"
        >
          <Icon of={ListTodo} size={14} className="text-ink-muted" />
          <span className="shrink-0 font-medium">{text.title}</span>
          <span className="shrink-0 text-small text-ink-muted tabular-nums">{text.progress(done, total)}</span>
          <span className="min-w-0 flex-1 cut text-ink-muted">{isOpen ? "" : nextStep(plan, messages)}</span>
          {edited === null && <Icon of={isOpen ? ChevronDown : ChevronUp} size={14} className="text-ink-faint" />}
        </button>
        {edited === null && isOpen && onChange !== null && (
          <IconButton icon={Pencil} size="small" name={text.edit} onClick={() => setEdited(plan)} />
        )}
        {edited === null && (
          <IconButton icon={X} size="small" name={text.dismiss} onClick={() => setHiddenSeq(plan.seq)} />
        )}
      </div>
      <Progress done={done} total={total} />
      <div id={listId}>
        {edited !== null ? (
          <PlanEditor
            items={edited.items}
            left={edited === left?.plan ? left.rows : null}
            onRows={(rows) => keep({ plan: edited, rows })}
            now={plan.items}
            isOutdated={edited.seq !== plan.seq}
            isRunning={isRunning}
            onSend={send}
            onCancel={closeEditor}
          />
        ) : (
          isOpen && (
            <PlanSteps
              items={plan.items}
              isRunning={isRunning}
              className="max-h-[30dvh] overflow-y-auto py-1.5 pl-2.5"
            />
          )
        )}
      </div>
    </section>
  );
}

const Progress = ({ done, total }: { readonly done: number; readonly total: number }) => (
  <div aria-hidden className="h-0.5 bg-line">
    <div className="h-full bg-accent transition-[width]" style={{ width: `${(100 * done) / total}%` }} />
  </div>
);

function nextStep({ items }: Plan, { plan: text }: ConversationMessages): string {
  const next = items.find(({ isDone }) => !isDone);
  return next === undefined ? text.allDone : plainStep(next.text);
}
