"use client";
/** Details of a call: the full command, the diffs, the output. */
import { isCommandKind, presentationOf, type ToolPresentation } from "@/lib/events/tool-presentations";
import { type ReactNode, lazy, Suspense } from "react";
import { describeAnswerOrigin } from "../../messages/answer-origin";
import { useConversationMessages } from "../../messages/conversation-messages";
import type { Json } from "@/lib/events/content";
import type { CallFileChange } from "@/lib/events/tool-kind";
import type { CallView } from "@/lib/view/view";
import { LazyDiffView } from "../../ui/code/lazy-diff-view";
import { PathText } from "../../ui/text/path-text";
import { VisibleText } from "../../ui/text/visible-text";
import { OutputBlock } from "./output-block";
import { PathLink } from "./path-link";
import { isRefused } from "./tool-facts";
import { PlusMinus } from "../../ui/text/plus-minus";
import type { CallInputProps } from "./call-input";

const Loaded = lazy(async () => ({ default: (await import("./call-input")).CallInput }));

/** Lazily loaded input of a call of another program's tool. */
const LazyInputFields = (props: CallInputProps) => (
  <Suspense fallback={<div className="h-9" />}>
    <Loaded {...props} />
  </Suspense>
);

interface ToolBodyProps {
  readonly call: CallView;
}

function CallNotes({ call }: ToolBodyProps) {
  const messages = useConversationMessages();
  const { facts } = call;
  const notes = [
    facts.loose === undefined ? null : messages.tools.loose[facts.loose],
    facts.killed === undefined || facts.killed === 0 ? null : messages.tools.killed(facts.killed),
    facts.limited === true ? messages.tools.limited : null,
    facts.undoGap === undefined ? null : messages.callFacts.undoGaps[facts.undoGap],
    facts.notKept === undefined ? null : messages.callFacts.notKept(facts.notKept),
    facts.skippedFolders === undefined ? null : messages.callFacts.skippedFolders(facts.skippedFolders.join(", ")),
    facts.repaired === true ? messages.tools.repaired : null,
    facts.rule === undefined || isRefused(call) ? null : messages.tools.byRule(facts.rule),
    describeAnswerOrigin(call.approvals.at(-1)?.response?.origin, messages.tools),
    isCommandKind(call.kind) && facts.cwd !== undefined && facts.cwd !== "" ? messages.tools.folder(facts.cwd) : null,
  ].filter((note) => note !== null);
  return notes.length === 0 ? null : (
    <p className="border-t border-line px-3 py-1.5 text-small text-ink-muted first:border-t-0">{notes.join(" · ")}</p>
  );
}

function ChangeBlock({ change }: { readonly change: CallFileChange }) {
  const messages = useConversationMessages();
  const path = <PathText path={change.path} names={messages.common.hidden} />;
  const line = change.hunks?.[0]?.newStart;
  return (
    <section className="border-t border-line first:border-t-0">
      <header className="flex h-9 items-center gap-2 px-3">
        <span className="min-w-0 flex-1">
          {change.after === null ? (
            <code className="text-code">{path}</code>
          ) : (
            <PathLink path={change.path} line={line} className="max-w-full text-code">
              {path}
            </PathLink>
          )}
        </span>
        {change.before === null && change.after !== null && (
          <span className="text-small text-ink-muted">{messages.tools.created}</span>
        )}
        <PlusMinus added={change.added} removed={change.removed} />
      </header>
      {change.hunks === undefined ? (
        <p className="px-3 pb-2 text-ink-muted">{messages.tools.noHunks}</p>
      ) : (
        change.hunks.length > 0 && (
          <LazyDiffView
            hunks={change.hunks}
            path={change.path}
            names={messages.common.hidden}
            label={change.path}
            className="max-h-96 border-t border-line"
          />
        )
      )}
    </section>
  );
}

/** Maximum number of diffs shown; a command may change very many files. */
const shownChangesMax = 20;

function ChangeBlocks({ changes = [] }: { readonly changes?: CallView["changes"] }) {
  const messages = useConversationMessages();
  return (
    <>
      {changes.slice(0, shownChangesMax).map((change) => (
        <ChangeBlock key={change.path} change={change} />
      ))}
      {changes.length > shownChangesMax && (
        <p className="border-t border-line px-3 py-1.5 text-ink-muted">
          {messages.tools.moreFiles(changes.length - shownChangesMax)}
        </p>
      )}
    </>
  );
}

function ChangesBody({ call }: ToolBodyProps) {
  const failed = call.state !== "ok";
  return (
    <>
      <ChangeBlocks changes={call.changes} />
      {(failed || call.changes === undefined || call.changes.length === 0) && <OutputBlock call={call} />}
    </>
  );
}

function ReportBody({ call }: ToolBodyProps) {
  return (
    <>
      <OutputBlock call={call} />
      <div className="border-t border-line empty:hidden">
        <ChangeBlocks changes={call.changes} />
      </div>
    </>
  );
}

function ShellBody({ call }: ToolBodyProps) {
  const messages = useConversationMessages();
  return (
    <>
      <pre
        tabIndex={0}
        className="max-h-48 overflow-auto border-b border-line px-3 py-2 text-code whitespace-pre-wrap [overflow-wrap:anywhere]"
      >
        <span className="text-ink-faint select-none">$ </span>
        <VisibleText text={call.target} names={messages.common.hidden} />
      </pre>
      {call.live === undefined || call.output !== undefined ? (
        <OutputBlock call={call} />
      ) : (
        <pre className="max-h-80 overflow-auto px-3 py-2 text-code whitespace-pre-wrap [overflow-wrap:anywhere]">
          {call.live.tail}
        </pre>
      )}
      <div className="border-t border-line empty:hidden">
        <ChangeBlocks changes={call.changes} />
      </div>
    </>
  );
}

const toolBodies: Record<ToolPresentation["body"], (props: ToolBodyProps) => ReactNode> = {
  output: OutputBlock,
  report: ReportBody,
  diff: ChangesBody,
  terminal: ShellBody,
};

interface ToolCardProps extends ToolBodyProps {
  /** The source text if the model wrote the call as text. */
  readonly raw?: string;
  /** Input of the call of another program's tool. */
  readonly input?: Json;
}

export function ToolCard({ call, raw, input }: ToolCardProps) {
  const Body = toolBodies[presentationOf(call.kind).body];
  return (
    <div className="my-1 ml-6 animate-appear overflow-hidden rounded-card border border-line bg-raised text-base">
      {input !== undefined && <LazyInputFields input={input} call={call} />}
      <Body call={call} />
      <CallNotes call={call} />
      {raw !== undefined && <RawCall raw={raw} />}
    </div>
  );
}

function RawCall({ raw }: { readonly raw: string }) {
  const messages = useConversationMessages();
  return (
    <section className="border-t border-line">
      <p className="px-3 pt-1.5 text-small text-ink-muted">{messages.tools.rawNote}</p>
      <pre
        tabIndex={0}
        className="max-h-48 overflow-auto px-3 pt-1 pb-2 text-code whitespace-pre-wrap text-ink-muted [overflow-wrap:anywhere]"
      >
        <VisibleText text={raw} names={messages.common.hidden} />
      </pre>
    </section>
  );
}
