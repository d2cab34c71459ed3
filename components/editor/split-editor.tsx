"use client";
/**
 * The editor pane: one group of tabs, or two side by side. Where two do not fit, the group with the focus is drawn.
 * Loaded with the first opened file.
 */
import { ArrowLeftRight, Columns2 } from "lucide-react";
import {
  Fragment,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useCallback,
} from "react";
import type { ProjectId } from "@/lib/events/id";
import { useShortcut } from "../actions/use-shortcut";
import { useFullMessages } from "../messages/full-messages";
import { useClient } from "../state/client";
import { useStore } from "../state/store";
import {
  changeGroup,
  focusGroup,
  editorGroups,
  moveTab,
  openPaths,
  splitEditor,
} from "../state/workbench/editor-groups";
import { clampShare, keepTab, type Layout, paneBounds } from "../state/workbench/layout";
import { IconButton } from "../ui/controls/icon-button";
import { Divider } from "../ui/layout/divider";
import type { DrawBesideText } from "./code-area";
import { EditorGroupView } from "./editor-group";
import { getOpenFiles, type OpenFiles } from "./open-files";
import type { GroupTab, SplitControl } from "./split-control";
import type { PushOf } from "@/lib/protocol/topics";
import { parentFolder } from "@/lib/workspace/project-path";
import { useTopic } from "../state/use-topic";

/** The folders that contain the file; their `.editorconfig` files apply to it. */
function foldersAbove(path: string): readonly string[] {
  const names = path.split("/").slice(0, -1);
  return ["", ...names.map((_, index) => names.slice(0, index + 1).join("/"))];
}

const isEditorConfig = (path: string): boolean => /(?:^|\/)\.editorconfig$/.test(path);

/** Synchronises open files with the disk: watches folders, compares on changes and reconnects. */
function useDiskSync(projectId: ProjectId, { documents }: OpenFiles, tabs: readonly string[]): void {
  const client = useClient();
  const folders = useMemo(() => [...new Set(tabs.flatMap(foldersAbove))], [tabs]);
  useEffect(() => client.watchedFolders.show(projectId, "editor", folders), [client, projectId, folders]);
  useTopic(
    "files",
    projectId,
    useCallback(
      (push: PushOf<"files"> | null) => {
        const touched = [...documents.get().keys()].filter(
          (path) => push?.paths.includes(path) === true || push?.folders.includes(parentFolder(path)) === true,
        );
        documents.changedOnDisk(push === null ? "all" : touched);
        if (push === null || push.paths.some(isEditorConfig)) documents.stylesChanged();
      },
      [documents],
    ),
  );
  useEffect(
    () =>
      client.connection.state.subscribe(() => {
        if (client.connection.state.get() === "online") documents.changedOnDisk("all");
      }),
    [client, documents],
  );
}

interface SplitEditorProps {
  readonly projectId: ProjectId;
  readonly drawBeside?: DrawBesideText;
  /** Shown at the end of the last tab bar. */
  readonly children?: ReactNode;
}

/** px */
const groupMinWidth = paneBounds.editor.min;

const fitsTwoGroups = (width: number): boolean => width >= 2 * groupMinWidth;

