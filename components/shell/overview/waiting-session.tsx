"use client";
/** A session that waits, with its cards, which can be answered here. */
import { Suspense, useMemo } from "react";
import type { SessionRow } from "@/lib/protocol/session-row";
import { pendingApprovals } from "@/lib/view/view";
import { type ConversationActions, ConversationActionsContext, readOnlyActions } from "../../chat/actions";
import { ApprovalCard } from "../../chat/approval/approval-card";
import { sendApprovalAnswer } from "../../chat/approval/send-approval-answer";
import { useFullMessages } from "../../messages/full-messages";
import { sessionTitle } from "../../sessions/list/session-commands";
import { useClient } from "../../state/client";
import { toastError } from "../notices/toast-error";
import { useSession } from "../session/use-session";
import { SessionLink } from "./session-link";
import { useActiveSessions } from "./use-overview";

interface WaitingSessionProps {
  readonly row: SessionRow;
  readonly project: string;
}

export function WaitingSession({ row, project }: WaitingSessionProps) {
  return (
    <li className="grid grid-cols-1 gap-1 pb-2">
      <SessionLink row={row} project={project} />
      {/* The keys answer a card that has the focus. */}
      <div className="ml-4 max-w-[46rem] max-tablet:ml-0 [&:not(:focus-within)_kbd]:hidden">
        <Suspense>
          <SessionCards row={row} />
        </Suspense>
      </div>
    </li>
  );
}

function SessionCards({ row }: Pick<WaitingSessionProps, "row">) {
  const client = useClient();
  const messages = useFullMessages();
  const { session } = useSession(row.id);
  const { view } = session;
  const pending = useMemo(() => (view === null ? [] : pendingApprovals(view)), [view]);
  const actions = useMemo(
    (): ConversationActions => ({
      ...readOnlyActions,
      answerApproval: async (approvalId, answer) => {
        const sent = await sendApprovalAnswer(client, row.id, approvalId, answer);
        if (!sent.ok) toastError(client, messages, sent.error);
        return sent.ok && sent.value.won;
      },
    }),
    [client, messages, row.id],
  );
  if (view === null) return null;
  if (pending.length === 0)
    return row.subagents === undefined ? (
      <p className="text-small text-ink-muted">{messages.overview.opensIn}</p>
    ) : (
      <SubagentCards row={row} />
    );
  return (
    <ConversationActionsContext value={actions}>
      {pending.map((one, index) => (
        <ApprovalCard key={one.approval.approvalId} {...one} position={{ index: index + 1, of: pending.length }} />
      ))}
    </ConversationActionsContext>
  );
}

function SubagentCards({ row }: Pick<WaitingSessionProps, "row">) {
  const messages = useFullMessages();
  const rows = useActiveSessions(row.id) ?? [];
  return rows
    .filter(({ status }) => status === "waiting")
    .map((subagent) => (
      <div key={subagent.id}>
        <p className="text-small text-ink-muted">{messages.overview.subagent(sessionTitle(messages, subagent))}</p>
        <SessionCards row={subagent} />
      </div>
    ));
}
