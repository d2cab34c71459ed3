"use client";
/** The extensions by the folder in which they are; a row opens the extension's page. */
import { ChevronRight } from "lucide-react";
import { type ExtensionPlaceView, type ExtensionView, isExtensionProblem } from "@/lib/tools/extensions";
import type { Project } from "@/lib/workspace/project";
import { useFullMessages } from "../../messages/full-messages";
import { Icon } from "../../ui/indicators/icon";
import { VisibleText } from "../../ui/text/visible-text";
import { OpenItemButton } from "../open-item-button";
import { FolderPath } from "../skills/folder-path";
import { formatExtensionAddress } from "./extension-address";
import { extensionProblemText } from "./extension-problems";
import { ExtensionStatusChip } from "./extension-status";

interface ExtensionListProps {
  readonly title: string;
  readonly place: ExtensionPlaceView;
  readonly project: Project;
}

/** Nothing if the place has no extensions. */
export function ExtensionList({ title, place, project }: ExtensionListProps) {
  const { extensions: text, figures } = useFullMessages();
  const { path, extensions, more } = place;
  if (extensions.length === 0) return null;
  return (
    <section aria-label={title} className="grid gap-2 *:min-w-0">
      <h3 className="font-semibold">{title}</h3>
      <div className="text-ink-muted">
        <FolderPath path={path} />
      </div>
      <ul
        aria-label={text.inFolder(path)}
        className="divide-y divide-line overflow-hidden rounded-card border border-line bg-raised"
      >
        {extensions.map((extension) => (
          <ExtensionRow key={extension.path} extension={extension} project={project} />
        ))}
      </ul>
      {more > 0 && <p className="text-small text-ink-muted">{text.more(figures.number(more))}</p>}
    </section>
  );
}

function ExtensionRow({ extension, project }: { readonly extension: ExtensionView; readonly project: Project }) {
  const messages = useFullMessages();
  const { extensions: text, common } = messages;
  const { path, name, description, status, tools, commands, listeners, gate, problems } = extension;
  const reason = status === "unusable" ? problems.find(isExtensionProblem) : undefined;
  const counted = [
    tools.length > 0 && text.counts.tools(tools.length),
    commands.length > 0 && text.counts.commands(commands.length),
    listeners.length > 0 && text.counts.listeners(listeners.length),
    gate !== null && text.gateDoes,
    // A single one is the reason, which has a line of its own.
    problems.length > (reason === undefined ? 0 : 1) && text.counts.problems(problems.length),
  ].filter((fact) => fact !== false);
  return (
    <li className="relative flex items-center gap-3 py-2.5 pr-2.5 pl-3.5 transition-colors hover:bg-hover">
      <div className="grid min-w-0 flex-1 gap-0.5">
        <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5">
          <OpenItemButton item={formatExtensionAddress(project.id, path)} className="[overflow-wrap:anywhere]">
            <VisibleText text={name} names={common.hidden} />
          </OpenItemButton>
          <ExtensionStatusChip extension={extension} />
        </p>
        {description !== "" && (
          <p className="line-clamp-2 max-w-[68ch] text-ink-muted [overflow-wrap:anywhere]">
            <VisibleText text={description.slice(0, 300)} names={common.hidden} />
          </p>
        )}
        {reason !== undefined && (
          <p className="max-w-[68ch] text-small text-danger [overflow-wrap:anywhere]">
            <VisibleText text={extensionProblemText(reason, messages)} names={common.hidden} />
          </p>
        )}
        {counted.length > 0 && <p className="text-small text-ink-muted tabular-nums">{counted.join(" · ")}</p>}
      </div>
      <Icon of={ChevronRight} className="text-ink-faint" />
    </li>
  );
}
