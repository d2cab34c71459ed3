"use client";
/** A call in one line: icon, verb, target, outcome. Expands to a card; a running or failed command shows its tail. */
import { useState } from "react";
import { useWords } from "@/components/words/words";
import type { TrashId } from "@/lib/id";
import type { CallView } from "@/lib/view";
import { Button } from "../../ui/button";
import { classes } from "../../ui/classes";
import { VisibleText } from "../../ui/visible-text";
import { useConversationActions } from "../actions";
import { SettingsLink } from "../settings-link";
import { ToolCard } from "./tool-card";
import { edgeOf, hasRun, isFailed, lastLines, outputText, printedText, reasonOf, refusalOf } from "./tool-facts";
import { ToolHeader, type ToolHeaderProps } from "./tool-header";

/** Number of output lines shown while collapsed. */
const tailLines = 8;

export function ToolLine({ call, raw, open, onToggle }: ToolHeaderProps) {
  const edge = edgeOf(call);
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
        <ToolHeader {...{ call, open, onToggle }} {...(raw === undefined ? {} : { raw })} />
        {trash !== undefined && <Restore trashId={trash} />}
        {call.kind === "shell" && call.state === "running" && <EndCommand callId={call.callId} />}
      </div>
      <Reason call={call} open={open} />
      {!open && call.kind === "shell" && <Tail call={call} />}
      {open && <ToolCard call={call} {...(raw === undefined ? {} : { raw })} />}
    </div>
  );
}

/** Why the call failed, was denied or refused, with a link to the setting that refused it. */
function Reason({ call, open }: Pick<ToolHeaderProps, "call" | "open">) {
  const words = useWords();
  const { drive } = useConversationActions();
  const reason = reasonOf(call, words);
  const refusal = refusalOf(call);
  if (reason === null || (open && refusal === null)) return null;
  const isWhole = refusal !== null || call.state === "denied";
  return (
    <p
      className={classes("mb-1 ml-6 text-ink-muted", isWhole ? "whitespace-pre-wrap [overflow-wrap:anywhere]" : "cut")}
    >
      <VisibleText text={reason} names={words.common.hidden} />
      {refusal !== null && drive !== null && (
        <>
          {" "}
          <SettingsLink tab={refusal.setting} />
        </>
      )}
    </p>
  );
}

/** The last output lines of a running or failed command. */
function Tail({ call }: { readonly call: CallView }) {
  const words = useWords();
  const text =
    call.state === "running"
      ? (call.live?.tail ?? "")
      : isFailed(call) && hasRun(call)
        ? printedText(call, outputText(call))
        : "";
  if (text.trim() === "") return null;
  return (
    <pre className="mt-0.5 mb-2 ml-[7px] overflow-hidden border-l-2 border-line py-0.5 pl-[15px] text-code leading-[19px] whitespace-pre text-ink-muted">
      {lastLines(text, tailLines)
        .split("\n")
        .map((line, index) => (
          <span key={index} className="block overflow-hidden text-ellipsis">
            {line === "" ? " " : <VisibleText text={line} names={words.common.hidden} />}
          </span>
        ))}
    </pre>
  );
}

/** Button that terminates this command only; nothing for a viewer. */
function EndCommand({ callId }: Pick<CallView, "callId">) {
  const words = useWords();
  const { drive } = useConversationActions();
  if (drive === null) return null;
  return (
    <Button size="small" look="quiet" onClick={() => drive.endCommand(callId)}>
      {words.tools.endCommand}
    </Button>
  );
}

function Restore({ trashId }: { readonly trashId: TrashId }) {
  const words = useWords();
  const { restore } = useConversationActions();
  const [state, setState] = useState<"there" | "busy" | "restored">("there");
  if (restore === null) return null;
  if (state === "restored") return <span className="text-small text-ink-muted">{words.tools.restored}</span>;
  return (
    <Button
      size="small"
      busy={state === "busy"}
      onClick={() => {
        setState("busy");
        void restore(trashId).then((done) => setState(done ? "restored" : "there"));
      }}
    >
      {words.tools.restore}
    </Button>
  );
}
