"use client";
/** The editor pane: tabs, notices and the active file. Loaded with the first opened file. */
import type { EditorView } from "@codemirror/view";
import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from "react";
import type { ProjectId } from "@/lib/events/id";
import { useClient } from "../state/client";
import { closeTab } from "../state/workbench/layout";
import { useStore } from "../state/store";
import { Button } from "../ui/controls/button";
import { Dialog } from "../ui/overlays/dialog";
import { Skeleton } from "../ui/indicators/skeleton";
import { useMessages } from "../messages/messages";
import { CodeArea } from "./code-area";
import { CompareDialog } from "./compare-dialog";
import type { EditorDocument } from "./open-documents";
import { type OpenFiles, getOpenFiles } from "./open-files";
import { EditorNotice } from "./editor-notice";
import { EditorTabs } from "./editor-tabs";
import { useDiskSync } from "./use-disk-sync";

interface EditorPaneProps {
  readonly projectId: ProjectId;
  /** Shown at the end of the tab bar. */
  readonly children?: ReactNode;
}

export function EditorPane({ projectId, children }: EditorPaneProps) {
  const client = useClient();
  const messages = useMessages();
  const { workbench } = client;
  const tabs = useStore(workbench, (state) => state.layout.tabs);
  const active = useStore(workbench, (state) => state.layout.activeTab);
  const files = useMemo(() => getOpenFiles(client, projectId), [client, projectId]);
  const { documents } = files;
  const all = useStore(documents, (value) => value);
  const view = useRef<EditorView | null>(null);
  const [closing, setClosing] = useState<string | null>(null);
  useDiskSync(projectId, files, tabs);
  useEffect(() => {
    if (active !== null) documents.open(active);
  }, [active, documents]);

  const close = (path: string): void => {
    documents.close(path);
    files.buffers.delete(path);
    setClosing(null);
    workbench.changeLayout((layout) => closeTab(layout, path));
  };
  const askToClose = (path: string): void => {
    if (documents.get().get(path)?.isDirty === true) setClosing(path);
    else close(path);
  };
  useEditorHandle(files, active, askToClose, view);
  const document = active === null ? undefined : all.get(active);

  return (
    <section className="flex min-h-0 min-w-0 flex-1 flex-col bg-canvas">
      <EditorTabs
        paths={tabs}
        active={active}
        documents={all}
        onSelect={(path) => workbench.changeLayout((layout) => ({ ...layout, activeTab: path }))}
        onClose={askToClose}
      >
        {document?.isDirty === true && (
          <Button size="small" className="m-1 max-tablet:h-10" onClick={() => void documents.save(document.path)}>
            {messages.common.save}
          </Button>
        )}
        {children}
      </EditorTabs>
      {document !== undefined && (
        <DocumentView files={files} document={document} view={view} onClose={() => close(document.path)} />
      )}
      {closing !== null && (
        <CloseDialog
          path={closing}
          onCancel={() => setClosing(null)}
          onDiscard={() => close(closing)}
          onSave={() => void documents.save(closing).then((isSaved) => (isSaved ? close(closing) : setClosing(null)))}
        />
      )}
    </section>
  );
}

/** Registers the editor's handle while it is mounted. */
function useEditorHandle(
  { documents, buffers }: OpenFiles,
  active: string | null,
  closeTab: (path: string) => void,
  view: RefObject<EditorView | null>,
): void {
  const { handles } = useClient();
  useEffect(() => {
    handles.editor = {
      save: () => {
        if (active !== null) void documents.save(active);
      },
      closeTab,
      renameFile: (from, to) => {
        documents.renamed(from, to);
        for (const path of [...buffers.keys()]) if (path === from || path.startsWith(`${from}/`)) buffers.delete(path);
      },
      focus: () => view.current?.focus(),
    };
    return () => {
      delete handles.editor;
    };
  });
}

interface DocumentViewProps {
  readonly files: OpenFiles;
  readonly document: EditorDocument;
  readonly view: RefObject<EditorView | null>;
  readonly onClose: () => void;
}

function DocumentView({ files, document, view, onClose }: DocumentViewProps) {
  const messages = useMessages();
  const { documents } = files;
  const { path, theirs } = document;
  const [isComparing, setComparing] = useState(false);
  const keepMine = (): void => {
    setComparing(false);
    documents.keepMine(path);
  };
  const takeTheirs = (): void => {
    setComparing(false);
    documents.takeTheirs(path);
  };
  if (document.status === "loading")
    return (
      <div className="grid gap-2 p-4">
        <Skeleton label={messages.common.loading} className="h-4 w-1/2" />
        <Skeleton className="h-4 w-2/3" />
        <Skeleton className="h-4 w-1/3" />
      </div>
    );
  if (document.status === "failed" && document.error !== null)
    return (
      <CenteredMessage text={messages.errors.sentences[document.error.code]} note={path}>
        <Button onClick={onClose}>{messages.editor.close}</Button>
      </CenteredMessage>
    );
  return (
    <>
      <EditorNotice
        document={document}
        onCompare={() => setComparing(true)}
        onKeepMine={keepMine}
        onTakeTheirs={takeTheirs}
        onSave={() => void documents.save(path)}
        onClose={onClose}
      />
      {document.file?.readOnly === "binary" ? (
        <CenteredMessage text={messages.editor.binary} note={messages.figures.bytes(document.file.size)} />
      ) : (
        <CodeArea files={files} document={document} view={view} />
      )}
      {isComparing && theirs !== null && (
        <CompareDialog
          path={path}
          theirs={theirs.text}
          mine={documents.textOf(path)}
          onMerge={(text) => {
            setComparing(false);
            documents.merge(path, text);
          }}
          onClose={() => setComparing(false)}
        />
      )}
    </>
  );
}

function CenteredMessage({
  text,
  note,
  children,
}: {
  readonly text: string;
  readonly note: string;
  readonly children?: ReactNode;
}) {
  return (
    <div className="grid flex-1 place-content-center justify-items-center gap-1 p-6 text-center">
      <p className="font-medium">{text}</p>
      <p className="font-mono text-code break-all text-ink-muted">{note}</p>
      <div className="mt-3">{children}</div>
    </div>
  );
}

interface CloseDialogProps {
  readonly path: string;
  readonly onCancel: () => void;
  readonly onDiscard: () => void;
  readonly onSave: () => void;
}

function CloseDialog({ path, onCancel, onDiscard, onSave }: CloseDialogProps) {
  const messages = useMessages();
  return (
    <Dialog
      title={messages.editor.closeTitle}
      closeName={messages.common.cancel}
      onClose={onCancel}
      footer={
        <>
          <Button look="quiet" onClick={onCancel}>
            {messages.common.cancel}
          </Button>
          <Button look="danger" onClick={onDiscard}>
            {messages.editor.discard}
          </Button>
          <Button look="primary" autoFocus onClick={onSave}>
            {messages.common.save}
          </Button>
        </>
      }
    >
      <p>{messages.editor.closeNote}</p>
      <p className="mt-1 font-mono text-code break-all text-ink-muted">{path}</p>
    </Dialog>
  );
}
