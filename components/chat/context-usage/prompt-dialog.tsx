"use client";
/** Dialog with the exact text of the next request: each instruction, tool, message and notice with its tokens. */
import { ChevronRight } from "lucide-react";
import { type FullMessages, useFullMessages } from "../../messages/full-messages";
import type { ContextReport, PromptPiece } from "@/lib/protocol/answers";
import { CopyButton } from "../../ui/controls/copy-button";
import { Dialog } from "../../ui/overlays/dialog";
import { Icon } from "../../ui/indicators/icon";

interface PromptDialogProps {
  readonly report: ContextReport;
  readonly onClose: () => void;
}

export function PromptDialog({ report, onClose }: PromptDialogProps) {
  const { contextPanel, promptDialog, common, figures } = useFullMessages();
  const system = report.parts.find((part) => part.part === "system")?.tokens ?? 0;
  return (
    <Dialog wide title={promptDialog.title} closeName={common.close} onClose={onClose}>
      <p className="pb-3 text-ink-muted">{promptDialog.note}</p>
      <p className="pb-3 tabular-nums">{changeNote(report, promptDialog, figures)}</p>
      <div className="overflow-hidden rounded-card border border-line">
        <PromptPieceView name={contextPanel.parts.system} tokens={system} text={report.system} isOpen />
        {report.tools.map((tool) => (
          <PromptPieceView key={tool.name} name={tool.name} tokens={tool.tokens} text={tool.text} isTool />
        ))}
      </div>
      {groupBySection(report.pieces).map(({ section, pieces }) => (
        <section key={section} aria-label={promptDialog.sections[section]} className="pt-4">
          <h3 className="pb-1.5 font-medium">{promptDialog.sections[section]}</h3>
          <div className="overflow-hidden rounded-card border border-line">
            {pieces.map(({ kind, name, tokens, text, isNew = false }, index) => (
              <PromptPieceView key={index} name={promptDialog.pieces[kind](name ?? "")} {...{ tokens, text, isNew }} />
            ))}
          </div>
        </section>
      ))}
    </Dialog>
  );
}

/** Returns the note about the tokens that the next request adds to the last one. */
function changeNote(
  { pieces, total }: ContextReport,
  text: FullMessages["promptDialog"],
  figures: FullMessages["figures"],
): string {
  const added = Math.min(
    total,
    pieces.reduce((sum, { isNew, tokens }) => sum + (isNew === true ? tokens : 0), 0),
  );
  return added === 0 ? text.unchanged : text.added(figures.tokens(added), figures.tokens(total - added));
}

type PromptSection = "start" | "history" | "pending";

const startKinds: ReadonlySet<PromptPiece["kind"]> = new Set([
  "owner",
  "toolbox",
  "environment",
  "tree",
  "guide",
  "memory",
]);

const toSection = ({ kind }: PromptPiece): PromptSection => {
  if (kind === "pending" || kind === "pendingFile") return "pending";
  return startKinds.has(kind) ? "start" : "history";
};

/** Groups the pieces by section; empty sections are left out. */
const groupBySection = (pieces: readonly PromptPiece[]) =>
  (["start", "history", "pending"] as const).flatMap((section) => {
    const own = pieces.filter((piece) => toSection(piece) === section);
    return own.length === 0 ? [] : [{ section, pieces: own }];
  });

interface PromptPieceProps {
  readonly name: string;
  readonly tokens: number;
  readonly text: string;
  readonly isOpen?: boolean;
  readonly isTool?: boolean;
  readonly isNew?: boolean;
}

function PromptPieceView({ name, tokens, text, isOpen = false, isTool = false, isNew = false }: PromptPieceProps) {
  const { chat, promptDialog, figures, common } = useFullMessages();
  return (
    <details open={isOpen} className="group border-t border-line first:border-t-0">
      <summary className="flex min-h-9 cursor-default list-none items-center gap-2 px-3 hover:bg-hover max-tablet:min-h-11 [&::-webkit-details-marker]:hidden">
        <Icon of={ChevronRight} size={14} className="text-ink-faint transition-transform group-open:rotate-90" />
        <span className={isTool ? "min-w-0 flex-1 cut font-mono text-code" : "min-w-0 flex-1 cut"}>{name}</span>
        {isNew && (
          <span className="rounded-mark bg-accent-soft px-1.5 text-small text-accent">{promptDialog.isNew}</span>
        )}
        <span className="text-small text-ink-muted tabular-nums">{chat.tokens(figures.tokens(tokens))}</span>
      </summary>
      <div className="relative border-t border-line bg-canvas">
        <pre
          tabIndex={0}
          className="max-h-80 overflow-auto py-2 pr-12 pl-3 text-code max-tablet:pr-15 whitespace-pre-wrap [overflow-wrap:anywhere]"
        >
          {text}
        </pre>
        <CopyButton
          text={() => text}
          name={common.copy}
          doneName={common.copied}
          className="absolute top-1 right-2 bg-raised"
        />
      </div>
    </details>
  );
}
