"use client";
/** A compaction: its progress, result and summary, which the user can edit while no run is open. */
import { ChevronRight, FoldVertical } from "lucide-react";
import { type ReactNode, useState } from "react";
import { joinSentences } from "../../messages/join-sentences";
import { type ConversationMessages, useConversationMessages } from "../../messages/conversation-messages";
import { limits } from "@/lib/settings/settings";
import { Button } from "../../ui/controls/button";
import { classes } from "../../ui/theme/classes";
import { Icon } from "../../ui/indicators/icon";
import { Spinner } from "../../ui/indicators/spinner";
import { useConversationActions, useConversationFacts } from "../actions";
import type { CompactionContent } from "./conversation-items";
import { Markdown } from "../../ui/markdown/markdown";

type CompactionEntry = CompactionContent["entry"];

interface CompactionCardProps extends Omit<CompactionContent, "kind"> {
  readonly open: boolean;
  readonly onToggle: () => void;
}

export function CompactionCard({ entry, edited, isInForce, open, onToggle }: CompactionCardProps) {
  const messages = useConversationMessages();
  const { compaction } = messages;
  const { tokens } = messages.figures;
  if (entry.state === "running") return <RunningCompaction entry={entry} />;
  if (entry.state === "failed") {
    return (
      <StatusRow icon={<Icon of={FoldVertical} className="text-danger" />}>
        <span className="min-w-0 text-danger">{compaction.failed}</span>
        <CompactionCause entry={entry} />
      </StatusRow>
    );
  }
  return (
    <div className="rounded-card border border-line bg-raised text-base">
      <button
        type="button"
        aria-expanded={open}
        onClick={onToggle}
        className="group flex min-h-9 w-full items-center gap-2 rounded-card px-3 text-left hover:bg-hover max-tablet:min-h-11"
      >
        <Icon of={FoldVertical} className="text-ink-faint" />
        <span className="shrink-0 font-medium tabular-nums">
          {compaction.done(tokens(entry.tokensBefore), tokens(entry.tokensAfter ?? 0))}
        </span>
        <CompactionCause entry={entry} />
        <Icon
          of={ChevronRight}
          size={14}
          className={classes("ml-auto text-ink-faint transition-transform", open && "rotate-90")}
        />
      </button>
      {open && (
        <SummaryView
          entry={entry}
          summary={edited ?? entry.summary ?? ""}
          isEdited={edited !== undefined}
          isInForce={isInForce}
        />
      )}
    </div>
  );
}

function StatusRow({ icon, children }: { readonly icon: ReactNode; readonly children: ReactNode }) {
  return (
    <div className="flex min-h-7 items-center gap-2 text-base text-ink-muted">
      <span className="grid size-4 shrink-0 place-items-center">{icon}</span>
      {children}
    </div>
  );
}

function RunningCompaction({ entry }: { readonly entry: CompactionEntry }) {
  const messages = useConversationMessages();
  const { runControls } = useConversationActions();
  return (
    <StatusRow icon={<Spinner className="text-accent" />}>
      <span role="status" className="min-w-0">
        {messages.compaction.running(messages.figures.tokens(entry.tokensBefore))}
      </span>
      {runControls !== null && (
        <Button size="small" className="ml-1" onClick={runControls.stop}>
          {messages.composer.stop}
        </Button>
      )}
    </StatusRow>
  );
}

/** The cause of the compaction, as short muted text. */
function CompactionCause({ entry }: { readonly entry: CompactionEntry }) {
  const { compaction } = useConversationMessages();
  return entry.why === undefined ? null : (
    <span className="min-w-0 cut text-small text-ink-muted">{compaction.why[entry.why]}</span>
  );
}

/** Notes on how the summary was made: focus, mechanical, shortened, edited. */
function summaryNotes(
  entry: CompactionEntry,
  isEdited: boolean,
  { compaction, figures }: ConversationMessages,
): readonly string[] {
  return [
    ...(entry.focus === undefined || entry.focus === "" ? [] : [compaction.focus(entry.focus)]),
    ...(entry.mechanical === true ? [compaction.mechanical] : []),
    ...(entry.resultTokens === undefined ? [] : [compaction.shortened(figures.tokens(entry.resultTokens))]),
    ...(isEdited ? [compaction.edited] : []),
  ];
}

interface SummaryViewProps {
  readonly entry: CompactionEntry;
  readonly summary: string;
  readonly isEdited: boolean;
  readonly isInForce: boolean;
}

function SummaryView({ entry, summary, isEdited, isInForce }: SummaryViewProps) {
  const messages = useConversationMessages();
  const { runControls } = useConversationActions();
  const { isIdle } = useConversationFacts();
  const [editing, setEditing] = useState(false);
  const notes = [
    ...(entry.reasoningOnly === true ? [messages.runDetails.reasoningOnly] : []),
    ...summaryNotes(entry, isEdited, messages),
  ];
  if (editing && runControls !== null) {
    return (
      <SummaryEditor
        start={summary}
        onSave={(text) => runControls.editSummary(entry.seq, text)}
        onClose={() => setEditing(false)}
      />
    );
  }
  return (
    <div className="animate-appear border-t border-line px-3 py-2">
      {notes.length > 0 && (
        <p className="pb-2 text-small text-ink-muted [overflow-wrap:anywhere]">{joinSentences(messages, notes)}</p>
      )}
      <div className="max-h-96 overflow-y-auto">
        <Markdown
          text={summary}
          live={false}
          className="text-base [&_:is(h1,h2,h3,h4)]:mt-2 [&_:is(h1,h2,h3,h4)]:text-base"
        />
      </div>
      {runControls !== null && isInForce && summary !== "" && (
        <div className="flex items-center gap-2 pt-2">
          {isIdle ? (
            <Button size="small" onClick={() => setEditing(true)}>
              {messages.compaction.edit}
            </Button>
          ) : (
            <span className="text-small text-ink-muted">{messages.compaction.editLater}</span>
          )}
        </div>
      )}
    </div>
  );
}

interface SummaryEditorProps {
  readonly start: string;
  readonly onSave: (text: string) => Promise<boolean>;
  readonly onClose: () => void;
}

function SummaryEditor({ start, onSave, onClose }: SummaryEditorProps) {
  const messages = useConversationMessages();
  const [text, setText] = useState(start);
  const [busy, setBusy] = useState(false);
  const excess = text.length - limits.summaryMaxChars;
  const save = (): void => {
    setBusy(true);
    void onSave(text.trim()).then((isAccepted) => (isAccepted ? onClose() : setBusy(false)));
  };
  return (
    <div className="border-t border-line p-3">
      <p className="pb-1.5 text-small text-ink-muted">{messages.compaction.editNote}</p>
      <textarea
        autoFocus
        rows={12}
        value={text}
        aria-label={messages.compaction.summary}
        onChange={(event) => setText(event.target.value)}
        className="block w-full resize-y rounded-control border border-line bg-canvas px-2.5 py-2 font-mono text-code text-ink outline-none focus:border-accent max-tablet:text-field"
      />
      {excess > 0 && (
        <p className="pt-1 text-small text-danger">{messages.composer.tooLong(messages.figures.number(excess))}</p>
      )}
      <div className="flex justify-end gap-2 pt-2">
        <Button look="quiet" onClick={onClose}>
          {messages.common.cancel}
        </Button>
        <Button look="primary" busy={busy} disabled={text.trim() === "" || excess > 0} onClick={save}>
          {messages.common.save}
        </Button>
      </div>
    </div>
  );
}
