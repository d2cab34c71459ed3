"use client";
/** The CodeMirror view of a group; shows the buffer of its active file. */
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { Fragment, type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import type { ProjectId, Hash } from "@/lib/events/id";
import { type AppClient, useClient } from "../state/client";
import { useServerState } from "../state/use-server-state";
import { useStore } from "../state/store";
import { mayTakeFocus } from "../ui/browser/focus";
import { FindPanel } from "./find/find-panel";
import { useFullMessages, type FullMessages } from "../messages/full-messages";
import { useEditorMenu } from "./menu/use-editor-menu";
import { type CodeBuffer, createBuffer } from "./text/code-buffer";
import type { EditorDocument } from "./documents/open-documents";
import { type OpenFiles, readEditorStatus } from "./open-files";

/**
 * Reads the committed text of the shown file for its marks: when the file changes on disk, and when the window gets the
 * focus. `hash` = the version on disk.
 */
function useCommittedText(projectId: ProjectId, { buffers }: OpenFiles, path: string, hash: Hash | null): void {
  const { call } = useClient();
  useEffect(() => {
    let isShown = true;
    const read = (): void =>
      void call("files.committed", { projectId, path }).then((answer) => {
        if (isShown && answer.ok && hash !== null) buffers.get(path)?.setCommitted(answer.value.text);
      });
    read();
    addEventListener("focus", read);
    return () => {
      isShown = false;
      removeEventListener("focus", read);
    };
  }, [call, projectId, buffers, path, hash]);
}

/** A text that an editor shows. */
export interface ShownText {
  readonly path: string;
  /** The text on the disk, on which the shown one is based. */
  readonly disk: string;
  readonly view: EditorView;
}

/** Draws what another part of the product shows above a text, and in it. */
export type DrawBesideText = (text: ShownText) => ReactNode;

interface CodeAreaProps {
  readonly projectId: ProjectId;
  readonly files: OpenFiles;
  readonly document: EditorDocument;
  readonly group: number;
  readonly isFocused: boolean;
  readonly view: RefObject<EditorView | null>;
  readonly drawBeside: DrawBesideText | undefined;
}

export function CodeArea({ projectId, files, document, group, isFocused, view, drawBeside }: CodeAreaProps) {
  const client = useClient();
  const messages = useFullMessages();
  const place = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<Pick<ShownText, "path" | "view"> | null>(null);
  const { path } = document;
  const { editorStatus } = client;
  const isReadOnly = (document.file?.readOnly ?? null) !== null;
  useEffect(() => {
    if (place.current === null) return;
    const created = new EditorView({ parent: place.current, state: EditorState.create({}) });
    view.current = created;
    return () => {
      view.current = null;
      created.destroy();
    };
  }, [view]);
  useEffect(() => {
    const target = view.current;
    if (target === null) return;
    const buffer = getBuffer(files, path, isReadOnly, messages, client);
    buffer.show(group, target);
    setShown({ path, view: target });
    return () => {
      files.autosave.left();
      buffer.hide(group);
    };
  }, [files, path, group, view, messages, isReadOnly, client]);
  useEffect(() => {
    if (!isFocused) return;
    files.buffers.get(path)?.activate(group);
    editorStatus.set(readEditorStatus(files, path));
    return () => editorStatus.set(null);
  }, [files, path, group, messages, isReadOnly, isFocused, editorStatus]);
  const settings = useServerState("settings");
  const { style, file } = document;
  const encoding = file?.encoding;
  useEffect(() => {
    const buffer = files.buffers.get(path);
    if (settings === undefined || buffer === undefined) return;
    buffer.configure({ settings, style });
    if (isFocused) editorStatus.set(readEditorStatus(files, path));
  }, [files, path, view, settings, style, encoding, isFocused, editorStatus]);
  useCommittedText(projectId, files, path, document.file?.hash ?? null);
  useReveal(client, files, path, isFocused, view);
  const { find } = files.extrasOf(group);
  const findHost = useStore(find.host, (host) => host);
  const { handlers, menu } = useEditorMenu(projectId, document, view);
  return (
    <>
      {shown?.path === path && file !== null && (
        <Fragment key={path}>{drawBeside?.({ ...shown, disk: file.text })}</Fragment>
      )}
      <div
        ref={place}
        data-editor={path}
        {...handlers}
        onBlur={({ relatedTarget, currentTarget }) => {
          if (!currentTarget.contains(relatedTarget)) files.autosave.left();
        }}
        onCompositionEnd={files.autosave.composed}
        className="min-h-0 flex-1 overflow-hidden"
      >
        {findHost !== null && createPortal(<FindPanel host={findHost} state={find} />, findHost.dom)}
        {menu}
      </div>
    </>
  );
}

function getBuffer(
  files: OpenFiles,
  path: string,
  isReadOnly: boolean,
  messages: FullMessages,
  { editorStatus, handles, workbench }: AppClient,
): CodeBuffer {
  const { documents, buffers } = files;
  const cached = buffers.get(path);
  if (cached !== undefined) {
    cached.setReadOnly(isReadOnly);
    return cached;
  }
  const buffer = createBuffer({
    path,
    text: documents.textOf(path),
    isReadOnly,
    label: messages.files.textOf(path),
    phrases: messages.editor.phrases,
    changeTexts: { ...messages.editor.changes, close: messages.common.close },
    find: (group) => files.extrasOf(group).find,
    otherTexts: () => [...buffers].flatMap(([other, { document }]) => (other === path ? [] : [document()])),
    commands: {
      save: () => handles.editor?.save(),
      close: () => handles.editor?.closeTab(path),
      saveAndClose: () => void documents.save(path).then((isSaved) => isSaved && handles.editor?.closeTab(path)),
    },
    onTextChanged: () => {
      documents.typed(path);
      files.autosave.typed();
      files.edits.update((count) => count + 1);
    },
    onStatusChanged: () => {
      if (workbench.get().layout.activeTab === path) editorStatus.set(readEditorStatus(files, path));
    },
  });
  buffers.set(path, buffer);
  documents.attach(path, buffer);
  return buffer;
}

/** Focuses the editor and inserts the text typed before it was ready. */
function takeTypeAhead({ handles }: AppClient, view: EditorView | null): void {
  const typed = handles.typeAhead?.take() ?? null;
  delete handles.typeAhead;
  if (view === null || (typed === null && !mayTakeFocus())) return;
  view.focus();
  if (typed !== null && typed !== "") view.dispatch(view.state.replaceSelection(typed));
}

/** Scrolls to a requested line once. */
function useReveal(
  client: AppClient,
  files: OpenFiles,
  path: string,
  isFocused: boolean,
  view: RefObject<EditorView | null>,
): void {
  const reveal = useStore(client.workbench, (state) => state.revealTarget);
  useEffect(() => {
    if (!isFocused || reveal?.path !== path) return;
    if (reveal.line !== null) files.buffers.get(path)?.reveal(reveal.line, reveal);
    client.workbench.clearReveal();
    if (reveal.keepsFocus !== true) takeTypeAhead(client, view.current);
  }, [client, files, path, isFocused, reveal, view]);
}
