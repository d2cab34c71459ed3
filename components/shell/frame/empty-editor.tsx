"use client";
/** The editor without an open file: ways to one with their keys, and the files opened last. */
import { skipToken } from "@tanstack/react-query";
import { Command, FileSearch, type LucideIcon, Search, SquareTerminal } from "lucide-react";
import { actions } from "../../actions/actions";
import { useCurrentActionContext } from "../../actions/current-actions";
import { type ActionId, keymapOf } from "../../actions/keymap";
import { formatShortcut, isMacPlatform } from "../../actions/keys";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { useStore } from "../../state/store";
import { useCommandQuery } from "../../state/use-command-query";
import { useServerState } from "../../state/use-server-state";
import { Icon } from "../../ui/indicators/icon";
import { KeyHint } from "../../ui/indicators/key-hint";
import { fileIconOf } from "../../ui/indicators/file-icon";
import { PathText } from "../../ui/text/path-text";

const ways: readonly (readonly [ActionId, LucideIcon])[] = [
  ["quickOpen", FileSearch],
  ["codeSearch", Search],
  ["terminal", SquareTerminal],
  ["palette", Command],
];
const maxRecent = 8;

export function EmptyEditor() {
  const { actions: words, common, editor, shell } = useFullMessages();
  const { workbench } = useClient();
  const context = useCurrentActionContext();
  const settings = useServerState("settings");
  const keymap = keymapOf(settings);
  const recent = useRecentFiles();
  const hasIcons = settings?.editorFileIcons !== false;
  return (
    <div className="m-auto grid w-full max-w-[360px] gap-6 overflow-y-auto p-6">
      <ul aria-label={shell.editor}>
        {ways.map(([id, icon]) => {
          const keys = keymap.get(id);
          return (
            <li key={id}>
              <button
                type="button"
                onClick={() => context !== null && actions.find((one) => one.id === id)?.perform(context)}
                className={rowLook}
              >
                <Icon of={icon} className="text-ink-faint" />
                <span className="flex-1 cut">{words.names[id]}</span>
                {keys !== undefined && <KeyHint keys={formatShortcut(keys, isMacPlatform())} />}
              </button>
            </li>
          );
        })}
      </ul>
      {recent.length > 0 && (
        <section aria-label={editor.recentFiles}>
          <h2 className="px-2 pb-1 text-small text-ink-muted">{editor.recentFiles}</h2>
          <ul>
            {recent.map((path) => (
              <li key={path}>
                <button type="button" title={path} onClick={() => workbench.openFile(path, null)} className={rowLook}>
                  {hasIcons && <Icon of={fileIconOf(path)} className="text-ink-faint" />}
                  <span className="min-w-0 flex-1">
                    <PathText path={path} names={common.hidden} />
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

const rowLook =
  "flex h-8 w-full items-center gap-2.5 rounded-control px-2 text-left text-ink-muted hover:bg-hover hover:text-ink";

/** Leaves out files that are gone. */
function useRecentFiles(): readonly string[] {
  const { workbench } = useClient();
  const projectId = useStore(workbench, (state) => state.projectId);
  const paths = useStore(workbench, ({ layout }) => layout.recentFiles).slice(0, maxRecent);
  const { data } = useCommandQuery(
    "files.existing",
    projectId === null || paths.length === 0 ? skipToken : { projectId, paths },
    { retry: false, gcTime: 0 },
  );
  return paths.filter((path) => data?.existing.some((one) => one.path === path && !one.isFolder));
}
