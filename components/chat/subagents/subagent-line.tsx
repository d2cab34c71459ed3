"use client";
/** Below the call of a subagent: its progress, its approval cards, links to its session. For the owner only. */
import { useMemo, type ReactNode } from "react";
import type { SessionId } from "@/lib/events/id";
import { limits } from "@/lib/settings/settings";
import { type CallView, pathEntriesBackward, pendingApprovals, type SessionView } from "@/lib/view/view";
import { useConversationMessages } from "../../messages/conversation-messages";
import { useClient } from "../../state/client";
import { Button } from "../../ui/controls/button";
import { phoneQuery, useMedia } from "../../ui/layout/use-media";
import { Spinner } from "../../ui/indicators/spinner";
import { type ConversationActions, ConversationActionsContext, useConversationActions } from "../actions";
import { ApprovalCard } from "../approval/approval-card";
import { sendApprovalAnswer } from "../approval/send-approval-answer";
import { useIsAsking, useReadAgain, useSubagentRow, useSubagentView } from "./use-subagent";
import { withBasePath } from "../../state/base-path";

interface SubagentLineProps {
  readonly parentId: SessionId;
  readonly call: CallView;
}

export function SubagentLine({ parentId, call }: SubagentLineProps): ReactNode {
  const row = useSubagentRow(parentId, call.callId);
  const isActive = row?.status === "running" || row?.status === "waiting";
  if (row !== undefined && isActive) return <ActiveSubagent id={row.id} {...{ parentId, call }} />;
  if (call.state === "running") return <WaitingLine call={call} />;
  return <EndedLine id={row?.id ?? null} {...{ parentId, call }} />;
}

const lineClass =
  "mb-1 ml-6 flex min-h-7 flex-wrap items-center gap-x-2 gap-y-1 text-small text-ink-muted tabular-nums";

function OpenLink({ id, call }: { readonly id: SessionId; readonly call: CallView }) {
  const { subagent } = useConversationMessages();
  return (
    <a
      href={withBasePath(`/s/${id}`)}
      aria-label={subagent.openNamed(call.target)}
      className="inline-flex h-7 items-center rounded-control px-2 font-medium text-accent hover:bg-hover max-tablet:h-11"
    >
      {subagent.open}
    </a>
  );
}

function StopButton({ call, onStop }: { readonly call: CallView; readonly onStop: () => void }) {
  const { subagent } = useConversationMessages();
  return (
    <Button size="small" look="quiet" aria-label={subagent.stopNamed(call.target)} onClick={onStop}>
      {subagent.stop}
    </Button>
  );
}

/** The call waits for its turn: subagents on one model server run one after another. */
function WaitingLine({ call }: { readonly call: CallView }) {
  const { subagent } = useConversationMessages();
  const { runControls } = useConversationActions();
  return (
    <div className={lineClass}>
      <Spinner className="text-accent" />
      <span role="status">{subagent.waiting}</span>
      {runControls !== null && <StopButton call={call} onStop={() => runControls.endCommand(call.callId)} />}
    </div>
  );
}

/** Tokens of the conversation with its newest counted answer; 0 = none was counted. */
function newestTokens(view: SessionView): number {
  for (const entry of pathEntriesBackward(view))
    if (entry.kind === "message" && entry.usage !== undefined)
      return entry.usage.promptTokens + entry.usage.outputTokens;
  return 0;
}

function ActiveSubagent({ id, parentId, call }: SubagentLineProps & { readonly id: SessionId }) {
  const messages = useConversationMessages();
  const { call: send } = useClient();
  const view = useSubagentView(id, parentId);
  const isParentAsking = useIsAsking(parentId);
  const { subagent, figures } = messages;
  const pending = useMemo(() => (view === null ? [] : pendingApprovals(view)), [view]);
  // On a phone the cards of this session cover the screen: one decision after another.
  const isSheetOpen = useMedia(phoneQuery) && isParentAsking;
  const tokens = view === null ? 0 : newestTokens(view);
  const run = view?.run ?? null;
  const texts = [
    ...(run === null ? [] : [subagent.step(Math.max(1, run.steps), limits.subagentSteps)]),
    ...(tokens === 0 ? [] : [subagent.tokens(figures.tokens(tokens))]),
  ];
  return (
    <>
      <div className={lineClass}>
        {pending.length === 0 && <Spinner className="text-accent" />}
        <span role="status">{pending.length > 0 ? subagent.asks : texts.join(" · ")}</span>
        <OpenLink {...{ id, call }} />
        <StopButton call={call} onStop={() => void send("session.abort", { sessionId: id })} />
      </div>
      <SubagentActions id={id}>
        {isSheetOpen
          ? null
          : pending.map((one, index) => (
              <div key={one.approval.approvalId} className="ml-6">
                <ApprovalCard {...one} position={{ index: index + 1, of: pending.length }} />
              </div>
            ))}
      </SubagentActions>
    </>
  );
}

/** The actions of the page, with answers that go to the subagent's session. */
function SubagentActions({ id, children }: { readonly id: SessionId; readonly children: ReactNode }) {
  const client = useClient();
  const actions = useConversationActions();
  const own = useMemo(
    (): ConversationActions => ({
      ...actions,
      answerApproval: async (approvalId, answer) => {
        const sent = await sendApprovalAnswer(client, id, approvalId, answer);
        return sent.ok && sent.value.won;
      },
    }),
    [actions, client, id],
  );
  return <ConversationActionsContext value={own}>{children}</ConversationActionsContext>;
}

function EndedLine({ id, parentId, call }: SubagentLineProps & { readonly id: SessionId | null }) {
  const { subagent, figures } = useConversationMessages();
  const again = useReadAgain(parentId, call.callId);
  const { steps, tokens = 0, unfinished } = call.facts;
  const texts = [
    ...(unfinished === undefined ? [] : [subagent.unfinished[unfinished]]),
    ...(steps === undefined ? [] : [subagent.steps(steps)]),
    ...(tokens === 0 ? [] : [subagent.tokens(figures.tokens(tokens))]),
    ...(again === null ? [] : [again === 0 ? subagent.readNothingAgain : subagent.readAgain(figures.tokens(again))]),
  ];
  if (texts.length === 0 && id === null) return null;
  return (
    <div className={lineClass}>
      <span>{texts.join(" · ")}</span>
      {id !== null && <OpenLink {...{ id, call }} />}
    </div>
  );
}
