"use client";
/** Page of one extension: what it may do, its problems, the buttons that enable it, and what its scripts wrote. */
import type { ExtensionView } from "@/lib/tools/extensions";
import type { Project } from "@/lib/workspace/project";
import { useFullMessages } from "../../messages/full-messages";
import { Button } from "../../ui/controls/button";
import { FolderPath } from "../item-section/folder-path";
import { ItemPage } from "../item-section/item-page";
import { ForeignText, Quote } from "../item-section/foreign-text";
import { ExtensionParts } from "./extension-parts";
import { ExtensionProblems } from "./extension-problems";
import { ExtensionStatusChip } from "./extension-status";
import { useChange } from "../../state/use-change";
import { useClient } from "../../state/client";
import { invalidateCommands } from "../../state/command-query";
import { useCommandQuery } from "../../state/use-command-query";

interface ExtensionPageProps {
  readonly extension: ExtensionView;
  readonly project: Project;
}

export function ExtensionPage({ extension, project }: ExtensionPageProps) {
  const { name, description, path, status } = extension;
  return (
    <ItemPage
      name={name}
      chips={<ExtensionStatusChip extension={extension} />}
      about={
        <>
          {description !== "" && (
            <Quote text={description} className="max-w-[68ch] text-ink-muted [overflow-wrap:anywhere]" />
          )}
          <div className="text-ink-muted">
            <FolderPath path={path} />
          </div>
        </>
      }
    >
      <ExtensionDecision key={extension.hash} extension={extension} project={project} />
      <ExtensionProblems problems={extension.problems} />
      {status !== "gone" && status !== "unusable" && <ExtensionParts extension={extension} project={project} />}
      <ExtensionLog extension={extension} project={project} />
    </ItemPage>
  );
}

/** The sentence about its state, with the buttons that change it. */
function ExtensionDecision({ extension, project }: ExtensionPageProps) {
  const { extensions: text } = useFullMessages();
  const { cache } = useClient();
  const { isBusy, perform } = useChange("toast", { changed_meanwhile: text.changedMeanwhile });
  const { status, hadGate, path, hash } = extension;
  const target = { projectId: project.id, extension: path };
  const set = async (change: Promise<unknown>): Promise<void> => {
    if ((await change) === undefined) await invalidateCommands(cache, ["extensions."], { projectId: project.id });
  };
  if (status === "unusable") return null;
  const canEnable = status === "off" || status === "changed";
  const notes = { on: null, off: text.enableNote, changed: text.changedNote, gone: text.goneNote }[status];
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2.5">
      {notes !== null && (
        <p className="max-w-[60ch] min-w-0 flex-1 basis-72">
          {notes}
          {status !== "off" && hadGate && ` ${text.changedGate}`}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {canEnable && (
          <Button
            look="primary"
            busy={isBusy}
            onClick={() => hash !== null && void set(perform("extensions.enable", { ...target, hash }))}
          >
            {status === "changed" ? text.approve : text.enable}
          </Button>
        )}
        {status !== "off" && (
          <Button
            busy={isBusy && !canEnable}
            disabled={isBusy}
            onClick={() => void set(perform("extensions.disable", target))}
          >
            {status === "gone" ? text.forget : text.disable}
          </Button>
        )}
      </div>
    </div>
  );
}

function ExtensionLog({ extension: { path }, project }: ExtensionPageProps) {
  const { extensions: text } = useFullMessages();
  const log = useCommandQuery(
    "extensions.log",
    { projectId: project.id, extension: path },
    { gcTime: 0, select: ({ text: lines }) => lines },
  );
  return (
    <section aria-label={text.log} className="grid gap-2">
      <div className="flex items-center gap-3">
        <h3 className="font-semibold">{text.log}</h3>
        <Button size="small" look="quiet" onClick={() => void log.refetch()}>
          {text.logRefresh}
        </Button>
      </div>
      {log.data === undefined || log.data === "" ? (
        <p className="text-ink-muted">{text.logEmpty}</p>
      ) : (
        <ForeignText mono text={log.data} label={text.log} />
      )}
    </section>
  );
}
