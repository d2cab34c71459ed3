"use client";
/** Editor of a plan: its steps as fields, with ticks. Enter adds a step, Escape cancels. */
import { Plus, X } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { type ChecklistItem, mergeTicks } from "@/lib/view/checklist";
import { useConversationMessages } from "../../messages/conversation-messages";
import { Button } from "../../ui/controls/button";
import { IconButton } from "../../ui/controls/icon-button";
import { TextField } from "../../ui/controls/text-field";
import { Icon } from "../../ui/indicators/icon";
import { isForInputMethod } from "../../ui/browser/is-for-input-method";

interface PlanEditorProps {
  readonly items: readonly ChecklistItem[];
  /** Rows of an editor that was removed with its layout; null = none. */
  readonly left: readonly PlanEditorRow[] | null;
  /** Called with the rows whenever they may have changed. */
  readonly onRows: (rows: readonly PlanEditorRow[]) => void;
  /** The plan as it is now. */
  readonly now: readonly ChecklistItem[];
  /** The plan was changed since the editor was opened. */
  readonly isOutdated: boolean;
  readonly isRunning: boolean;
  readonly onSend: (items: readonly ChecklistItem[]) => Promise<void>;
  readonly onCancel: () => void;
}

export interface PlanEditorRow extends ChecklistItem {
  readonly key: number;
  /** The user ticked or cleared it. */
  readonly isTickChanged: boolean;
}

export function PlanEditor({ items, left, now, isOutdated, isRunning, onRows, onSend, onCancel }: PlanEditorProps) {
  const { plan: text, common } = useConversationMessages();
  const [rows, setRows] = useState<readonly PlanEditorRow[]>(
    () => left ?? items.map((item, key) => ({ ...item, key, isTickChanged: false })),
  );
  useEffect(() => onRows(rows));
  const [isSending, setSending] = useState(false);
  const nextKey = useRef(1 + Math.max(-1, ...rows.map(({ key }) => key)));
  /** Key of the row whose field gets the focus when it is drawn. */
  const focused = useRef<number | null>(left === null ? items.findIndex(({ isDone }) => !isDone) : null);
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    if (focused.current === null) return;
    list.current?.querySelector<HTMLElement>(`[data-row="${focused.current}"]`)?.focus();
    focused.current = null;
  }, [rows]);

  const change = (key: number, part: Partial<PlanEditorRow>): void =>
    setRows((all) => all.map((row) => (row.key === key ? { ...row, ...part } : row)));
  const addAfter = (index: number): void => {
    const key = nextKey.current;
    nextKey.current += 1;
    focused.current = key;
    const depth = rows[index]?.depth ?? 0;
    setRows((all) => [
      ...all.slice(0, index + 1),
      { key, text: "", isDone: false, depth, isTickChanged: true },
      ...all.slice(index + 1),
    ]);
  };
  const remove = (key: number): void => setRows((all) => all.filter((row) => row.key !== key));
  const written = rows.flatMap(({ key: _key, ...row }) =>
    row.text.trim() === "" ? [] : [{ ...row, text: row.text.trim() }],
  );
  const steps = mergeTicks(written, now);
  const send = async (): Promise<void> => {
    setSending(true);
    await onSend(steps);
    setSending(false);
  };
  const onKeyDown = (event: KeyboardEvent, index: number): void => {
    if (isForInputMethod(event.nativeEvent)) return;
    if (event.key === "Escape") {
      event.stopPropagation();
      onCancel();
    } else if (event.key === "Enter") {
      event.preventDefault();
      addAfter(index);
    }
  };
  return (
    <>
      <ol ref={list} className="grid max-h-[40dvh] gap-1 overflow-y-auto px-2.5 pt-2">
        {rows.map((row, index) => (
          <li key={row.key} style={{ paddingLeft: `${18 * row.depth}px` }} className="flex items-center gap-2">
            <input
              type="checkbox"
              checked={row.isDone}
              aria-label={text.stepDone(index + 1)}
              onChange={(event) => change(row.key, { isDone: event.target.checked, isTickChanged: true })}
              className="size-4 shrink-0 accent-accent"
            />
            <TextField
              data-row={row.key}
              value={row.text}
              aria-label={text.stepText(index + 1)}
              onChange={(event) => change(row.key, { text: event.target.value })}
              onKeyDown={(event) => onKeyDown(event, index)}
            />
            <IconButton icon={X} size="small" name={text.remove(index + 1)} onClick={() => remove(row.key)} />
          </li>
        ))}
      </ol>
      {isOutdated && <p className="px-2.5 pt-1.5 text-small text-ask">{text.changed}</p>}
      <div className="flex flex-wrap items-center gap-2 p-2.5">
        <Button size="small" look="quiet" onClick={() => addAfter(rows.length - 1)}>
          <Icon of={Plus} size={14} /> {text.add}
        </Button>
        <span className="flex-1" />
        <Button size="small" look="quiet" onClick={onCancel}>
          {common.cancel}
        </Button>
        <Button size="small" look="primary" busy={isSending} disabled={steps.length === 0} onClick={() => void send()}>
          {isRunning ? text.send : text.sendAndContinue}
        </Button>
      </div>
    </>
  );
}
