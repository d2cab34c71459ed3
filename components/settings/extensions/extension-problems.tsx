/** Shows the problems of an extension, each with its file, its line and its remedy. */
import { CircleAlert, Info } from "lucide-react";
import { type ExtensionProblem, isExtensionProblem } from "@/lib/tools/extensions";
import { type FullMessages, useFullMessages } from "../../messages/full-messages";
import { Icon } from "../../ui/indicators/icon";
import { VisibleText } from "../../ui/text/visible-text";

const inBytes: ReadonlySet<string> = new Set(["definition_large", "files_large"]);

/** Returns the sentence of a problem, with the name of its file and the line if there is one. */
export function extensionProblemText(
  { kind, file, line, detail, limit }: ExtensionProblem,
  { extensions, figures }: FullMessages,
): string {
  const sentence = extensions.problemTexts[kind];
  const number = limit === undefined ? "" : inBytes.has(kind) ? figures.bytes(limit) : figures.number(limit);
  const text = typeof sentence === "string" ? sentence : sentence(detail ?? number);
  return line === undefined ? text : extensions.inLine(file.replace(/^.*[\\/]/, ""), line, text);
}

export function ExtensionProblems({ problems }: { readonly problems: readonly ExtensionProblem[] }) {
  const messages = useFullMessages();
  const { extensions: text, common } = messages;
  if (problems.length === 0) return null;
  return (
    <section aria-label={text.problems} className="grid gap-2">
      <h3 className="font-semibold">{text.problems}</h3>
      <ul className="grid gap-2.5 rounded-card border border-line bg-raised px-3.5 py-3">
        {problems.map((problem, index) => (
          <li key={index} className="flex gap-2.5">
            <Icon
              of={isExtensionProblem(problem) ? CircleAlert : Info}
              className={isExtensionProblem(problem) ? "mt-0.5 text-danger" : "mt-0.5 text-ink-faint"}
            />
            <div className="min-w-0 [overflow-wrap:anywhere]">
              <p className="max-w-[68ch]">
                <VisibleText text={extensionProblemText(problem, messages)} names={common.hidden} />
              </p>
              <code className="font-mono text-small text-ink-muted">
                <VisibleText text={problem.file} names={common.hidden} />
              </code>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
