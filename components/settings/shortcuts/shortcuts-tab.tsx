"use client";
/** Shortcuts tab: the key that sends, the preset, and every action with its keys, which can be changed, removed and reset. */
import { useEffect, useState } from "react";
import { formatConfigKey } from "@/lib/settings/config-keys";
import type { ActionGroup } from "../../actions/action";
import { actions } from "../../actions/actions";
import { type ActionId, keymapOf } from "../../actions/keymap";
import { formatShortcut, isMacPlatform } from "../../actions/keys";
import { useFullMessages } from "../../messages/full-messages";
import { useServerState } from "../../state/use-server-state";
import { TextField } from "../../ui/controls/text-field";
import { useAnchor } from "../fields/use-anchor";
import { Setting } from "../fields/setting";
import { SettingGroup } from "../fields/setting-row";
import type { EditorKey, SettingsSectionProps } from "../item-section/settings-section";
import { ShortcutRow } from "./shortcut-row";

const groups: readonly ActionGroup[] = ["sessions", "view", "files", "settings"];

const shortcutsKey = formatConfigKey("shortcuts");

export function ShortcutsTab({ loadEditorKeys }: SettingsSectionProps) {
  const messages = useFullMessages();
  const text = messages.shortcutSettings;
  const settings = useServerState("settings");
  const [filter, setFilter] = useState("");
  const [recording, setRecording] = useState<ActionId | null>(null);
  const [editorKeys, setEditorKeys] = useState<readonly EditorKey[]>([]);
  useEffect(() => {
    let isCurrent = true;
    // Without a connection only the conflicts with other actions are shown.
    loadEditorKeys(isMacPlatform()).then(
      (keys) => isCurrent && setEditorKeys(keys),
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [loadEditorKeys]);
  const ownShortcuts = useAnchor<HTMLDivElement>(shortcutsKey);
  if (settings === undefined) return null;
  const keymap = keymapOf(settings);
  const wanted = filter.trim().toLowerCase();
  const isFound = (id: ActionId): boolean => {
    const keys = keymap.get(id);
    const shown = keys === undefined ? "" : formatShortcut(keys, isMacPlatform());
    return [messages.actions.names[id], shown].some((part) => part.toLowerCase().includes(wanted));
  };
  const found = actions.filter(({ id }) => isFound(id));
  return (
    <>
      <SettingGroup title={text.title}>
        <Setting name="sendKey" />
        <Setting name="keymap" />
      </SettingGroup>
      <div ref={ownShortcuts} id={shortcutsKey} tabIndex={-1} className="mb-4">
        <TextField
          type="search"
          aria-label={text.filter}
          placeholder={text.filter}
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
        />
      </div>
      {found.length === 0 && <p className="text-ink-muted">{text.empty}</p>}
      {groups.map((group) => {
        const ids = found.filter((action) => action.group === group).map(({ id }) => id);
        if (ids.length === 0) return null;
        return (
          <SettingGroup key={group} title={messages.palette.groups[group]}>
            {ids.map((id) => (
              <ShortcutRow
                key={id}
                id={id}
                settings={settings}
                editorKeys={editorKeys}
                isRecording={recording === id}
                onRecord={(isOn) => setRecording(isOn ? id : null)}
              />
            ))}
          </SettingGroup>
        );
      })}
    </>
  );
}
