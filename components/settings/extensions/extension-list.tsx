"use client";
/** The extensions by the folder in which they are; a row opens the extension's page. */
import { type ExtensionPlaceView, type ExtensionView, isExtensionProblem } from "@/lib/tools/extensions";
import type { Project } from "@/lib/workspace/project";
import { useFullMessages } from "../../messages/full-messages";
import { VisibleText } from "../../ui/text/visible-text";
import { ItemDescription, ItemRow } from "../item-section/item-row";
import { OpenItemButton } from "../item-section/open-item-button";
import { FolderPath } from "../item-section/folder-path";
import { formatItemAddress } from "../item-section/open-item";
import { extensionProblemText } from "./extension-problems";
import { ExtensionStatusChip } from "./extension-status";
import { ItemList } from "../item-section/item-section";

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
      <ItemList label={text.inFolder(path)}>
        {extensions.map((extension) => (
          <ExtensionRow key={extension.path} extension={extension} project={project} />
        ))}
      </ItemList>
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
    <ItemRow
      name={
        <OpenItemButton item={formatItemAddress("extension", project.id, path)} className="[overflow-wrap:anywhere]">
          <VisibleText text={name} names={common.hidden} />
        </OpenItemButton>
      }
      chips={<ExtensionStatusChip extension={extension} />}
    >
      <ItemDescription text={description} />
      {reason !== undefined && (
        <p className="max-w-[68ch] text-small text-danger [overflow-wrap:anywhere]">
          <VisibleText text={extensionProblemText(reason, messages)} names={common.hidden} />
        </p>
      )}
      {counted.length > 0 && <p className="text-small text-ink-muted tabular-nums">{counted.join(" · ")}</p>}
    </ItemRow>
  );
}
