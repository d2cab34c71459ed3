"use client";
/** The open menu of the file tree. */
import { isMacPlatform } from "../actions/keys";
import { useMessages } from "../messages/messages";
import { ContextMenu } from "../ui/controls/context-menu";
import { folderOfRow } from "./operations/drop-targets";
import { treeMenuItems } from "./tree-menu-items";
import type { OpenTreeMenu, Tree } from "./use-tree";

interface TreeMenuProps {
  readonly tree: Tree;
  readonly menu: OpenTreeMenu;
  /** Lets the user choose files for the folder. */
  readonly onUpload: (folder: string) => void;
  readonly onClose: (refocus: boolean) => void;
}

export function TreeMenu({ tree, menu, onUpload, onClose }: TreeMenuProps) {
  const messages = useMessages();
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
      addToMessage: operations.addToMessage(paths),
      pin: row?.kind === "file" ? operations.pin(paths) : undefined,
    },
    messages,
    isMacPlatform(),
  );
  const name = row === undefined ? messages.files.title : messages.files.menu(row.name);
  return <ContextMenu at={menu.at} items={items} name={name} onClose={onClose} />;
}
