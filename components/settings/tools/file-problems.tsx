/** Problems of the files that name servers, each with its file and line. */
import type { McpState } from "@/lib/tools/mcp";
import { useFullMessages } from "../../messages/full-messages";
import { VisibleText } from "../../ui/text/visible-text";
import { mcpErrorText } from "./mcp-error-text";

export function FileProblems({ problems }: Pick<McpState, "problems">) {
  const messages = useFullMessages();
  const { mcp: text, common } = messages;
  if (problems.length === 0) return null;
  return (
    <section aria-label={text.problemsTitle} className="rounded-card border border-danger/40 bg-raised px-3.5 py-3">
      <h3 className="font-medium text-danger">{text.problemsTitle}</h3>
      <ul className="mt-1 grid gap-2">
        {problems.map(({ file, error }, index) => (
          <li key={index} className="[overflow-wrap:anywhere]">
            <code className="font-mono text-small text-ink-muted">
              {typeof error.facts?.line === "number" ? text.inLine(file, error.facts.line) : file}
            </code>
            <p>
              <VisibleText text={mcpErrorText(error, messages)} names={common.hidden} />
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
