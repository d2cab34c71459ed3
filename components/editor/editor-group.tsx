"use client";
/** A group of the editor: tabs, notices and the active file. */
import { unfoldAll } from "@codemirror/language";
import { openSearchPanel } from "@codemirror/search";
import type { EditorView } from "@codemirror/view";
import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import type { AgentError } from "@/lib/events/error";
import type { ProjectId } from "@/lib/events/id";
import { imageTypeOf } from "@/lib/workspace/image-type";
import type { TextEncoding } from "@/lib/workspace/project-files";
import { useClient } from "../state/client";
import type { EncodingPurpose } from "../state/workbench/component-handles";
import { changeGroup, editorGroups, focusGroup, openPaths } from "../state/workbench/editor-groups";
import { closeTab, type EditorGroup, keepTab, type Layout, openTab } from "../state/workbench/layout";
import { useStore } from "../state/store";
import { Button } from "../ui/controls/button";
import { Skeleton } from "../ui/indicators/skeleton";
import { useFullMessages } from "../messages/full-messages";
import { classes } from "../ui/theme/classes";
import { Breadcrumbs } from "./breadcrumbs";
import { CenteredMessage } from "./centered-message";
import { CodeArea, type DrawBesideText } from "./code-area";
import { EncodingDialog } from "./encoding/encoding-dialog";
import type { EditorDocument } from "./documents/open-documents";
import { type OpenFiles, readEditorStatus } from "./open-files";
import { EditorNotice } from "./editor-notice";
import { formatErrorText } from "./format-error";
import { goToChange } from "./git-marks/change-gutter";
import { FilePreview } from "./preview/file-preview";
import { ImagePreview } from "./preview/image-preview";
import { PreviewButton } from "./preview/preview-button";
import { isPreviewKey, togglePreview, usePreviewKind } from "./preview/use-preview";
import { useCloseFiles } from "./tabs/close-files";
import { EditorTabs } from "./tabs/editor-tabs";
import { isLargeText, LargeFile } from "./large/large-file";
import { selectionReference } from "./selection-reference";
import type { SplitControl } from "./split-control";
import { useRequestedFocus } from "./use-requested-focus";
import { useTabDrop } from "./tabs/use-tab-drop";
import type { CodeBuffer } from "./text/code-buffer";
import { detectLanguage, languages } from "./text/language";
import { foldWholeText } from "./text/fold-whole-text";
import { findSymbols } from "./text/symbols";
import { opensKeyboard } from "../ui/browser/focus";

interface EditorGroupViewProps {
  readonly projectId: ProjectId;
  readonly files: OpenFiles;
  readonly group: EditorGroup;
  /** Accessible name; absent = the editor is not split. */
  readonly name: string | undefined;
  readonly isFocused: boolean;
  readonly control: SplitControl;
  readonly drawBeside: DrawBesideText | undefined;
  /** Shown at the end of the tab bar. */
  readonly children?: ReactNode;
}

