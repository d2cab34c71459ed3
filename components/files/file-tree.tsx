"use client";
/** The project's file tree: folders are read when expanded and kept up to date; with the usual tree keys. */
import { FilePlus, FolderPlus, Plus } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import type { ProjectId } from "@/lib/events/id";
import { useClient } from "../state/client";
import { useStore } from "../state/store";
import { Icon } from "../ui/indicators/icon";
import { Menu } from "../ui/controls/menu";
import { Skeleton } from "../ui/indicators/skeleton";
import { type ListVirtualizer, VirtualList } from "../ui/layout/virtual-list";
import { useMessages } from "../messages/messages";
import { useFileCommands } from "./use-file-commands";
import { NameField } from "./name-field";
import { indentStyle, FileTreeRowView } from "./file-tree-row-view";
import { parentFolder } from "@/lib/workspace/project-path";
import { findRowByPrefix, moveByKey, buildFileTreeRows, type FileTreeRow as Row } from "./file-tree-rows";
import { useFolders } from "./use-folders";

interface FileTreeProps {
  readonly projectId: ProjectId;
  readonly onOpened?: () => void;
}

/** The name being edited: of an existing row or of a new file or folder. */
type NameEdit =
  | { readonly kind: "rename"; readonly path: string }
  | { readonly kind: "file" | "folder"; readonly folder: string };

const rowPx = 28;
const typeAheadMs = 700;

export function FileTree({ projectId, onOpened }: FileTreeProps) {
  const { workbench } = useClient();
  const messages = useMessages();
  const treeId = useId();
  const expanded = useStore(workbench, (state) => state.layout.expanded);
  const active = useStore(workbench, (state) => state.layout.activeTab);
  const folders = useFolders(projectId, expanded);
  const commands = useFileCommands(projectId, onOpened);
  const [focused, setFocused] = useState<string | null>(null);
  const [naming, setNaming] = useState<NameEdit | null>(null);
  const list = useRef<ListVirtualizer | null>(null);
  const typed = useRef({ text: "", at: 0 });
  const rows = useMemo(() => {
    const all = buildFileTreeRows((path) => folders.get(path), new Set(expanded));
    return naming === null || naming.kind === "rename" ? all : withNewRow(all, naming.folder);
  }, [folders, expanded, naming]);
  const focusedIndex = Math.max(
    0,
    rows.findIndex((row) => row.path === focused),
  );

  useEffect(() => {
    const at = rows.findIndex((row) => row.kind === "new");
    if (at >= 0) list.current?.scrollToIndex(at);
  }, [rows]);

  const select = (row: Row): void => {
    setFocused(row.path);
    if (row.kind === "folder") commands.expand(row.path, !row.isOpen);
    else if (row.kind === "file" || row.kind === "link") commands.open(row.path);
  };
  const begin = (folder: string, kind: "file" | "folder"): void => {
    if (folder !== "") commands.expand(folder, true);
    setNaming({ kind, folder });
  };
  const goTo = (index: number): void => {
    const row = rows[index];
    if (row === undefined) return;
    setFocused(row.path);
    list.current?.scrollToIndex(index);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rows[focusedIndex];
    if (row === undefined || event.ctrlKey || event.metaKey || event.altKey || event.nativeEvent.isComposing) return;
    const move = moveByKey(rows, focusedIndex, event.key);
    if (move?.kind === "focus") goTo(move.index);
    else if (move !== null) commands.expand(move.path, move.kind === "open");
    else if (event.key === "Enter" || event.key === " ") select(row);
    else if (event.key === "F2") setNaming({ kind: "rename", path: row.path });
    else if (event.key.length === 1) {
      const isFresh = event.timeStamp - typed.current.at > typeAheadMs;
      typed.current = { text: (isFresh ? "" : typed.current.text) + event.key, at: event.timeStamp };
      goTo(findRowByPrefix(rows, focusedIndex, typed.current.text));
    } else return;
    event.preventDefault();
  };
  const siblings = (folder: string): readonly string[] => {
    const known = folders.get(folder);
    return known === undefined || known === "failed" ? [] : known.nodes.map((node) => node.name);
  };
  const nameField = (row: Row) => {
    if (naming?.kind === "rename" && naming.path === row.path)
      return (
        <NameField
          name={row.name}
          label={messages.files.rename}
          siblings={siblings(parentFolder(row.path))}
          onDone={(name) => {
            setNaming(null);
            if (name !== null) commands.rename(row.path, name);
          }}
        />
      );
    return undefined;
  };

  return (
    <section aria-label={messages.files.title} className="flex min-h-0 flex-1 flex-col">
      <TreeHeader onCreate={(kind) => begin(targetFolder(rows[focusedIndex], focused), kind)} />
      {folders.get("") === undefined && <Skeleton label={messages.common.loading} className="mx-3 h-4" />}
      {folders.get("") !== undefined && rows.length === 0 && (
        <p className="px-3 py-1 text-small text-ink-muted">{messages.files.empty}</p>
      )}
      <VirtualList
        role="tree"
        tabIndex={0}
        aria-label={messages.files.title}
        aria-activedescendant={rows.length === 0 ? undefined : `${treeId}${focusedIndex}`}
        onKeyDown={onKeyDown}
        className="min-h-0 flex-1 overflow-y-auto pb-2 outline-none"
        count={rows.length}
        keyOf={(index) => rows[index]?.path ?? String(index)}
        estimate={() => rowPx}
        overscan={12}
        handle={list}
        row={(index) => {
          const row = rows[index];
          if (row === undefined) return null;
          if (row.kind === "new" && naming !== null && naming.kind !== "rename")
            return (
              <div style={indentStyle(row.depth)} className="mx-1.5 flex h-7 items-center gap-1.5 pr-1 max-tablet:h-11">
                <span className="size-4 shrink-0" />
                <NameField
                  name=""
                  label={naming.kind === "file" ? messages.files.newFile : messages.files.newFolder}
                  siblings={siblings(naming.folder)}
                  onDone={(name) => {
                    setNaming(null);
                    if (name !== null) commands.create(naming.folder, name, naming.kind);
                  }}
                />
              </div>
            );
          return (
            <FileTreeRowView
              id={`${treeId}${index}`}
              row={row}
              isFocused={index === focusedIndex}
              isActive={row.path === active}
              field={nameField(row)}
              onSelect={() => select(row)}
              onCreate={(kind) => begin(row.path, kind)}
              onRename={() => setNaming({ kind: "rename", path: row.path })}
              onCopyPath={() => commands.copyPath(row.path)}
            />
          );
        }}
      />
    </section>
  );
}

