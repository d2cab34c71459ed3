"use client";
/** The single CodeMirror view; shows the buffer of the active file. */
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { type RefObject, useEffect, useRef } from "react";
import type { AppClient } from "../state/client";
import { useClient } from "../state/client";
import { useStore } from "../state/store";
import { mayTakeFocus } from "../ui/browser/focus";
import { useMessages, type Messages } from "../messages/messages";
import { type CodeBuffer, createBuffer } from "./code-buffer";
import type { EditorDocument } from "./open-documents";
import type { OpenFiles } from "./open-files";

interface CodeAreaProps {
  readonly files: OpenFiles;
  readonly document: EditorDocument;
  readonly view: RefObject<EditorView | null>;
}

export function CodeArea({ files, document, view }: CodeAreaProps) {
  const client = useClient();
  const messages = useMessages();
  const place = useRef<HTMLDivElement>(null);
  const { path } = document;
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
    const buffer = getBuffer(files, path, isReadOnly, messages);
    buffer.show(target);
    return () => buffer.hide();
  }, [files, path, view, messages, isReadOnly]);
  useReveal(client, files, path, view);
  return <div ref={place} data-editor={path} className="min-h-0 flex-1 overflow-hidden" />;
}

function getBuffer(
  { documents, buffers }: OpenFiles,
  path: string,
  isReadOnly: boolean,
  messages: Messages,
): CodeBuffer {
  const known = buffers.get(path);
  if (known !== undefined) {
    known.setReadOnly(isReadOnly);
    return known;
  }
  const buffer = createBuffer({
    path,
    text: documents.textOf(path),
    isReadOnly,
    label: messages.editor.textOf(path),
    phrases: messages.editor.phrases,
    onTextChanged: () => documents.typed(path),
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
function useReveal(client: AppClient, files: OpenFiles, path: string, view: RefObject<EditorView | null>): void {
  const reveal = useStore(client.workbench, (state) => state.revealTarget);
  useEffect(() => {
    if (reveal?.path !== path) return;
    files.buffers.get(path)?.reveal(reveal.line, reveal);
    client.workbench.clearReveal();
    takeTypeAhead(client, view.current);
  }, [client, files, path, reveal, view]);
}