export function EditorGroupView(props: EditorGroupViewProps) {
  const { projectId, files, group, name, isFocused, control, drawBeside, children } = props;
  const client = useClient();
  const messages = useFullMessages();
  const { workbench } = client;
  const { activeTab: active } = group;
  const { documents } = files;
  const all = useStore(documents, (value) => value);
  const view = useRef<EditorView | null>(null);
  const section = useRef<HTMLElement>(null);
  const [encodingPurpose, setEncodingPurpose] = useState<EncodingPurpose | null>(null);
  useEffect(() => {
    if (active !== null) documents.open(active);
  }, [active, documents]);
  const isSplit = name !== undefined;
  const change = (apply: (layout: Layout) => Layout): void =>
    workbench.changeLayout((layout) => changeGroup(layout, group.group, apply));
  const focus = (): void => workbench.changeLayout((layout) => focusGroup(layout, group.group));

  const close = (path: string): void => {
    const hadFocus = section.current?.contains(window.document.activeElement) === true;
    change((layout) => closeTab(layout, path));
    if (!openPaths(workbench.get().layout).includes(path)) {
      documents.close(path);
      files.buffers.delete(path);
    }
    // The text that has the focus disappears with its tab, or with its group.
    const { layout } = workbench.get();
    if (hadFocus && openPaths(layout).length === 0) client.handles.conversation?.focusComposer();
    else if (hadFocus || (isSplit && editorGroups(layout).length === 1)) control.requestFocus();
  };
  const save = async (path: string): Promise<boolean> => {
    const isSaved = await documents.save(path);
    const isInConflict = (documents.get().get(path)?.theirs ?? null) !== null;
    if (!isSaved && isInConflict) client.toasts.show({ text: messages.editor.saveInConflict, look: "danger" });
    const formatError = documents.get().get(path)?.formatError ?? null;
    if (formatError !== null) client.toasts.show({ text: formatErrorText(messages, formatError), look: "danger" });
    return isSaved;
  };
  const format = async (path: string): Promise<void> => {
    const error = await documents.format(path);
    if (error?.code === "untrusted") workbench.showTrust(() => void format(path));
    else if (error !== null) client.toasts.show({ text: formatErrorText(messages, error), look: "danger" });
  };
  const applyEncoding = async (path: string, encoding: TextEncoding): Promise<AgentError | null> => {
    if (encodingPurpose === "reopen") return documents.reopenAs(path, encoding);
    const error = await documents.saveAs(path, encoding);
    const now = documents.get().get(path);
    if ((now?.theirs ?? null) !== null) client.toasts.show({ text: messages.editor.saveInConflict, look: "danger" });
    else if (error === null && now?.isMisread === true) client.toasts.show({ text: messages.editor.encoding.misread });
    return error;
  };
  const { askToClose, question } = useCloseFiles(files, close, save);
  useEditorHandle({
    ...{ files, active, group: group.group, isFocused, save, format, control, view, section },
    closeTab: (path) => askToClose([path]),
    chooseEncoding: setEncodingPurpose,
  });
  const drop = useTabDrop(group, control);
  const document = active === null ? undefined : all.get(active);
  const isLoading = active !== null && (document === undefined || document.status === "loading");
  useRequestedFocus({ control, isFocused, isLoading, section });

  return (
    <section
      ref={section}
      aria-label={name}
      data-group={group.group}
      {...drop.handlers}
      onFocus={focus}
      onPointerDown={focus}
      onKeyDown={(event) => {
        if (document === undefined || !isPreviewKey(event.nativeEvent, document)) return;
        event.preventDefault();
        togglePreview(files, group.group, document.path);
      }}
      className="relative flex min-h-0 min-w-0 flex-1 flex-col bg-canvas"
    >
      {drop.area !== null && (
        <div
          className={classes(
            "pointer-events-none absolute inset-y-0 right-0 z-10 border-2 border-accent bg-accent-soft opacity-60",
            drop.area === "all" ? "left-0" : "left-1/2",
          )}
        />
      )}
      <EditorTabs
        group={group}
        isFocused={isFocused}
        documents={all}
        control={control}
        onSelect={(path) => change((layout) => openTab(layout, path))}
        onClose={askToClose}
        onKeep={(path) => change((layout) => keepTab(layout, path))}
      >
        {document !== undefined && (
          <PreviewButton {...{ files, document }} group={group.group} className="tablet:hidden" />
        )}
        {document?.isDirty === true && (
          <Button size="small" className="m-1 max-tablet:h-10" onClick={() => void save(document.path)}>
            {messages.common.save}
          </Button>
        )}
        {children}
      </EditorTabs>
      {document !== undefined && (
        <DocumentView
          {...{ projectId, files, document, view, isFocused, control, drawBeside }}
          group={group.group}
          onClose={() => close(document.path)}
        />
      )}
      {document !== undefined && encodingPurpose !== null && (
        <EncodingDialog
          purpose={encodingPurpose}
          document={document}
          onChoose={(encoding) => applyEncoding(document.path, encoding)}
          onClose={() => setEncodingPurpose(null)}
        />
      )}
      {question}
    </section>
  );
}

interface EditorHandleInput {
  readonly files: OpenFiles;
  readonly active: string | null;
  readonly group: number;
  readonly isFocused: boolean;
  readonly closeTab: (path: string) => void;
  readonly save: (path: string) => Promise<boolean>;
  readonly format: (path: string) => Promise<void>;
  readonly chooseEncoding: (purpose: EncodingPurpose) => void;
  readonly control: SplitControl;
  readonly view: RefObject<EditorView | null>;
  readonly section: RefObject<HTMLElement | null>;
}

