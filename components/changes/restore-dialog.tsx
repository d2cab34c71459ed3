"use client";
/** Dialog that restores files: steps per file, conflicts with other changes, and scope. */
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo, useState } from "react";
import type { RestoreFailure, RestorePlan, RestoreStep } from "@/lib/changes";
import type { SessionId } from "@/lib/id";
import { useClient } from "../state/client";
import { newCommandId } from "../state/new-id";
import type { RestoreWish } from "../state/workbench-store";
import { queries } from "../state/queries";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Skeleton } from "../ui/skeleton";
import { useFullWords } from "../words/full-words";
import { RestoreSteps } from "./restore-steps";

export interface RestoreDialogProps {
  readonly sessionId: SessionId;
  readonly toSeq: number;
  /** What started at `toSeq`; absent = an arbitrary point. */
  readonly before?: RestoreWish["before"] | "point";
  /** A run is open: nothing can be restored now. */
  readonly isBusy: boolean;
  /** The conversation can be rewound to this point too. */
  readonly canRewind: boolean;
  readonly onClose: () => void;
}

export function RestoreDialog({ sessionId, toSeq, before = "point", isBusy, canRewind, onClose }: RestoreDialogProps) {
  const words = useFullWords();
  const { call } = useClient();
  const plan = useQuery(queries.restorePlan(call, { sessionId, toSeq }));
  const [unchosen, setUnchosen] = useState<ReadonlySet<string> | null>(null);
  const [conversation, setConversation] = useState(false);
  const left = useMemo(() => unchosen ?? usuallyLeft(plan.data), [unchosen, plan.data]);
  const steps = plan.data?.steps ?? [];
  const chosen = steps.filter((step) => step.lost === undefined && !left.has(step.path));
  const onlyRemoves = steps.length > 0 && steps.every((step) => step.action === "remove");
  const { isSending, failed, restore } = useRestore({ sessionId, toSeq, onClose });
  const canSubmit = !isBusy && plan.data !== undefined && (chosen.length > 0 || conversation) && failed === null;
  return (
    <Dialog
      wide
      title={onlyRemoves ? words.changes.restore.titleRemove : words.changes.restore.title}
      closeName={words.common.close}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{failed === null ? words.common.cancel : words.common.close}</Button>
          {failed === null && (
            <Button
              look="primary"
              busy={isSending}
              disabled={!canSubmit}
              onClick={() => void restore({ chosen, conversation })}
            >
              {chosen.length > 0
                ? words.changes.restore.submit(...backAndRemoved(chosen))
                : words.changes.restore[conversation ? "conversationOnly" : "submitNone"]}
            </Button>
          )}
        </>
      }
    >
      {failed !== null ? (
        <Failures failed={failed} />
      ) : (
        <>
          <p className="mb-3 text-ink-muted">
            {!isBusy && steps.length > 0 && (
              <span data-will className="block text-ink">
                {chosen.length === 0
                  ? words.changes.restore.willNothing
                  : words.changes.restore.will[before](...backAndRemoved(chosen))}
              </span>
            )}
            {words.changes.restore[isBusy ? "busy" : "limits"]}
          </p>
          {canRewind && <Reach both={conversation} onBoth={setConversation} />}
          <Plan plan={plan.data} isError={plan.isError} onRetry={() => void plan.refetch()}>
            <RestoreSteps steps={steps} left={left} onLeft={setUnchosen} />
          </Plan>
        </>
      )}
    </Dialog>
  );
}

/** Number of files restored and number of files moved to the file trash. */
function backAndRemoved(steps: readonly RestoreStep[]): readonly [back: number, removed: number] {
  const removed = steps.filter((step) => step.action === "remove").length;
  return [steps.length - removed, removed];
}

/** Files with conflicting changes are deselected by default. */
const usuallyLeft = (plan: RestorePlan | undefined): ReadonlySet<string> =>
  new Set((plan?.steps ?? []).filter((step) => step.conflict).map((step) => step.path));

function useRestore({ sessionId, toSeq, onClose }: Pick<RestoreDialogProps, "sessionId" | "toSeq" | "onClose">) {
  const words = useFullWords();
  const { call, toasts } = useClient();
  const [isSending, setSending] = useState(false);
  const [failed, setFailed] = useState<readonly RestoreFailure[] | null>(null);
  const restore = async (wish: {
    readonly chosen: readonly RestoreStep[];
    readonly conversation: boolean;
  }): Promise<void> => {
    const { chosen, conversation } = wish;
    setSending(true);
    const answer = await call("session.restore_files", {
      sessionId,
      commandId: newCommandId(),
      toSeq,
      conversation,
      paths: chosen.map((step) => step.path),
      overwrite: chosen.filter((step) => step.conflict).map((step) => ({ path: step.path, hash: step.now })),
    });
    setSending(false);
    if (!answer.ok) return toasts.show({ look: "danger", text: words.errors.sentences[answer.error.code] });
    const { failed: failures } = answer.value;
    const unmoved = new Set(failures.map(({ path }) => path));
    const done = chosen.filter(({ path }) => !unmoved.has(path));
    // The restore line in the conversation has the undo button.
    if (done.length > 0) toasts.show({ text: words.changes.restore.done(...backAndRemoved(done)) });
    if (failures.length > 0) setFailed(failures);
    else onClose();
  };
  return { isSending, failed, restore };
}

function Reach({ both, onBoth }: { readonly both: boolean; readonly onBoth: (both: boolean) => void }) {
  const { restore } = useFullWords().changes;
  const choice = (value: boolean, label: string, note: string | null): ReactNode => (
    <label className="flex min-h-8 items-start gap-2 py-1 max-tablet:min-h-11">
      <input
        type="radio"
        name="reach"
        checked={both === value}
        onChange={() => onBoth(value)}
        className="mt-0.5 size-4 accent-accent"
      />
      <span>
        {label}
        {note !== null && <span className="block text-small text-ink-muted">{note}</span>}
      </span>
    </label>
  );
  return (
    <fieldset className="mb-3">
      <legend className="sr-only">{restore.what}</legend>
      {choice(false, restore.filesOnly, null)}
      {choice(true, restore.both, restore.bothNote)}
    </fieldset>
  );
}

interface PlanProps {
  readonly plan: RestorePlan | undefined;
  readonly isError: boolean;
  readonly onRetry: () => void;
  readonly children: ReactNode;
}

function Plan({ plan, isError, onRetry, children }: PlanProps): ReactNode {
  const words = useFullWords();
  if (isError)
    return (
      <div className="flex items-center gap-3 py-4 text-ink-muted">
        {words.changes.failed}
        <Button onClick={onRetry}>{words.common.retry}</Button>
      </div>
    );
  if (plan === undefined) return <Skeleton label={words.changes.restore.looking} className="h-20" />;
  if (plan.steps.length === 0) return <p className="py-4 text-ink-muted">{words.changes.restore.nothing}</p>;
  return children;
}

function Failures({ failed }: { readonly failed: readonly RestoreFailure[] }) {
  const words = useFullWords();
  return (
    <div role="alert">
      <p className="mb-2">{words.changes.restore.failed}</p>
      <ul className="divide-y divide-line rounded-card border border-line">
        {failed.map(({ path, code }) => (
          <li key={path} className="px-3 py-2">
            <code className="text-small [overflow-wrap:anywhere]">{path}</code>
            <p className="text-small text-ink-muted">{words.errors.sentences[code]}</p>
          </li>
        ))}
      </ul>
    </div>
  );
}
