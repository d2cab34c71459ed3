"use client";
/** A call in one line: icon, verb, target, outcome. Expands to a card; a running or failed command shows its tail. */
import { isCommandKind } from "@/lib/events/tool-presentations";
import { Suspense, useState } from "react";
import { useConversationMessages } from "../../messages/conversation-messages";
import type { TrashId } from "@/lib/events/id";
import { pickFailureLines, shownFailureLines } from "@/lib/text/failure-lines";
import type { CallView } from "@/lib/view/view";
import { Button } from "../../ui/controls/button";
import { classes } from "../../ui/theme/classes";
import { VisibleText } from "../../ui/text/visible-text";
import { useConversationActions, useConversationFacts } from "../actions";
import type { OwnRun } from "../own-commands/own-command";
import { LazyOwnRunNote } from "../own-commands/lazy-own-run-note";
import { LazyOfflineWaitNote } from "../sandbox/lazy-offline-wait-note";
import { LazySubagentLine } from "../subagents/lazy-subagents";
import { SettingsLink } from "../settings-link";
import { ToolFailureText } from "./failure/tool-failure";
import { findToolFailure } from "./failure/tool-failure-code";
import { ToolCard } from "./tool-card";
import {
  findLineEdge,
  hasEnded,
  isFailed,
  lastLines,
  outputText,
  stripStatusNote,
  findFailureReason,
  findRefusal,
} from "./tool-facts";
import { ToolHeader, type ToolHeaderProps } from "./tool-header";
import type { WebFailure } from "@/lib/events/tool-kind";
import { useFullMessages } from "../../messages/full-messages";

interface WebFailureTextProps {
  readonly failure: WebFailure;
  readonly host: string;
}

/** Why a page of the web could not be read. */
function WebFailureText({ failure, host }: WebFailureTextProps) {
  return useFullMessages().web.fetchFailures[failure](host);
}

interface ToolLineProps extends ToolHeaderProps {
  /** The user may run the command, or has run it; absent = not offered. */
  readonly ownRun?: OwnRun;
}

export function ToolLine({ call, raw, input, ownRun, open, onToggle }: ToolLineProps) {
  const edge = findLineEdge(call);
  const { sessionId } = useConversationFacts();
  const trash = call.changes?.find((change) => change.trash !== undefined)?.trash;
  return (
    <div data-state={call.state} data-edge={edge} className="relative text-base">
      {edge !== "none" && (
        <span
          aria-hidden
          className={classes(
            "absolute inset-y-1 -left-3 w-0.5 rounded-full",
            edge === "ask" ? "bg-ask-edge" : "bg-danger",
          )}
        />
      )}
      <div className="flex items-center gap-2">
        <ToolHeader {...{ call, open, onToggle }} raw={raw} />
        {trash !== undefined && <RestoreButton trashId={trash} />}
        {isCommandKind(call.kind) && call.state === "running" && <TerminateButton callId={call.callId} />}
      </div>
      <FailureReason call={call} open={open} />
      {!open && isCommandKind(call.kind) && <OutputLines call={call} />}
      {call.kind === "agent" && sessionId !== null && call.state !== "queued" && call.state !== "denied" && (
        <LazySubagentLine parentId={sessionId} call={call} />
      )}
      {open && <ToolCard {...{ call, raw, input }} />}
      {call.state === "running" && <LazyOfflineWaitNote call={call} />}
      {(ownRun ?? call.facts.sandboxFailure) !== undefined && <LazyOwnRunNote {...{ call, ownRun }} />}
    </div>
  );
}

/** Why the call failed, was denied or refused, with a link to the setting that refused it. */
function FailureReason({ call, open }: Pick<ToolHeaderProps, "call" | "open">) {
  const messages = useConversationMessages();
  const { runControls } = useConversationActions();
  const reason = findFailureReason(call, messages);
  const refusal = findRefusal(call);
  if (reason === null || (open && refusal === null && call.facts.webFailure === undefined)) return null;
  const { webFailure, host } = call.facts;
  const failure = findToolFailure(call);
  const isWhole = refusal !== null || call.state === "denied";
  return (
    <p
      className={classes("mb-1 ml-6 text-ink-muted", isWhole ? "whitespace-pre-wrap [overflow-wrap:anywhere]" : "cut")}
    >
      {webFailure !== undefined && host !== undefined ? (
        <Suspense fallback="…">
          <WebFailureText failure={webFailure} host={host} />
        </Suspense>
      ) : failure !== null ? (
        <Suspense fallback="…">
          <ToolFailureText code={failure} />
        </Suspense>
      ) : (
        <VisibleText text={reason} names={messages.common.hidden} />
      )}
      {refusal !== null && runControls !== null && (
        <>
          {" "}
          <SettingsLink tab={refusal.setting} />
        </>
      )}
    </p>
  );
}

/** The last output lines of a running command; of a failed one those that tell the failure. */
function OutputLines({ call }: { readonly call: CallView }) {
  const messages = useConversationMessages();
  const text =
    call.state === "running"
      ? lastLines(call.live?.tail ?? "", shownFailureLines)
      : isFailed(call) && hasEnded(call)
        ? pickFailureLines(stripStatusNote(call, call.failureLines ?? outputText(call)), shownFailureLines)
        : "";
  if (text.trim() === "") return null;
  return (
    <pre className="mt-0.5 mb-2 ml-[7px] overflow-hidden border-l-2 border-line py-0.5 pl-[15px] text-code leading-[19px] whitespace-pre text-ink-muted">
      {text.split("\n").map((line, index) => (
        <span key={index} className="block overflow-hidden text-ellipsis">
          {line === "" ? " " : <VisibleText text={line} names={messages.common.hidden} />}
        </span>
      ))}
    </pre>
  );
}

/** Button that terminates this command only; nothing for a viewer. */
function TerminateButton({ callId }: Pick<CallView, "callId">) {
  const messages = useConversationMessages();
  const { runControls } = useConversationActions();
  if (runControls === null) return null;
  return (
    <Button size="small" look="quiet" onClick={() => runControls.endCommand(callId)}>
      {messages.tools.endCommand}
    </Button>
  );
}

function RestoreButton({ trashId }: { readonly trashId: TrashId }) {
  const messages = useConversationMessages();
  const { restoreFromTrash } = useConversationActions();
  const [state, setState] = useState<"there" | "busy" | "restored">("there");
  if (restoreFromTrash === null) return null;
  if (state === "restored") return <span className="text-small text-ink-muted">{messages.tools.restored}</span>;
  return (
    <Button
      size="small"
      busy={state === "busy"}
      onClick={() => {
        setState("busy");
        void restoreFromTrash(trashId).then((done) => setState(done ? "restored" : "there"));
      }}
    >
      {messages.tools.restore}
    </Button>
  );
}