/** Registers the editor's handle while the group has the focus. */
function useEditorHandle(input: EditorHandleInput): void {
  const { files, active, group, isFocused, closeTab, save, format, chooseEncoding, control, view, section } = input;
  const { handles, editorStatus, toasts } = useClient();
  const { changes } = useFullMessages().editor;
  useEffect(() => {
    if (!isFocused) return;
    const { documents, buffers } = files;
    const change = (apply: (buffer: CodeBuffer) => void): void => {
      const buffer = active === null ? undefined : buffers.get(active);
      if (active === null || buffer === undefined) return;
      apply(buffer);
      editorStatus.set(readEditorStatus(files, active));
    };
    handles.editor = {
      save: () => {
        if (active !== null) void save(active);
      },
      format: () => {
        if (active !== null) void format(active);
      },
      closeTab,
      chooseEncoding,
      focus: () => (view.current ?? section.current?.querySelector<HTMLElement>("[aria-selected=true]"))?.focus(),
      find: () => {
        if (view.current === null) return;
        view.current.focus();
        openSearchPanel(view.current);
      },
      goToChange: (direction) => {
        if (view.current === null) return;
        view.current.focus();
        if (!goToChange(view.current, direction)) toasts.show({ text: changes.none });
      },
      setFolded: (isFolded) => {
        if (view.current === null) return;
        if (isFolded) void foldWholeText(view.current);
        else unfoldAll(view.current);
      },
      setIndentation: (indentation) => change((buffer) => buffer.setIndentation(indentation)),
      setLineEnding: (lineEnding) => change((buffer) => buffer.setLineEnding(lineEnding)),
      setLanguage: (language) =>
        change((buffer) => buffer.setLanguage(languages.find((one) => one === language) ?? null)),
      symbols: async () => {
        if (active === null) return null;
        await buffers.get(active)?.languageLoaded();
        return view.current === null ? null : findSymbols(view.current.state, detectLanguage(active));
      },
      reference: () => {
        if (active === null || view.current === null) return null;
        return selectionReference(view.current.state, active, documents.get().get(active)?.isDirty === true);
      },
      togglePreview: (path) => togglePreview(files, group, path),
      canSplit: control.canSplit,
      split: () => {
        if (active !== null) control.split(active);
      },
      focusOtherGroup: control.focusOther,
      moveToOtherGroup: () => {
        if (active !== null) control.moveTab({ group, path: active });
      },
      selectedText: () => {
        const state = view.current?.state;
        return state === undefined ? "" : state.sliceDoc(state.selection.main.from, state.selection.main.to);
      },
    };
    return () => {
      delete handles.editor;
    };
  });
}

/** An image file that is no text, or too large for one. */
const isImage = ({ path, error }: EditorDocument): boolean =>
  imageTypeOf(path) !== null && (error?.code === "binary" || error?.code === "too_large");

interface DocumentViewProps {
  readonly projectId: ProjectId;
  readonly files: OpenFiles;
  readonly document: EditorDocument;
  readonly group: number;
  readonly isFocused: boolean;
  readonly control: SplitControl;
  readonly view: RefObject<EditorView | null>;
  readonly drawBeside: DrawBesideText | undefined;
  readonly onClose: () => void;
}

function DocumentView(props: DocumentViewProps) {
  const { projectId, files, document, group, isFocused, control, view, drawBeside, onClose } = props;
  const messages = useFullMessages();
  const { handles, workbench } = useClient();
  const { documents } = files;
  const { path } = document;
  const preview = usePreviewKind(files, group, path);
  /** Ends the conflict, and with it the button that has the focus. The text would open the keyboard of a touch screen. */
  const resolve = (apply: () => void): void => {
    apply();
    if (!opensKeyboard()) control.requestFocus();
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
    return isImage(document) ? (
      <>
        <Breadcrumbs projectId={projectId} path={path} />
        <ImagePreview key={path} projectId={projectId} path={path} version={document.error} />
      </>
    ) : isLargeText(document.error) ? (
      <>
        <Breadcrumbs projectId={projectId} path={path} />
        <LargeFile key={path} {...{ projectId, path, isFocused }} error={document.error} />
      </>
    ) : (
      <CenteredMessage text={messages.errors.sentences[document.error.code]} note={path}>
        {document.error.code === "bad_encoding" && (
          <Button onClick={() => handles.editor?.chooseEncoding("reopen")}>{messages.editor.encoding.reopen}</Button>
        )}
        <Button onClick={onClose}>{messages.editor.close}</Button>
      </CenteredMessage>
    );
  return (
    <>
      <div className="flex shrink-0 items-center justify-between [&>nav]:min-w-0">
        <Breadcrumbs projectId={projectId} path={path} />
        <PreviewButton {...{ files, group, document }} className="mr-1 max-tablet:hidden" />
      </div>
      <EditorNotice
        document={document}
        onCompare={() => workbench.showCompare(path)}
        onKeepMine={() => resolve(() => documents.keepMine(path))}
        onTakeTheirs={() => resolve(() => documents.takeTheirs(path))}
        onConfirmMerge={() => documents.confirmMerge(path)}
        onSave={() => void documents.save(path)}
        onChooseEncoding={() => handles.editor?.chooseEncoding("save")}
        onClose={onClose}
      />
      {document.file?.readOnly === "binary" ? (
        <CenteredMessage text={messages.editor.binary} note={messages.figures.bytes(document.file.size)} />
      ) : preview !== null ? (
        <FilePreview {...{ projectId, files, group, isFocused, path }} kind={preview} />
      ) : (
        <CodeArea {...{ projectId, files, document, group, isFocused, view, drawBeside }} />
      )}
    </>
  );
}
