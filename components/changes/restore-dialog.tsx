"use client";
/** Dialog that restores files: steps per file, conflicts with other changes, and scope. */
import { type ReactNode, useMemo, useState } from "react";
import type { RestoreFailure, RestorePlan, RestoreStep } from "@/lib/workspace/changes";
import type { SessionId } from "@/lib/events/id";
import { useClient } from "../state/client";
import { useCommandQuery } from "../state/use-command-query";
import { newCommandId } from "../state/new-id";
import type { RestoreTarget } from "../state/workbench/workbench-store";
import { isForInputMethod } from "../ui/browser/is-for-input-method";
import { Button } from "../ui/controls/button";
import { Dialog } from "../ui/overlays/dialog";
import { Skeleton } from "../ui/indicators/skeleton";
import { useFullMessages } from "../messages/full-messages";
import { RestoreSteps } from "./restore-steps";

interface RestoreDialogProps {
  readonly sessionId: SessionId;
  readonly toSeq: number;
  /** Run or session that started at `toSeq`; absent = an arbitrary point. */
  readonly before?: RestoreTarget["before"] | "point";
  /** It reverses an undo. */
  readonly isRedo?: true;
  /** Changes of runs after the one that started at `toSeq` are undone too. */
  readonly includesLaterRuns: boolean;
  /** A run is open: nothing can be restored now. */
  readonly isBusy: boolean;
  /** The conversation can be rewound to this point too. */
  readonly canRewind: boolean;
  readonly onClose: () => void;
}

export function RestoreDialog(props: RestoreDialogProps) {
  const { sessionId, toSeq, before = "point", isRedo, includesLaterRuns, isBusy, canRewind, onClose } = props;
  const messages = useFullMessages();
  const words = messages.changes[isRedo === true ? "redo" : "undo"];
  const plan = useCommandQuery("session.restore_preview", { sessionId, toSeq }, { retry: false, gcTime: 0 });
  const [unchosen, setUnchosen] = useState<ReadonlySet<string> | null>(null);
  const [conversation, setConversation] = useState(false);
  const left = useMemo(() => unchosen ?? findConflictPaths(plan.data), [unchosen, plan.data]);
  const steps = plan.data?.steps ?? [];
  const chosen = steps.filter((step) => step.lost === undefined && !left.has(step.path));
  const { isSending, failed, restore } = useRestore({ sessionId, toSeq, onClose, formatDone: words.done });
  const submit = (): void => void restore({ chosen, conversation });
  const canSubmit = !isBusy && plan.data !== undefined && (chosen.length > 0 || conversation) && failed === null;
  return (
    <Dialog
      wide
      title={words.title}
      closeName={messages.common.close}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{failed === null ? messages.common.cancel : messages.common.close}</Button>
          {failed === null && (
            <Button look="primary" busy={isSending} disabled={!canSubmit} onClick={submit}>
              {chosen.length > 0
                ? words.submit(chosen.length)
                : conversation
                  ? messages.changes.restore.conversationOnly
                  : words.title}
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
                  ? messages.changes.restore.willNothing
                  : messages.changes.restore.will[before](...countRestoredAndRemoved(chosen))}
              </span>
            )}
            {!isBusy && chosen.length > 0 && before === "earlier" && includesLaterRuns && (
              <span className="block text-ink">{messages.changes.restore.laterRuns}</span>
            )}
            {messages.changes.restore[isBusy ? "busy" : "limits"]}
            {plan.data !== undefined && plan.data.beyond > 0 && (
              <span className="block text-ink">{messages.changes.restore.beyond(steps.length, plan.data.beyond)}</span>
            )}
          </p>
          <form
            onKeyDown={(event) => {
              if (event.key !== "Enter" || isForInputMethod(event.nativeEvent)) return;
              if (!(event.target instanceof HTMLInputElement)) return;
              event.preventDefault();
              if (canSubmit && !isSending) submit();
            }}
          >
            {canRewind && <RestoreScopeChoice both={conversation} onBoth={setConversation} />}
            <PlanContent plan={plan.data} isError={plan.isError} onRetry={() => void plan.refetch()}>
              <RestoreSteps steps={steps} deselected={left} onDeselected={setUnchosen} />
            </PlanContent>
          </form>
        </>
      )}
    </Dialog>
  );
}

/** Number of files restored and number of files moved to the file trash. */
function countRestoredAndRemoved(steps: readonly RestoreStep[]): readonly [back: number, removed: number] {
  const removed = steps.filter((step) => step.action === "remove").length;
  return [steps.length - removed, removed];
}

/** Files with conflicting changes are deselected by default. */
const findConflictPaths = (plan: RestorePlan | undefined): ReadonlySet<string> =>
  new Set((plan?.steps ?? []).filter((step) => step.conflict).map((step) => step.path));

interface RestoreRequest extends Pick<RestoreDialogProps, "sessionId" | "toSeq" | "onClose"> {
  readonly formatDone: (files: number) => string;
}

function useRestore({ sessionId, toSeq, onClose, formatDone }: RestoreRequest) {
  const messages = useFullMessages();
  const { call, toasts } = useClient();
  const [isSending, setSending] = useState(false);
  const [failed, setFailed] = useState<readonly RestoreFailure[] | null>(null);
  const restore = async (choice: {
    readonly chosen: readonly RestoreStep[];
    readonly conversation: boolean;
  }): Promise<void> => {
    const { chosen, conversation } = choice;
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
    if (!answer.ok) return toasts.show({ look: "danger", text: messages.errors.sentences[answer.error.code] });
    const { failed: failures } = answer.value;
    const unmoved = new Set(failures.map(({ path }) => path));
    const done = chosen.filter(({ path }) => !unmoved.has(path));
    // The restore line in the conversation has the undo button.
    if (done.length > 0) toasts.show({ text: formatDone(done.length) });
    if (failures.length > 0) setFailed(failures);
    else onClose();
  };
  return { isSending, failed, restore };
}

function RestoreScopeChoice({ both, onBoth }: { readonly both: boolean; readonly onBoth: (both: boolean) => void }) {
  const { restore } = useFullMessages().changes;
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

interface PlanContentProps {
  readonly plan: RestorePlan | undefined;
  readonly isError: boolean;
  readonly onRetry: () => void;
  readonly children: ReactNode;
}

function PlanContent({ plan, isError, onRetry, children }: PlanContentProps): ReactNode {
  const messages = useFullMessages();
  if (isError)
    return (
      <div className="flex items-center gap-3 py-4 text-ink-muted">
        {messages.changes.failed}
        <Button onClick={onRetry}>{messages.common.retry}</Button>
      </div>
    );
  if (plan === undefined) return <Skeleton label={messages.changes.restore.looking} className="h-20" />;
  if (plan.steps.length === 0) return <p className="py-4 text-ink-muted">{messages.changes.restore.nothing}</p>;
  return children;
}

function Failures({ failed }: { readonly failed: readonly RestoreFailure[] }) {
  const messages = useFullMessages();
  return (
    <div role="alert">
      <p className="mb-2">{messages.changes.restore.failed}</p>
      <ul className="divide-y divide-line rounded-card border border-line">
        {failed.map(({ path, code }) => (
          <li key={path} className="px-3 py-2">
            <code className="text-small [overflow-wrap:anywhere]">{path}</code>
            <p className="text-small text-ink-muted">{messages.errors.sentences[code]}</p>
          </li>
        ))}
      </ul>
    </div>
  );
}
