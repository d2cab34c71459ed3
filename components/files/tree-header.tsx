"use client";
/** Header of the file tree: title, search button and the menu for new files and folders. */
import { ChevronsDownUp, FilePlus, FolderPlus, Plus, Search, Upload } from "lucide-react";
import { useShortcut } from "../actions/use-shortcut";
import { useFullMessages } from "../messages/full-messages";
import { useClient } from "../state/client";
import { IconButton } from "../ui/controls/icon-button";
import { Menu } from "../ui/controls/menu";
import { Icon } from "../ui/indicators/icon";
import { ViewMenu } from "./view/view-menu";

interface TreeHeaderProps {
  readonly onCreate: (kind: "file" | "folder") => void;
  readonly onUpload: () => void;
  readonly onDownload: () => void;
}

export function TreeHeader({ onCreate, onUpload, onDownload }: TreeHeaderProps) {
  const { workbench } = useClient();
  const messages = useFullMessages();
  return (
    <div className="flex h-9 shrink-0 items-center justify-between pt-1 pr-2 pl-3">
      <h2 className="text-small font-medium text-ink-muted">{messages.files.title}</h2>
      <div className="flex">
        <IconButton
          icon={Search}
          name={messages.actions.names.quickOpen}
          shortcut={useShortcut("quickOpen")}
          size="small"
          side="below"
          onClick={() => workbench.showOverlay("quick_open")}
        />
        <Menu
          name={messages.files.create}
          aria-label={messages.files.create}
          align="end"
          className="grid size-6 place-items-center rounded-control text-ink-muted hover:bg-hover hover:text-ink max-tablet:size-11"
          items={[
            { id: "file", label: messages.files.newFile, icon: FilePlus, onSelect: () => onCreate("file") },
            { id: "folder", label: messages.files.newFolder, icon: FolderPlus, onSelect: () => onCreate("folder") },
            { id: "upload", label: messages.files.upload, icon: Upload, onSelect: onUpload },
          ]}
        >
          <Icon of={Plus} size={14} />
        </Menu>
        <IconButton
          icon={ChevronsDownUp}
          name={messages.files.collapseAll}
          size="small"
          side="below"
          onClick={() => workbench.changeLayout((layout) => ({ ...layout, expanded: [] }))}
        />
        <ViewMenu onDownload={onDownload} />
      </div>
    </div>
  );
}
