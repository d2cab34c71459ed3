"use client";
/** Reports the last replacement, with its undo and the files it left as they were. */
import { baseName } from "@/lib/workspace/project-path";
import { useFullMessages } from "../messages/full-messages";
import { Button } from "../ui/controls/button";
import { Spinner } from "../ui/indicators/spinner";
import type { CodeSearch, CodeSearchState } from "./code-search";
import type { ReplacementOutcome, UnchangedFile } from "./replacer";

/** Files that are named. */
const maxNamed = 5;

interface ReplacementReportProps {
  readonly search: CodeSearch;
  readonly state: CodeSearchState;
  /** Called when Undo is pressed, whose button then disappears. */
  readonly onUndo: () => void;
}

export function ReplacementReport({ search, state: { replacement }, onUndo }: ReplacementReportProps) {
  const { codeSearch } = useFullMessages();
  const { isRunning, report } = replacement;
  if (isRunning)
    return (
      <p role="status" className="flex items-center gap-2 px-3 pt-1.5 text-small text-ink-muted">
        <Spinner />
        {codeSearch.replacing}
      </p>
    );
  if (report === null) return null;
  return (
    <div role="status" className="grid shrink-0 gap-1 px-3 pt-1.5 text-small text-ink-muted">
      <div className="flex min-h-6 items-center gap-2">
        <span className="min-w-0 flex-1">
          <Sentence report={report} />
        </span>
        {report.undo !== null && (
          <Button
            size="small"
            look="quiet"
            onClick={() => {
              onUndo();
              void report.undo?.();
            }}
          >
            {codeSearch.undo}
          </Button>
        )}
      </div>
      <Unchanged files={report.unchanged} />
      {report.unchanged.some(({ reason }) => reason === "changed_meanwhile") && report.kind === "replaced" && (
        <Button size="small" look="quiet" className="-ml-2 justify-self-start" onClick={() => search.search()}>
          {codeSearch.refresh}
        </Button>
      )}
    </div>
  );
}

function Sentence({ report: { kind, files, matches, error } }: { readonly report: ReplacementOutcome }) {
  const { codeSearch, errors, figures } = useFullMessages();
  if (error?.code === "not_kept") return codeSearch.undoTooLate;
  if (error?.code === "too_large") return codeSearch.tooLargeTogether;
  if (error !== null) return errors.sentences[error.code];
  if (kind === "undone") return codeSearch.undone(figures.number(files));
  return files === 0 ? codeSearch.nothingReplaced : codeSearch.replaced(figures.number(matches), figures.number(files));
}

function Unchanged({ files }: { readonly files: readonly UnchangedFile[] }) {
  const { codeSearch, errors, figures } = useFullMessages();
  if (files.length === 0) return null;
  const sentences: Partial<Record<UnchangedFile["reason"], string>> = {
    ...errors.sentences,
    unsaved: codeSearch.unsaved,
    changed_meanwhile: codeSearch.changedSince,
    too_many: codeSearch.tooManyMatches,
    too_large: codeSearch.tooLarge,
    binary: codeSearch.unreadable,
    bad_encoding: codeSearch.unreadable,
  };
  return (
    <ul aria-label={codeSearch.unchanged} className="grid gap-0.5">
      {files.slice(0, maxNamed).map(({ path, reason }) => (
        <li key={path} title={path} className="[overflow-wrap:anywhere]">
          <span className="font-medium text-ink">{baseName(path)}</span> {sentences[reason]}
        </li>
      ))}
      {files.length > maxNamed && <li>{codeSearch.moreFiles(figures.number(files.length - maxNamed))}</li>}
    </ul>
  );
}
