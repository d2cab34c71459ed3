"use client";
/** The editor pane: tabs, notices and the active file. Loaded with the first opened file. */
import type { EditorView } from "@codemirror/view";
import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from "react";
import type { ProjectId } from "@/lib/id";
import { useClient } from "../state/client";
import { withoutTab } from "../state/layout";
import { useStore } from "../state/store";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Skeleton } from "../ui/skeleton";
import { useWords } from "../words/words";
import { CodeArea } from "./code-area";
import { CompareDialog } from "./compare-dialog";
import type { Document } from "./desk";
import { type OpenFiles, openFilesOf } from "./documents-of";
import { EditorNotice } from "./editor-notice";
import { EditorTabs } from "./editor-tabs";
import { useDisk } from "./use-disk";

export interface EditorPaneProps {
  readonly projectId: ProjectId;
  /** Shown at the end of the tab bar. */
  readonly children?: ReactNode;
}

export function EditorPane({ projectId, children }: EditorPaneProps) {
  const client = useClient();
  const words = useWords();
  const { workbench } = client;
  const tabs = useStore(workbench, (state) => state.layout.tabs);
  const active = useStore(workbench, (state) => state.layout.activeTab);
  const files = useMemo(() => openFilesOf(client, projectId), [client, projectId]);
  const { documents } = files;
  const all = useStore(documents, (value) => value);
  const view = useRef<EditorView | null>(null);
  const [closing, setClosing] = useState<string | null>(null);
  useDisk(projectId, files, tabs);
  useEffect(() => {
    if (active !== null) documents.open(active);
  }, [active, documents]);

  const close = (path: string): void => {
    documents.close(path);
    files.buffers.delete(path);
    setClosing(null);
    workbench.changeLayout((layout) => withoutTab(layout, path));
  };
  const askToClose = (path: string): void => {
    if (documents.get().get(path)?.isDirty === true) setClosing(path);
    else close(path);
  };
  useHandle(files, active, askToClose, view);
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
            {words.common.save}
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
function useHandle(
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
      renamed: (from, to) => {
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
  readonly document: Document;
  readonly view: RefObject<EditorView | null>;
  readonly onClose: () => void;
}

function DocumentView({ files, document, view, onClose }: DocumentViewProps) {
  const words = useWords();
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
        <Skeleton label={words.common.loading} className="h-4 w-1/2" />
        <Skeleton className="h-4 w-2/3" />
        <Skeleton className="h-4 w-1/3" />
      </div>
    );
  if (document.status === "failed" && document.error !== null)
    return (
      <Message text={words.errors.sentences[document.error.code]} note={path}>
        <Button onClick={onClose}>{words.editor.close}</Button>
      </Message>
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
        <Message text={words.editor.binary} note={words.figures.bytes(document.file.size)} />
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

function Message({
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
  const words = useWords();
  return (
    <Dialog
      title={words.editor.closeTitle}
      closeName={words.common.cancel}
      onClose={onCancel}
      footer={
        <>
          <Button look="quiet" onClick={onCancel}>
            {words.common.cancel}
          </Button>
          <Button look="danger" onClick={onDiscard}>
            {words.editor.discard}
          </Button>
          <Button look="primary" autoFocus onClick={onSave}>
            {words.common.save}
          </Button>
        </>
      }
    >
      <p>{words.editor.closeNote}</p>
      <p className="mt-1 font-mono text-code break-all text-ink-muted">{path}</p>
    </Dialog>
  );
}
