"use client";
/** Menu with the options of the file tree. */
import { Crosshair, Ellipsis, Eye, EyeOff, FolderDown, LocateFixed, LocateOff } from "lucide-react";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { useStore } from "../../state/store";
import { Menu } from "../../ui/controls/menu";
import { Icon } from "../../ui/indicators/icon";

interface ViewMenuProps {
  /** Downloads the project as an archive. */
  readonly onDownload: () => void;
}

export function ViewMenu({ onDownload }: ViewMenuProps) {
  const { workbench } = useClient();
  const { files, actions } = useFullMessages();
  const options = useStore(workbench, (state) => state.layout.tree);
  const active = useStore(workbench, (state) => state.layout.activeTab);
  const toggle = (option: keyof typeof options) => (): void =>
    workbench.changeLayout((layout) => ({ ...layout, tree: { ...layout.tree, [option]: !layout.tree[option] } }));
  const { hidesDotFiles, hidesIgnored, followsEditor } = options;
  return (
    <Menu
      name={files.view}
      aria-label={files.view}
      align="end"
      className="grid size-6 place-items-center rounded-control text-ink-muted hover:bg-hover hover:text-ink max-tablet:size-11"
      items={[
        {
          id: "dots",
          label: hidesDotFiles ? files.showDotFiles : files.hideDotFiles,
          icon: hidesDotFiles ? Eye : EyeOff,
          onSelect: toggle("hidesDotFiles"),
        },
        {
          id: "ignored",
          label: hidesIgnored ? files.showIgnored : files.hideIgnored,
          icon: hidesIgnored ? Eye : EyeOff,
          onSelect: toggle("hidesIgnored"),
        },
        {
          id: "follow",
          label: followsEditor ? files.unfollow : files.follow,
          icon: followsEditor ? LocateOff : LocateFixed,
          separated: true,
          onSelect: toggle("followsEditor"),
        },
        ...(active === null
          ? []
          : [
              {
                id: "reveal",
                label: actions.names.revealFile,
                icon: Crosshair,
                onSelect: () => workbench.revealInTree(active),
              },
            ]),
        { id: "archive", label: files.downloadProject, icon: FolderDown, separated: true, onSelect: onDownload },
      ]}
    >
      <Icon of={Ellipsis} size={14} />
    </Menu>
  );
}
