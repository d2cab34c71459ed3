/** Small signs behind the title of a session in a list: it began as another one or as a file, a link shows it to others. */
import { FileInput, GitFork, Link2 } from "lucide-react";
import type { SessionRow } from "@/lib/session-row";
import { Icon } from "../ui/icon";
import { useWords } from "../words/words";

export function RowMarks({ row }: { readonly row: Pick<SessionRow, "forkedFrom" | "imported" | "shared"> }) {
  const { sessions } = useWords();
  return (
    <>
      {row.forkedFrom !== undefined && (
        <Icon of={GitFork} size={12} label={sessions.forked} className="text-ink-faint" />
      )}
      {row.imported === true && <Icon of={FileInput} size={12} label={sessions.imported} className="text-ink-faint" />}
      {row.shared === true && <Icon of={Link2} size={12} label={sessions.shared} className="text-ink-faint" />}
    </>
  );
}

/** Beside a title that other sessions have as well. */
export const NamesakeMark = ({ mark }: { readonly mark: string }) => (
  <span data-namesake className="shrink-0 text-small text-ink-muted tabular-nums">
    {mark}
  </span>
);
