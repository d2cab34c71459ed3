"use client";
/** One conflict of a file: the lines of both sides, and the buttons that choose among them. */
import type { ConflictTake } from "@/lib/text/conflict-markers";
import type { ShownRegion } from "@/lib/workspace/source-conflict";
import { useFullMessages } from "../../../messages/full-messages";
import { languageOfPath } from "../../../ui/code/code-language";
import { CodeView } from "../../../ui/code/code-view";
import { Button } from "../../../ui/controls/button";
import { classes } from "../../../ui/theme/classes";

interface ConflictRegionViewProps {
  readonly path: string;
  readonly region: ShownRegion;
  /** From 1. */
  readonly number: number;
  readonly count: number;
  readonly disabled: boolean;
  readonly onTake: (take: ConflictTake) => void;
}

const takes = ["ours", "theirs", "both", "base"] as const satisfies readonly ConflictTake[];

export function ConflictRegionView({ path, region, number, count, disabled, onTake }: ConflictRegionViewProps) {
  const { conflictView: text } = useFullMessages();
  const { line, ours, theirs, base, names, isCut } = region;
  const title = text.region(number, count, line);
  return (
    <section aria-label={title} data-region={number} className="overflow-hidden rounded-card border border-line">
      <div className="flex min-h-9 flex-wrap items-center gap-1 border-b border-line bg-surface py-0.5 pr-1 pl-3">
        <h4 className="mr-auto text-small text-ink-muted tabular-nums">{title}</h4>
        {takes
          .filter((take) => take !== "base" || base !== null)
          .map((take) => (
            <Button key={take} size="small" disabled={disabled} onClick={() => onTake(take)}>
              {text.take[take]}
            </Button>
          ))}
      </div>
      <Side path={path} title={text.side(text.ours, names.ours)} lines={ours} tone="bg-accent-soft" />
      {base !== null && <Side path={path} title={text.base} lines={base} tone="bg-surface" />}
      <Side path={path} title={text.side(text.theirs, names.theirs)} lines={theirs} tone="bg-ask-soft" />
      {isCut === true && <p className="px-3 py-1 text-small text-ink-muted">{text.cut}</p>}
    </section>
  );
}

interface SideProps {
  readonly path: string;
  readonly title: string;
  readonly lines: string;
  readonly tone: string;
}

function Side({ path, title, lines, tone }: SideProps) {
  const { conflictView: text, common } = useFullMessages();
  return (
    <div className="not-last:border-b not-last:border-line">
      <p className={classes("px-3 py-0.5 text-small text-ink-muted", tone)}>{title}</p>
      {lines === "" ? (
        <p className="px-3 py-1 text-small text-ink-faint italic">{text.noLines}</p>
      ) : (
        <CodeView
          code={lines.replace(/\r?\n$/, "")}
          language={languageOfPath(path)}
          names={common.hidden}
          className="max-h-80 overflow-y-auto px-3 py-1"
        />
      )}
    </div>
  );
}
