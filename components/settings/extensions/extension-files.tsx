"use client";
/** The files of an extension; a click opens the text of one, and what changed in it since the extension was enabled. */
import { ChevronRight } from "lucide-react";
import { useId, useState } from "react";
import type { ExtensionFileChange, ExtensionFileText, ExtensionFileView, ExtensionView } from "@/lib/tools/extensions";
import type { Project } from "@/lib/workspace/project";
import { useFullMessages } from "../../messages/full-messages";
import { LazyDiffView } from "../../ui/code/lazy-diff-view";
import { Button } from "../../ui/controls/button";
import { Chip } from "../../ui/indicators/chip";
import { Icon } from "../../ui/indicators/icon";
import { Skeleton } from "../../ui/indicators/skeleton";
import { VisibleText } from "../../ui/text/visible-text";
import { classes } from "../../ui/theme/classes";
import { ForeignText } from "../item-section/foreign-text";
import { useCommandQuery } from "../../state/use-command-query";

interface ExtensionFilesProps {
  readonly extension: ExtensionView;
  readonly project: Project;
}

const tones = { added: "plain", changed: "ask", removed: "danger" } as const satisfies Record<
  ExtensionFileChange,
  string
>;

export function ExtensionFiles({ extension, project }: ExtensionFilesProps) {
  const { extensions: text } = useFullMessages();
  return (
    <ul aria-label={text.files} className="divide-y divide-line overflow-hidden rounded-card border border-line">
      {extension.files.map((file) => (
        <ExtensionFile key={file.path} file={file} extension={extension} project={project} />
      ))}
    </ul>
  );
}

function ExtensionFile({ file, extension, project }: ExtensionFilesProps & { readonly file: ExtensionFileView }) {
  const { extensions: text, common, figures } = useFullMessages();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { path, bytes, change } = file;
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
        className="flex w-full items-center gap-2 px-2.5 py-1.5 text-start hover:bg-surface max-tablet:min-h-11"
      >
        <Icon of={ChevronRight} size={14} className={classes("shrink-0 text-ink-muted", isOpen && "rotate-90")} />
        <code className="min-w-0 flex-1 font-mono text-code [overflow-wrap:anywhere]">
          <VisibleText text={path} names={common.hidden} />
        </code>
        {change !== undefined && <Chip tone={tones[change]}>{text.fileChanges[change]}</Chip>}
        <span className="shrink-0 text-small text-ink-muted tabular-nums">{figures.bytes(bytes)}</span>
      </button>
      {isOpen && (
        <div id={id} className="grid gap-2 px-2.5 pt-1 pb-2.5 *:min-w-0">
          <OpenedFile path={path} extension={extension} project={project} />
        </div>
      )}
    </li>
  );
}

function OpenedFile({ path, extension, project }: ExtensionFilesProps & { readonly path: string }) {
  const { extensions: text, common } = useFullMessages();
  const file = useCommandQuery(
    "extensions.file",
    { projectId: project.id, extension: extension.path, path },
    { gcTime: 0, stamp: extension.hash },
  );
  if (file.isError)
    return (
      <p role="alert" className="flex flex-wrap items-center gap-x-3">
        {text.fileFailed}
        <Button size="small" onClick={() => void file.refetch()}>
          {common.retry}
        </Button>
      </p>
    );
  if (file.data === undefined) return <Skeleton label={common.loading} className="h-24" />;
  return <FileText path={path} file={file.data} />;
}

function FileText({ path, file: { text: content, isCut, change, hunks } }: FileTextProps) {
  const { extensions: text, common } = useFullMessages();
  const [isWhole, setWhole] = useState(false);
  if (content === null) return <p className="text-ink-muted">{text.noFileText[change ?? "same"]}</p>;
  const hasDifference = hunks !== undefined && hunks.length > 0;
  return (
    <>
      {isCut && <p className="text-small text-ink-muted">{text.fileCut}</p>}
      {hasDifference && (
        <Button size="small" look="quiet" className="justify-self-start" onClick={() => setWhole(!isWhole)}>
          {isWhole ? text.showDifference : text.showWhole}
        </Button>
      )}
      {hasDifference && !isWhole ? (
        <LazyDiffView
          hunks={hunks}
          path={path}
          names={common.hidden}
          label={text.differenceOf(path)}
          className="max-h-[60dvh] rounded-card border border-line"
        />
      ) : (
        <ForeignText mono text={content} label={path} className="max-h-[60dvh]" />
      )}
    </>
  );
}

interface FileTextProps {
  readonly path: string;
  readonly file: ExtensionFileText;
}
