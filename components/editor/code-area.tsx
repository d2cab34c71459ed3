"use client";
/** The single CodeMirror view; shows the buffer of the active file. */
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { type RefObject, useEffect, useRef } from "react";
import type { Client } from "../state/client";
import { useClient } from "../state/client";
import { useStore } from "../state/store";
import { mayTakeFocus } from "../ui/focus";
import { useWords, type Words } from "../words/words";
import { type CodeBuffer, createBuffer } from "./buffers";
import type { Document } from "./desk";
import type { OpenFiles } from "./documents-of";

export interface CodeAreaProps {
  readonly files: OpenFiles;
  readonly document: Document;
  readonly view: RefObject<EditorView | null>;
}

export function CodeArea({ files, document, view }: CodeAreaProps) {
  const client = useClient();
  const words = useWords();
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
    const buffer = bufferOf(files, path, isReadOnly, words);
    buffer.show(target);
    return () => buffer.hide();
  }, [files, path, view, words, isReadOnly]);
  useReveal(client, files, path, view);
  return <div ref={place} data-editor={path} className="min-h-0 flex-1 overflow-hidden" />;
}

function bufferOf({ documents, buffers }: OpenFiles, path: string, isReadOnly: boolean, words: Words): CodeBuffer {
  const known = buffers.get(path);
  if (known !== undefined) {
    known.setReadOnly(isReadOnly);
    return known;
  }
  const buffer = createBuffer({
    path,
    text: documents.textOf(path),
    isReadOnly,
    label: words.editor.textOf(path),
    phrases: words.editor.phrases,
    onTyped: () => documents.typed(path),
  });
  buffers.set(path, buffer);
  documents.attach(path, buffer);
  return buffer;
}

/** Focuses the editor and inserts the text typed before it was ready. */
function takeOver({ handles }: Client, view: EditorView | null): void {
  const typed = handles.typeAhead?.take() ?? null;
  delete handles.typeAhead;
  if (view === null || (typed === null && !mayTakeFocus())) return;
  view.focus();
  if (typed !== null && typed !== "") view.dispatch(view.state.replaceSelection(typed));
}

/** Scrolls to a requested line once. */
function useReveal(client: Client, files: OpenFiles, path: string, view: RefObject<EditorView | null>): void {
  const reveal = useStore(client.workbench, (state) => state.reveal);
  useEffect(() => {
    if (reveal?.path !== path) return;
    files.buffers.get(path)?.reveal(reveal.line, reveal);
    client.workbench.revealed();
    takeOver(client, view.current);
  }, [client, files, path, reveal, view]);
}
