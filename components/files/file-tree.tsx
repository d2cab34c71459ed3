"use client";
/** The project's file tree: folders are read when expanded and kept up to date; its menu, keys and drags change files. */
import { type ReactNode, useCallback, useEffect, useId, useRef, useState } from "react";
import type { ProjectId } from "@/lib/events/id";
import { isWithin, parentFolder } from "@/lib/workspace/project-path";
import { useFullMessages } from "../messages/full-messages";
import { useClient } from "../state/client";
import { getHistoryRequest } from "../state/history-request";
import { useStore } from "../state/store";
import { ignoreSecondClicks } from "../ui/browser/second-click";
import { Skeleton } from "../ui/indicators/skeleton";
import { useMedia } from "../ui/layout/use-media";
import { type ListHandle, VirtualList } from "../ui/layout/virtual-list";
import { classes } from "../ui/theme/classes";
import { folderOfRow } from "./operations/drop-targets";
import { DeleteQuestion } from "./operations/delete-question";
import type { FileTreeRow } from "./file-tree-rows";
import { FileTreeRowView, indentStyle } from "./file-tree-row-view";
import { NameField } from "./name-field";
import { TreeHeader } from "./tree-header";
import { operationPaths } from "./tree-selection";
import { Outline } from "./outline/outline";
import { useLongPress } from "../ui/browser/use-long-press";
import { useReveal } from "./view/use-reveal";
import { useRowClicks } from "./view/use-row-clicks";
import { useTree, type OpenTreeMenu, type Tree } from "./use-tree";
import { useTreeDrag } from "./operations/use-tree-drag";
import { useTreeMarks } from "./view/use-tree-marks";
import { Uploads, useUploadField } from "./upload/use-upload-field";
import type { PushOf } from "@/lib/protocol/topics";
import { useTopic } from "../state/use-topic";
import { isMacPlatform } from "../actions/keys";
import { ContextMenu } from "../ui/controls/context-menu";
import { treeMenuItems } from "./tree-menu-items";

interface TreeMenuProps {
  readonly tree: Tree;
  readonly menu: OpenTreeMenu;
  /** Lets the user choose files for the folder. */
  readonly onUpload: (folder: string) => void;
  readonly onClose: (refocus: boolean) => void;
}

/** The open menu of the file tree. */
function TreeMenu({ tree, menu, onUpload, onClose }: TreeMenuProps) {
  const client = useClient();
  const { workbench } = client;
  const messages = useFullMessages();
  const { operations } = tree;
  const row = tree.rows.find(({ path }) => path === menu.path);
  const paths = row === undefined ? [] : tree.pathsAt(row);
  const perform = (operation: Parameters<Tree["operate"]>[0]) => (): void => void tree.operate(operation, row);
  const items = treeMenuItems(
    { row, count: paths.length, canPaste: operations.clipboard !== null },
    {
      open: () => row !== undefined && tree.activate(row),
      create: (kind) => tree.begin(row, kind),
      upload: () => onUpload(folderOfRow(row)),
      rename: perform("rename"),
      duplicate: () => operations.duplicate(paths),
      cut: perform("cut"),
      copy: perform("copy"),
      paste: () => operations.paste(folderOfRow(row)),
      remove: perform("delete"),
      download: () => row !== undefined && operations.download(row.path),
      downloadArchive: () => operations.downloadArchive(row === undefined ? [""] : paths),
      copyPath: (isRelative) => operations.copyPaths(paths, isRelative),
      addToMessage: () => operations.addToMessage(paths),
      showTimeline: () => row !== undefined && workbench.showTimeline(row.path),
      showHistory: () =>
        row !== undefined && getHistoryRequest(client).set({ pane: "files", shown: { file: row.path } }),
      pin: row?.kind === "file" ? operations.pin(paths) : undefined,
    },
    messages,
    isMacPlatform(),
  );
  const name = row === undefined ? messages.files.title : messages.files.menu(row.name);
  return <ContextMenu at={menu.at} items={items} name={name} onClose={onClose} />;
}

/** Says that the system watches no more files, and what ends it. */
function PollingNotice({ projectId }: { readonly projectId: ProjectId }) {
  const { files } = useFullMessages();
  const [isPolled, setIsPolled] = useState(false);
  const receive = useCallback((push: PushOf<"files"> | null): void => {
    if (push !== null) setIsPolled(push.isPolled === true);
  }, []);
  useTopic("files", projectId, receive);
  return (
    <div role="status" className="shrink-0 px-3 text-small text-ink-muted">
      {isPolled && <p className="pb-1.5">{files.polled}</p>}
    </div>
  );
}

interface FileTreeProps {
  readonly projectId: ProjectId;
  readonly onOpened?: () => void;
}

const rowPx = 28;

