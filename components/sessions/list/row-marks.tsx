/** Icons after a session's title in a list: forked, imported, shared. */
import { FileInput, GitFork, Link2 } from "lucide-react";
import type { SessionRow } from "@/lib/protocol/session-row";
import { Icon } from "../../ui/indicators/icon";
import { useMessages } from "../../messages/messages";

export function RowMarks({ row }: { readonly row: Pick<SessionRow, "plan" | "forkedFrom" | "imported" | "shared"> }) {
  const { sessions } = useMessages();
  return (
    <>
      {row.plan !== undefined && row.plan.done < row.plan.total && (
        <span
          title={sessions.plan(row.plan.done, row.plan.total)}
          className="shrink-0 text-small text-ink-faint tabular-nums"
        >
          {row.plan.done}/{row.plan.total}
        </span>
      )}
      {row.forkedFrom !== undefined && (
        <Icon of={GitFork} size={12} label={sessions.forked} className="text-ink-faint" />
      )}
      {row.imported === true && <Icon of={FileInput} size={12} label={sessions.imported} className="text-ink-faint" />}
      {row.shared === true && <Icon of={Link2} size={12} label={sessions.shared} className="text-ink-faint" />}
    </>
  );
}

/** Mark beside a title that other sessions also have. */
export const DuplicateTitleMark = ({ mark }: { readonly mark: string }) => (
  <span data-namesake className="shrink-0 text-small text-ink-muted tabular-nums">
    {mark}
  </span>
);
