/** Shows the parts of an extension: its tools, commands, listeners and gate, its variables and files. */
import type { ReactNode } from "react";
import type { ExtensionView } from "@/lib/tools/extensions";
import type { Project } from "@/lib/workspace/project";
import { useFullMessages } from "../../messages/full-messages";
import { VisibleText } from "../../ui/text/visible-text";
import { ToolTrialForm } from "../trials/tool-trial";
import { OpenedTrial } from "../trials/opened-trial";
import { Quote } from "../item-section/foreign-text";
import { ExtensionFiles } from "./extension-files";

interface ExtensionPartsProps {
  readonly extension: ExtensionView;
  readonly project: Project;
}

export function ExtensionParts({ extension, project }: ExtensionPartsProps) {
  const { extensions: text } = useFullMessages();
  const { tools, commands, listeners, gate, variables, files } = extension;
  const isEmpty = tools.length + commands.length + listeners.length === 0 && gate === null;
  return (
    <section aria-label={text.mayDo} className="grid gap-3">
      <h3 className="font-semibold">{text.mayDo}</h3>
      {isEmpty && <p className="text-ink-muted">{text.nothing}</p>}
      <dl className="grid gap-3.5 rounded-card border border-line bg-raised px-3.5 py-3 *:min-w-0">
        <GatePart gate={gate} />
        <ToolParts extension={extension} project={project} />
        <CommandParts commands={commands} />
        <ListenerParts listeners={listeners} />
        <VariableParts variables={variables} />
        <Part name={text.files} note={text.filesNote} isShown={files.length > 0}>
          <ExtensionFiles extension={extension} project={project} />
        </Part>
      </dl>
    </section>
  );
}

function Part({
  name,
  note,
  isShown,
  children,
}: {
  readonly name: string;
  readonly note?: string;
  readonly isShown: boolean;
  readonly children: ReactNode;
}) {
  if (!isShown) return null;
  return (
    <div className="grid gap-1">
      <dt className="text-small font-medium text-ink-muted">{name}</dt>
      <dd className="grid gap-2 [overflow-wrap:anywhere]">
        {note !== undefined && <p className="max-w-[68ch] text-small text-ink-muted">{note}</p>}
        {children}
      </dd>
    </div>
  );
}

const Code = ({ text }: { readonly text: string }) => {
  const { common } = useFullMessages();
  return (
    <code className="font-mono text-code">
      <VisibleText text={text} names={common.hidden} />
    </code>
  );
};

const commandLine = (run: readonly string[]): string => run.join(" ");

function GatePart({ gate }: Pick<ExtensionView, "gate">) {
  const { extensions: text } = useFullMessages();
  return (
    <Part name={text.gate} note={text.gateNote} isShown={gate !== null}>
      <p className="text-small">{text.runs(commandLine(gate ?? []))}</p>
    </Part>
  );
}

function ToolParts({ extension: { tools, status }, project }: ExtensionPartsProps) {
  const { extensions: text, trials, figures } = useFullMessages();
  return (
    <Part name={text.tools} isShown={tools.length > 0}>
      {tools.map(({ name, catalogueName, signature, description, run, timeoutMs }) => (
        <div key={name} className="grid gap-0.5">
          <Code text={signature} />
          <Quote text={description} className="max-w-[68ch]" />
          <p className="text-small text-ink-muted">
            {text.runs(commandLine(run))} · {text.limit(figures.duration(timeoutMs))}
          </p>
          {status === "on" && (
            <OpenedTrial title={trials.tryOf(name)}>
              <ToolTrialForm projectId={project.id} tool={catalogueName} reviewNote={trials.reviewScript} />
            </OpenedTrial>
          )}
        </div>
      ))}
    </Part>
  );
}

function CommandParts({ commands }: Pick<ExtensionView, "commands">) {
  const { extensions: text, common } = useFullMessages();
  return (
    <Part name={text.commands} isShown={commands.length > 0}>
      {commands.map(({ name, description, prompt, run }) => (
        <div key={name} className="grid gap-0.5">
          <p>
            <Code text={`/${name}`} /> <VisibleText text={description} names={common.hidden} />
          </p>
          {prompt === null ? (
            <p className="text-small text-ink-muted">{text.scriptCommand(commandLine(run ?? []))}</p>
          ) : (
            <p className="line-clamp-3 text-small text-ink-muted">
              {text.promptCommand} <VisibleText text={prompt.slice(0, 400)} names={common.hidden} />
            </p>
          )}
        </div>
      ))}
    </Part>
  );
}

function ListenerParts({ listeners }: Pick<ExtensionView, "listeners">) {
  const { extensions: text } = useFullMessages();
  return (
    <Part name={text.listeners} isShown={listeners.length > 0}>
      {listeners.map(({ events, match, run, isKept }, index) => {
        const facts = [
          text.runs(commandLine(run)),
          ...(match === null ? [] : [text.matching(match)]),
          ...(isKept ? [text.keeps] : []),
        ];
        return (
          <div key={index}>
            <p>{events.map((event) => text.events[event]).join(text.separator)}</p>
            <p className="text-small text-ink-muted">{facts.join(" · ")}</p>
          </div>
        );
      })}
    </Part>
  );
}

function VariableParts({ variables }: Pick<ExtensionView, "variables">) {
  const { extensions: text } = useFullMessages();
  return (
    <Part name={text.variables} note={text.variablesNote} isShown={variables.length > 0}>
      <ul>
        {variables.map(({ name, isSet }) => (
          <li key={name}>
            <Code text={name} /> {!isSet && <span className="text-small text-ink-muted">({text.notSet})</span>}
          </li>
        ))}
      </ul>
    </Part>
  );
}