export function FileTree({ projectId, onOpened }: FileTreeProps) {
  const { workbench } = useClient();
  const messages = useFullMessages();
  useEffect(ignoreSecondClicks, []);
  const treeId = useId();
  const active = useStore(workbench, (state) => state.layout.activeTab);
  const isTouch = useMedia("(pointer: coarse)");
  const list = useRef<ListHandle | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const rowElementId = (index: number): string => `${treeId}${index}`;
  const tree = useTree({ projectId, onOpened, list, rowElementId });
  const { rows, order, naming, selection, focusedIndex, commands, operations, menu } = tree;
  const marks = useTreeMarks(projectId);
  useReveal(rows, list, box, tree.select);

  // The list measures all rows again for another function.
  const keyOf = useCallback((index: number) => rows[index]?.path ?? String(index), [rows]);

  const rowOf = (target: EventTarget): FileTreeRow | undefined => {
    const path = target instanceof Element ? target.closest<HTMLElement>("[data-path]")?.dataset.path : undefined;
    return rows.find((row) => row.path === path);
  };
  const focusedRow = selection.focused === null ? undefined : rows[focusedIndex];
  const uploadField = useUploadField(operations.uploadChosen);
  const drag = useTreeDrag({
    rowOf,
    pathsAt: (row) => operationPaths(selection, order, row.path),
    countLabel: messages.files.count,
    expand: (folder) => commands.expand(folder, true),
    onDrop: operations.move,
    onDropFiles: operations.uploadDropped,
  });
  const longPress = useLongPress((target, at) => tree.openMenu(rowOf(target), at));
  const endNaming = (name: string | null, isByKey: boolean): void => {
    if (isByKey) box.current?.focus({ preventScroll: true });
    tree.endNaming(name, isByKey);
  };
  const clicks = useRowClicks({ tree, box, rowOf });
  const nameField = (row: FileTreeRow): ReactNode =>
    naming?.kind === "rename" && naming.path === row.path ? (
      <NameField
        name={row.name}
        label={messages.files.rename}
        siblings={tree.siblings(parentFolder(row.path))}
        mayHaveFolders={false}
        onDone={endNaming}
      />
    ) : undefined;
  const drawRow = (row: FileTreeRow, index: number): ReactNode =>
    row.kind === "new" && naming !== null && naming.kind !== "rename" ? (
      <div style={indentStyle(row.depth)} className="mx-1.5 flex h-7 items-center gap-1.5 pr-1 max-tablet:h-11">
        <span className="size-4 shrink-0" />
        <NameField
          name=""
          label={naming.kind === "file" ? messages.files.newFile : messages.files.newFolder}
          siblings={tree.siblings(naming.folder)}
          mayHaveFolders
          onDone={endNaming}
        />
      </div>
    ) : (
      <FileTreeRowView
        id={rowElementId(index)}
        row={row}
        mark={row.kind === "folder" ? marks.ofFolder(row.path) : marks.ofFile(row.path)}
        isFocused={index === focusedIndex}
        isActive={row.path === active}
        isSelected={selection.selected.has(row.path)}
        isCut={
          operations.clipboard?.kind === "cut" && operations.clipboard.paths.some((path) => isWithin(path, row.path))
        }
        isDropTarget={drag.dropFolder !== null && drag.dropFolder !== "" && isWithin(drag.dropFolder, row.path)}
        isMenuOpen={menu?.path === row.path}
        isDraggable={!isTouch && naming === null}
        field={nameField(row)}
        onMenu={(at) => tree.openMenu(row, at)}
      />
    );

  return (
    <section aria-label={messages.files.title} className="flex min-h-0 flex-1 flex-col">
      <TreeHeader
        onCreate={(kind) => tree.begin(focusedRow, kind)}
        onUpload={() => uploadField.choose(folderOfRow(focusedRow))}
        onDownload={() => operations.downloadArchive([""])}
      />
      {uploadField.field}
      <PollingNotice projectId={projectId} />
      {!tree.isLoaded && <Skeleton label={messages.common.loading} className="mx-3 h-4" />}
      {tree.isLoaded && rows.length === 0 && (
        <p className="px-3 py-1 text-small text-ink-muted">{messages.files.empty}</p>
      )}
      <VirtualList
        role="tree"
        tabIndex={0}
        aria-label={messages.files.title}
        aria-multiselectable
        aria-activedescendant={rows.length === 0 ? undefined : rowElementId(focusedIndex)}
        onKeyDown={tree.onKeyDown}
        {...clicks}
        onContextMenu={(event) => {
          event.preventDefault();
          if (menu === null) tree.openMenu(rowOf(event.target), { x: event.clientX, y: event.clientY });
        }}
        {...longPress}
        {...drag.handlers}
        className={classes(
          "min-h-0 flex-1 overflow-y-auto pb-2 outline-none",
          drag.dropFolder === "" && "bg-accent-soft",
        )}
        count={rows.length}
        keyOf={keyOf}
        estimate={() => rowPx}
        overscan={12}
        handle={list}
        scroller={box}
        row={(index) => {
          const row = rows[index];
          return row === undefined ? null : drawRow(row, index);
        }}
      />
      {menu !== null && (
        <TreeMenu
          tree={tree}
          menu={menu}
          onUpload={uploadField.choose}
          onClose={(isRefocused) => {
            tree.closeMenu();
            if (isRefocused) box.current?.focus({ preventScroll: true });
          }}
        />
      )}
      {operations.asking !== null && (
        <DeleteQuestion unsaved={operations.asking.unsaved} onAnswer={operations.answer} />
      )}
      <Outline />
      <Uploads />
    </section>
  );
}
