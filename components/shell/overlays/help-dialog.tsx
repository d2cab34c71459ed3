"use client";
/** Dialog that lists all keyboard shortcuts in the notation of this platform. */
import type { ActionGroup } from "../../actions/action";
import { actions } from "../../actions/actions";
import { keymapOf } from "../../actions/keymap";
import { isMacPlatform, formatShortcut } from "../../actions/keys";
import { useServerState } from "../../state/use-server-state";
import { Dialog } from "../../ui/overlays/dialog";
import { KeyHint } from "../../ui/indicators/key-hint";
import { useFullMessages } from "../../messages/full-messages";
import { withBasePath } from "../../state/base-path";

const groups: readonly ActionGroup[] = ["sessions", "view", "files", "settings"];
const contextKeys = [
  ["send", "enter"],
  ["newline", "shift+enter"],
  ["followUp", "alt+enter"],
  ["pullQueued", "alt+up"],
  ["tree", "Esc Esc"],
  ["mode", "shift+tab"],
  ["answer", "1 … 4"],
] as const;
const fileContextKeys = [
  ["rename", "F2"],
  ["findInFile", "mod+f"],
  ["togglePreview", "mod+shift+v"],
  ["findInTerminal", "mod+shift+f"],
] as const;
const contextKeysByGroup = {
  sessions: contextKeys,
  view: [],
  files: fileContextKeys,
  settings: [],
} as const satisfies Record<ActionGroup, unknown>;

export function HelpDialog({ close: onClose }: { readonly close: () => void }) {
  const messages = useFullMessages();
  const isMac = isMacPlatform();
  const keymap = keymapOf(useServerState("settings"));
  return (
    <Dialog wide title={messages.actions.names.help} closeName={messages.common.close} onClose={onClose}>
      <div className="columns-2 gap-8 max-tablet:columns-1">
        {groups.map((group) => {
          const bound = actions.filter((action) => action.group === group && keymap.has(action.id));
          return (
            <section key={group} className="mb-4 break-inside-avoid">
              <h3 className="mb-1 text-small font-medium text-ink-muted">{messages.palette.groups[group]}</h3>
              <dl>
                {bound.map((action) => (
                  <ShortcutRow
                    key={action.id}
                    name={messages.actions.names[action.id]}
                    keys={formatShortcut(keymap.get(action.id) ?? "", isMac)}
                  />
                ))}
                {contextKeysByGroup[group].map(([id, keys]) => (
                  <ShortcutRow key={id} name={messages.palette.places[id]} keys={formatShortcut(keys, isMac)} />
                ))}
              </dl>
            </section>
          );
        })}
      </div>
      <a href={withBasePath("/settings/shortcuts")} onClick={onClose} className="text-accent hover:underline">
        {messages.palette.changeShortcuts}
      </a>
    </Dialog>
  );
}

function ShortcutRow({ name, keys }: { readonly name: string; readonly keys: string }) {
  return (
    <div className="flex items-center justify-between gap-3 py-1">
      <dt>{name}</dt>
      <dd className="shrink-0">
        <KeyHint keys={keys} />
      </dd>
    </div>
  );
}
