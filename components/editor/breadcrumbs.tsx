"use client";
/** Path of the shown file, and the declarations around the caret. A click lists what is beside a part. */
import { ChevronRight } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { ProjectId } from "@/lib/events/id";
import { parentFolder } from "@/lib/workspace/project-path";
import { useClient } from "../state/client";
import { useStore } from "../state/store";
import { setExpanded, type Layout } from "../state/workbench/layout";
import { type MenuItem, MenuList } from "../ui/controls/menu";
import { Icon } from "../ui/indicators/icon";
import { useFloatingButton } from "../ui/overlays/use-floating-button";
import { useFullMessages } from "../messages/full-messages";

interface BreadcrumbsProps {
  readonly projectId: ProjectId;
  readonly path: string;
}

export function Breadcrumbs({ projectId, path }: BreadcrumbsProps) {
  const { call, workbench, handles, editorStatus } = useClient();
  const { editor, files, figures } = useFullMessages();
  const enclosing = useStore(editorStatus, (status) => (status?.path === path ? status.enclosing.join(" › ") : ""));
  const names = path.split("/");
  const paths = names.map((_, index) => names.slice(0, index + 1).join("/"));
  const listSiblings = async (part: string): Promise<readonly MenuItem[]> => {
    const answer = await call("files.list", { projectId, path: parentFolder(part) });
    if (!answer.ok) return [];
    const entries = answer.value.nodes
      .filter(({ kind }) => kind !== "other")
      .map((node) => ({
        id: node.path,
        label: node.kind === "folder" ? `${node.name}/` : node.name,
        onSelect: () =>
          node.kind === "folder"
            ? workbench.changeLayout((layout) => showFolder(layout, node.path))
            : workbench.openFile(node.path, null),
      }));
    const left = answer.value.total - answer.value.nodes.length;
    if (left <= 0) return entries;
    const rest = { id: "", label: files.more(figures.number(left)), disabled: true, onSelect: () => undefined };
    return [...entries, rest];
  };
  const listSymbols = async (): Promise<readonly MenuItem[]> =>
    ((await handles.editor?.symbols()) ?? []).map(({ name, line, depth }, index) => ({
      id: String(index),
      label: "\u2003".repeat(depth) + name,
      onSelect: () => workbench.openFile(path, line),
    }));
  return (
    <nav
      aria-label={editor.path}
      className="flex h-6 shrink-0 items-center overflow-hidden px-2 text-small text-ink-muted max-tablet:hidden"
    >
      {paths.map((part, index) => (
        <Crumb
          key={part}
          name={editor.siblings(names[index] ?? "")}
          isFirst={index === 0}
          chosen={part}
          list={() => listSiblings(part)}
        >
          {names[index]}
        </Crumb>
      ))}
      {enclosing !== "" && (
        <Crumb name={editor.symbols} isFirst={false} list={listSymbols}>
          {enclosing}
        </Crumb>
      )}
    </nav>
  );
}

/** Shows the tree with this folder open. */
function showFolder(layout: Layout, path: string): Layout {
  const names = path.split("/");
  const folders = names.map((_, index) => names.slice(0, index + 1).join("/"));
  const shown: Layout = { ...layout, side: "files", lastSide: "files" };
  return folders.reduce((now, folder) => setExpanded(now, folder, true), shown);
}

interface CrumbProps {
  /** Accessible name of the list. */
  readonly name: string;
  readonly isFirst: boolean;
  /** Id of the item of this part. */
  readonly chosen?: string;
  readonly list: () => Promise<readonly MenuItem[]>;
  readonly children: ReactNode;
}

function Crumb({ name, isFirst, chosen, list, children }: CrumbProps) {
  const { id, anchor, isOpen, open, close, attributes } = useFloatingButton("menu");
  const [items, setItems] = useState<readonly MenuItem[]>([]);
  return (
    <>
      {!isFirst && <Icon of={ChevronRight} size={12} className="shrink-0 text-ink-faint" />}
      <button
        {...attributes}
        ref={anchor}
        title={name}
        onClick={() => {
          if (isOpen) return close(false);
          void list().then((listed) => {
            setItems(listed);
            if (listed.length > 0) open();
          });
        }}
        className="cut min-w-4 rounded-mark px-1 whitespace-nowrap hover:bg-hover hover:text-ink"
      >
        {children}
      </button>
      {isOpen && <MenuList {...{ id, anchor, items, name, chosen }} side="below" align="start" onClose={close} />}
    </>
  );
}