export function SplitEditor({ projectId, drawBeside, children }: SplitEditorProps) {
  const client = useClient();
  const { editor } = useFullMessages();
  const { workbench } = client;
  const layout = useStore(workbench, (state) => state.layout);
  const files = useMemo(() => getOpenFiles(client, projectId), [client, projectId]);
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const hasRoom = fitsTwoGroups(width);
  const groups = editorGroups(layout);
  const isSplit = groups.length > 1;
  const shown = hasRoom ? groups : groups.filter(({ group }) => group === layout.group);
  useOpenFiles(projectId, files, layout);
  const control = useSplitControl(box, hasRoom, isSplit);
  const shortcut = useShortcut("splitEditor");
  const otherShortcut = useShortcut("focusOtherGroup");
  const leftWidth = Math.round(
    Math.max(groupMinWidth, Math.min(width - groupMinWidth, clampShare(layout.splitShare) * width)),
  );
  const setShare = (splitShare: number): void =>
    workbench.changeLayout((now) => ({ ...now, splitShare: clampShare(splitShare) }));
  return (
    <div ref={box} className="flex min-h-0 min-w-0 flex-1">
      {shown.map((group, index) => {
        const isLast = index === shown.length - 1;
        return (
          <Fragment key={group.group}>
            {index > 0 && (
              <Divider
                direction="vertical"
                name={editor.groups.resize}
                size={leftWidth}
                min={groupMinWidth}
                max={Math.round(width) - groupMinWidth}
                pane="before"
                onResize={(size) => setShare(size / width)}
                onReset={() => setShare(0.5)}
              />
            )}
            <div className={isLast ? "flex min-w-0 flex-1" : "flex min-w-0"} style={isLast ? {} : { width: leftWidth }}>
              <EditorGroupView
                projectId={projectId}
                files={files}
                group={group}
                name={isSplit ? (group === groups[0] ? editor.groups.left : editor.groups.right) : undefined}
                isFocused={group.group === layout.group}
                control={control}
                drawBeside={drawBeside}
              >
                {isLast && !isSplit && hasRoom && (
                  <IconButton
                    icon={Columns2}
                    name={editor.groups.split}
                    side="below"
                    className="m-0.5"
                    shortcut={shortcut}
                    onClick={() => client.handles.editor?.split()}
                  />
                )}
                {isSplit && !hasRoom && (
                  <IconButton
                    icon={ArrowLeftRight}
                    name={editor.groups.showOther}
                    side="below"
                    className="m-0.5"
                    shortcut={otherShortcut}
                    onClick={control.focusOther}
                  />
                )}
                {isLast && children}
              </EditorGroupView>
            </div>
          </Fragment>
        );
      })}
    </div>
  );
}

/** Returns the width of the element, px; 0 before it is measured. */
function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const measured = element.current;
    if (measured === null) return;
    const measure = (): void => setWidth(measured.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(measured);
    return () => observer.disconnect();
  }, [element]);
  return width;
}

/** Reads the files of the tabs, keeps them up to date, and closes those that have no tab. */
function useOpenFiles(projectId: ProjectId, files: OpenFiles, layout: Layout): void {
  const { workbench } = useClient();
  const { documents, buffers } = files;
  const all = useStore(documents, (value) => value);
  const paths = useMemo(() => openPaths(layout), [layout]);
  useDiskSync(projectId, files, paths);
  useEffect(() => documents.openDrafts(openPaths(workbench.get().layout)), [documents, workbench]);
  useEffect(() => {
    const groups = editorGroups(layout);
    for (const { group, previewTab } of groups)
      if (previewTab !== null && all.get(previewTab)?.isDirty === true)
        workbench.changeLayout((now) => changeGroup(now, group, (one) => keepTab(one, previewTab)));
    for (const { path, status, isDirty } of all.values())
      if (!paths.includes(path) && status !== "loading" && !isDirty) {
        documents.close(path);
        buffers.delete(path);
      }
    for (const buffer of buffers.values()) buffer.keepGroups(groups.map(({ group }) => group));
  }, [all, paths, layout, documents, buffers, workbench]);
}

function useSplitControl(box: RefObject<HTMLElement | null>, hasRoom: boolean, isSplit: boolean): SplitControl {
  const { workbench, toasts } = useClient();
  const { editor } = useFullMessages();
  const dragged = useRef<GroupTab | null>(null);
  const focusRequest = useRef<"requested" | "reading" | null>(null);
  const [focusRequests, setFocusRequests] = useState(0);
  const requestFocus = (): void => {
    focusRequest.current = "requested";
    setFocusRequests((count) => count + 1);
  };
  const changeAndFocus = (change: (layout: Layout) => Layout): void => {
    workbench.changeLayout(change);
    requestFocus();
  };
  return {
    ...{ hasRoom, isSplit, dragged, focusRequest, focusRequests, requestFocus },
    canSplit: () => window.innerWidth >= 2 * groupMinWidth,
    split: (path) => {
      // The measured width follows a change of the layout one frame later.
      if (fitsTwoGroups(box.current?.clientWidth ?? 0)) changeAndFocus((layout) => splitEditor(layout, path));
      else toasts.show({ text: editor.groups.noRoom });
    },
    focusOther: () => changeAndFocus((layout) => focusGroup(layout, layout.otherGroup?.group ?? layout.group)),
    moveTab: ({ group, path }) => changeAndFocus((layout) => moveTab(focusGroup(layout, group), path)),
  };
}
