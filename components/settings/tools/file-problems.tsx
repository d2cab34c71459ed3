/** Problems of the files and texts that name servers, each with its file and line. */
import { type AgentError, anyFacts } from "@/lib/events/error";
import type { McpState } from "@/lib/tools/mcp";
import { type FullMessages, useFullMessages } from "../../messages/full-messages";
import { VisibleText } from "../../ui/text/visible-text";
import { mcpErrorText } from "./mcp-error-text";

interface FileProblemsProps extends Pick<McpState, "problems"> {
  /** Absent = that they are in files. */
  readonly title?: string;
}

/** A problem of a text has no file. */
export function FileProblems({ title, problems }: FileProblemsProps) {
  const messages = useFullMessages();
  const { mcp: text, common } = messages;
  if (problems.length === 0) return null;
  const heading = title ?? text.problemsTitle;
  return (
    <section aria-label={heading} className="rounded-card border border-danger/40 bg-raised px-3.5 py-3">
      <h3 className="font-medium text-danger">{heading}</h3>
      <ul className="mt-1 grid gap-2">
        {problems.map(({ file, error }, index) => (
          <li key={index} className="[overflow-wrap:anywhere]">
            <code className="font-mono text-small text-ink-muted empty:hidden">{placeOf(file, error, text)}</code>
            <p>
              <VisibleText text={mcpErrorText(error, messages)} names={common.hidden} />
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function placeOf(file: string, error: AgentError, text: FullMessages["mcp"]): string {
  const { line } = anyFacts(error);
  if (typeof line !== "number") return file;
  return file === "" ? text.line(line) : text.inLine(file, line);
}
