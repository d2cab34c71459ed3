"use client";
/** One call in one line: icon, verb, target, what came of it. It opens to the card; a running or failed command shows its last lines. */
import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { useWords } from "@/components/words/words";
import type { TrashId } from "@/lib/id";
import type { CallView } from "@/lib/view";
import { Button } from "../../ui/button";
import { classes } from "../../ui/classes";
import { Icon } from "../../ui/icon";
import { PathText } from "../../ui/path-text";
import { VisibleText } from "../../ui/visible-text";
import { useConversationActions } from "../actions";
import { useNow } from "../use-now";
import { PlusMinus } from "../../ui/plus-minus";
import { ToolCard } from "./tool-card";
import {
  changedLines,
  edgeOf,
  endOf,
  hasRun,
  isFailed,
  lastLines,
  outputText,
  printedText,
  reasonOf,
  targetOf,
  toolIcons,
  verbOf,
} from "./tool-facts";

export interface ToolLineProps {
  readonly call: CallView;
  /** The words the call was read from, when the model wrote it as text. */
  readonly raw?: string;
  readonly open: boolean;
  readonly onToggle: () => void;
}

/** Lines of a command's output shown without opening it. */
const tailLines = 8;
/** Shorter runs show no seconds. */
const tellRunningAfterMs = 1_500;

export function ToolLine({ call, raw, open, onToggle }: ToolLineProps) {
  const words = useWords();
  const target = targetOf(call, words);
  const reason = reasonOf(call, words);
  const lines = changedLines(call);
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
        <button
          type="button"
          aria-expanded={open}
          onClick={onToggle}
          className="group flex h-7 min-w-0 flex-1 items-center gap-2 rounded-control text-left text-ink-muted max-tablet:h-11"
        >
          <span className="relative grid size-4 shrink-0 place-items-center text-ink-faint">
            <Icon
              of={toolIcons[call.kind]}
              className={classes(
                "transition-opacity group-hover:opacity-0",
                open && "opacity-0",
                call.state === "running" && "animate-breathe text-accent",
              )}
            />
            <Icon
              of={ChevronRight}
              className={classes(
                "absolute transition-[opacity,rotate] group-hover:opacity-100",
                open ? "rotate-90 opacity-100" : "opacity-0",
              )}
            />
          </span>
          <span className="shrink-0 font-medium text-ink">{verbOf(call, words)}</span>
          <code
            className={classes(
              "min-w-0 text-code text-ink",
              target.isPath ? "flex" : "cut",
              (call.state === "denied" || call.state === "aborted") && "line-through decoration-ink-faint",
            )}
          >
            {target.isPath ? (
              <PathText path={target.text} names={words.common.hidden} />
            ) : (
              <VisibleText text={target.text} names={words.common.hidden} />
            )}
            {target.more && " …"}
            {target.lines !== "" && <span className="shrink-0 whitespace-pre">{` ${target.lines}`}</span>}
          </code>
          <span className="ml-auto flex shrink-0 items-center gap-2 pl-2 text-small text-ink-muted tabular-nums">
            {raw !== undefined && (
              <span title={words.tools.rawNote} className="rounded-mark bg-ink/6 px-1.5">
                {words.tools.repairedMark}
              </span>
            )}
            {lines !== null && <PlusMinus {...lines} />}
            <End call={call} />
          </span>
        </button>
        {trash !== undefined && <Restore trashId={trash} />}
        {call.kind === "shell" && call.state === "running" && <EndCommand callId={call.callId} />}
      </div>
      {!open && reason !== null && <p className="mb-1 ml-6 cut text-ink-muted">{reason}</p>}
      {!open && call.kind === "shell" && <Tail call={call} />}
      {open && <ToolCard call={call} {...(raw === undefined ? {} : { raw })} />}
    </div>
  );
}

function End({ call }: { readonly call: CallView }) {
  const words = useWords();
  const running = call.state === "running" && call.startedAt !== undefined;
  const now = useNow(running ? 1000 : null);
  const ranMs = running && call.startedAt !== undefined ? now - call.startedAt : 0;
  const parts = ranMs > tellRunningAfterMs ? [words.figures.duration(ranMs)] : endOf(call, words);
  return parts.length === 0 ? null : (
    <span className={isFailed(call) ? "text-danger" : undefined}>{parts.join(" · ")}</span>
  );
}

/** The last lines while it runs, and after it failed. */
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

/** Ends this command alone; nothing for a viewer. */
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