function TreeHeader({ onCreate }: { readonly onCreate: (kind: "file" | "folder") => void }) {
  const messages = useMessages();
  return (
    <div className="flex h-9 shrink-0 items-center justify-between pt-1 pr-2 pl-3">
      <h2 className="text-small font-medium text-ink-muted">{messages.files.title}</h2>
      <Menu
        name={messages.files.create}
        aria-label={messages.files.create}
        align="end"
        className="grid size-6 place-items-center rounded-control text-ink-muted hover:bg-hover hover:text-ink max-tablet:size-11"
        items={[
          { id: "file", label: messages.files.newFile, icon: FilePlus, onSelect: () => onCreate("file") },
          { id: "folder", label: messages.files.newFolder, icon: FolderPlus, onSelect: () => onCreate("folder") },
        ]}
      >
        <Icon of={Plus} size={14} />
      </Menu>
    </div>
  );
}

/** Target folder of a new file: the focused folder, or the parent of the focused file. */
const targetFolder = (row: Row | undefined, focused: string | null): string =>
  row === undefined || focused === null ? "" : row.kind === "folder" ? row.path : parentFolder(row.path);

/** Inserts a row for the new name as the first one of its folder. */
function withNewRow(rows: readonly Row[], folder: string): readonly Row[] {
  const at = folder === "" ? 0 : rows.findIndex((row) => row.path === folder) + 1;
  const depth = folder === "" ? 0 : (rows[at - 1]?.depth ?? -1) + 1;
  const fresh: Row = {
    path: `${folder}//new`,
    name: "",
    depth,
    kind: "new",
    isOpen: false,
    isLoading: false,
    isIgnored: false,
    unlistedCount: 0,
  };
  return [...rows.slice(0, at), fresh, ...rows.slice(at)];
}
