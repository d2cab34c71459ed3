"use client";
/** A compaction: its progress, result and summary, which the user can edit while no run is open. */
import { ChevronRight, FoldVertical } from "lucide-react";
import { type ReactNode, useState } from "react";
import { sentences } from "@/components/words/sentences";
import { useWords, type Words } from "@/components/words/words";
import { limits } from "@/lib/settings";
import { Button } from "../ui/button";
import { classes } from "../ui/classes";
import { Icon } from "../ui/icon";
import { Spinner } from "../ui/spinner";
import { useConversationActions, useConversationFacts } from "./actions";
import type { CompactionContent } from "./items";
import { Markdown } from "./markdown/markdown";

type Compaction = CompactionContent["entry"];

export interface CompactionCardProps extends Omit<CompactionContent, "kind"> {
  readonly open: boolean;
  readonly onToggle: () => void;
}

export function CompactionCard({ entry, edited, isInForce, open, onToggle }: CompactionCardProps) {
  const words = useWords();
  const { compaction } = words.chat;
  const { tokens } = words.figures;
  if (entry.state === "running") return <Running entry={entry} />;
  if (entry.state === "failed") {
    return (
      <Row icon={<Icon of={FoldVertical} className="text-danger" />}>
        <span className="min-w-0 text-danger">{compaction.failed}</span>
        <Why entry={entry} />
      </Row>
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
        <Why entry={entry} />
        <Icon
          of={ChevronRight}
          size={14}
          className={classes("ml-auto text-ink-faint transition-transform", open && "rotate-90")}
        />
      </button>
      {open && (
        <Opened
          entry={entry}
          summary={edited ?? entry.summary ?? ""}
          isEdited={edited !== undefined}
          isInForce={isInForce}
        />
      )}
    </div>
  );
}

function Row({ icon, children }: { readonly icon: ReactNode; readonly children: ReactNode }) {
  return (
    <div className="flex min-h-7 items-center gap-2 text-base text-ink-muted">
      <span className="grid size-4 shrink-0 place-items-center">{icon}</span>
      {children}
    </div>
  );
}

function Running({ entry }: { readonly entry: Compaction }) {
  const words = useWords();
  const { drive } = useConversationActions();
  return (
    <Row icon={<Spinner className="text-accent" />}>
      <span role="status" className="min-w-0">
        {words.chat.compaction.running(words.figures.tokens(entry.tokensBefore))}
      </span>
      {drive !== null && (
        <Button size="small" className="ml-1" onClick={drive.stop}>
          {words.composer.stop}
        </Button>
      )}
    </Row>
  );
}

/** The cause of the compaction, as short muted text. */
function Why({ entry }: { readonly entry: Compaction }) {
  const { chat } = useWords();
  return entry.why === undefined ? null : (
    <span className="min-w-0 cut text-small text-ink-muted">{chat.compaction.why[entry.why]}</span>
  );
}

/** Notes on how the summary was made: focus, mechanical, shortened, edited. */
function notesOf(entry: Compaction, isEdited: boolean, { chat, figures }: Words): readonly string[] {
  const { compaction } = chat;
  return [
    ...(entry.focus === undefined || entry.focus === "" ? [] : [compaction.focus(entry.focus)]),
    ...(entry.mechanical === true ? [compaction.mechanical] : []),
    ...(entry.resultTokens === undefined ? [] : [compaction.shortened(figures.tokens(entry.resultTokens))]),
    ...(isEdited ? [compaction.edited] : []),
  ];
}

interface OpenedProps {
  readonly entry: Compaction;
  readonly summary: string;
  readonly isEdited: boolean;
  readonly isInForce: boolean;
}

function Opened({ entry, summary, isEdited, isInForce }: OpenedProps) {
  const words = useWords();
  const { drive } = useConversationActions();
  const { isIdle } = useConversationFacts();
  const [editing, setEditing] = useState(false);
  const notes = notesOf(entry, isEdited, words);
  if (editing && drive !== null) {
    return (
      <SummaryField
        start={summary}
        onSave={(text) => drive.editSummary(entry.seq, text)}
        onClose={() => setEditing(false)}
      />
    );
  }
  return (
    <div className="animate-appear border-t border-line px-3 py-2">
      {notes.length > 0 && (
        <p className="pb-2 text-small text-ink-muted [overflow-wrap:anywhere]">{sentences(words, notes)}</p>
      )}
      <div className="max-h-96 overflow-y-auto">
        <Markdown
          text={summary}
          live={false}
          className="text-base [&_:is(h1,h2,h3,h4)]:mt-2 [&_:is(h1,h2,h3,h4)]:text-base"
        />
      </div>
      {drive !== null && isInForce && (
        <div className="flex items-center gap-2 pt-2">
          {isIdle ? (
            <Button size="small" onClick={() => setEditing(true)}>
              {words.chat.compaction.edit}
            </Button>
          ) : (
            <span className="text-small text-ink-muted">{words.chat.compaction.editLater}</span>
          )}
        </div>
      )}
    </div>
  );
}

interface SummaryFieldProps {
  readonly start: string;
  readonly onSave: (text: string) => Promise<boolean>;
  readonly onClose: () => void;
}

function SummaryField({ start, onSave, onClose }: SummaryFieldProps) {
  const words = useWords();
  const [text, setText] = useState(start);
  const [busy, setBusy] = useState(false);
  const excess = text.length - limits.summaryMaxChars;
  const save = (): void => {
    setBusy(true);
    void onSave(text.trim()).then((taken) => (taken ? onClose() : setBusy(false)));
  };
  return (
    <div className="border-t border-line p-3">
      <p className="pb-1.5 text-small text-ink-muted">{words.chat.compaction.editNote}</p>
      <textarea
        autoFocus
        rows={12}
        value={text}
        aria-label={words.chat.compaction.summary}
        onChange={(event) => setText(event.target.value)}
        className="block w-full resize-y rounded-control border border-line bg-canvas px-2.5 py-2 font-mono text-code text-ink outline-none focus:border-accent max-tablet:text-field"
      />
      {excess > 0 && (
        <p className="pt-1 text-small text-danger">{words.composer.tooLong(words.figures.number(excess))}</p>
      )}
      <div className="flex justify-end gap-2 pt-2">
        <Button look="quiet" onClick={onClose}>
          {words.common.cancel}
        </Button>
        <Button look="primary" busy={busy} disabled={text.trim() === "" || excess > 0} onClick={save}>
          {words.common.save}
        </Button>
      </div>
    </div>
  );
}
