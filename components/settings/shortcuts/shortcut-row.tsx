"use client";
/** An action with its shortcut. While it records, the next key press becomes the shortcut. */
import { Pencil, RotateCcw, X } from "lucide-react";
import { type KeyboardEvent, useRef, useState } from "react";
import type { Settings } from "@/lib/settings/settings";
import {
  type ActionId,
  findConflict,
  isRebound,
  isSameShortcut,
  keymapOf,
  presetKeys,
  rebind,
} from "../../actions/keymap";
import { formatShortcut, isMacPlatform } from "../../actions/keys";
import { recordShortcut } from "../../actions/record-shortcut";
import { findShortcutProblem, type ShortcutProblem } from "../../actions/shortcut-problem";
import { type FullMessages, useFullMessages } from "../../messages/full-messages";
import type { EditorKey } from "../item-section/settings-section";
import { useClient } from "../../state/client";
import { performCommand } from "../../state/command-answers";
import { Button } from "../../ui/controls/button";
import { IconButton } from "../../ui/controls/icon-button";

interface ShortcutRowProps {
  readonly id: ActionId;
  readonly settings: Settings;
  /** Keys that the editor handles while it has the focus. */
  readonly editorKeys: readonly EditorKey[];
  readonly isRecording: boolean;
  readonly onRecord: (isOn: boolean) => void;
}

/** Pressed keys that were not accepted: because of a problem, or another action or the editor has them. */
type RejectedKeys = { readonly keys: string } & (
  | { readonly problem: ShortcutProblem }
  | { readonly usedBy: ActionId }
  | { readonly editorCommand: EditorKey["command"] }
);

export function ShortcutRow({ id, settings, editorKeys, isRecording, onRecord }: ShortcutRowProps) {
  const messages = useFullMessages();
  const client = useClient();
  const text = messages.shortcutSettings;
  const [rejected, setRejected] = useState<RejectedKeys | null>(null);
  const isMac = isMacPlatform();
  const keymap = keymapOf(settings);
  const name = messages.actions.names[id];
  const keys = keymap.get(id);
  const shown = keys === undefined ? null : formatShortcut(keys, isMac);
  const change = useRef<HTMLButtonElement>(null);
  const latest = (): Settings => client.serverState.get().settings ?? settings;
  const save = (shortcuts: readonly string[]): void => {
    setRejected(null);
    onRecord(false);
    change.current?.focus();
    void performCommand(client, "settings.write", { patch: { shortcuts: [...shortcuts] } }).then((answer) => {
      if (!answer.ok) client.toasts.show({ text: text.saveFailed, look: "danger" });
    });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // Tab leaves the recording, so that the keyboard reaches the buttons below.
    const isLeaving = event.key === "Tab" && !event.ctrlKey && !event.altKey && !event.metaKey;
    if (!isRecording || isLeaving) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Escape") return onRecord(false);
    const pressed = recordShortcut({ ...keyPressOf(event), isComposing: event.nativeEvent.isComposing }, isMac);
    if (pressed === null) return;
    const problem = findShortcutProblem(pressed, isMac);
    const usedBy = findConflict(keymap, id, pressed, isMac);
    // The keys of the preset are meant for both: the editor has them while it has the focus.
    const isPreset = isSameShortcut(presetKeys(latest(), id) ?? "", pressed, isMac);
    const inEditor = isPreset ? undefined : editorKeys.find((one) => isSameShortcut(one.keys, pressed, isMac));
    if (problem !== null) setRejected({ keys: pressed, problem });
    else if (usedBy !== undefined) setRejected({ keys: pressed, usedBy });
    else if (inEditor !== undefined) setRejected({ keys: pressed, editorCommand: inEditor.command });
    else save(rebind(latest(), id, pressed));
  };
  const reset = (): void => {
    const preset = presetKeys(latest(), id);
    const usedBy = preset === undefined ? undefined : findConflict(keymap, id, preset, isMac);
    if (preset !== undefined && usedBy !== undefined) setRejected({ keys: preset, usedBy });
    else save(rebind(latest(), id, undefined));
  };
  const start = (): void => {
    // Safari does not focus a button that is clicked.
    change.current?.focus();
    setRejected(null);
    onRecord(true);
  };
  return (
    <div className="py-2">
      <div className="flex min-h-8 items-center gap-1 max-tablet:min-h-11">
        <span className="min-w-0 flex-1">{name}</span>
        <Button
          size="small"
          look={isRecording ? "plain" : "quiet"}
          ref={change}
          aria-label={text.change(name, shown ?? text.none)}
          aria-pressed={isRecording}
          onClick={start}
          onKeyDown={onKeyDown}
          onBlur={() => onRecord(false)}
        >
          {isRecording ? text.recording : <ShownKeys text={shown} />}
        </Button>
        <IconButton
          icon={RotateCcw}
          name={text.reset(name)}
          size="small"
          className={isRebound(settings, id) ? "" : "invisible"}
          onClick={reset}
        />
        <IconButton
          icon={X}
          name={text.remove(name)}
          size="small"
          className={keys === undefined ? "invisible" : ""}
          onClick={() => save(rebind(latest(), id, null))}
        />
      </div>
      <div role="status">
        {isRecording && rejected === null && <span className="sr-only">{text.recording}</span>}
        {rejected !== null && (
          <p className="flex flex-wrap items-center gap-2 py-1 text-small text-danger">
            {rejectionText(rejected, messages, isMac)}
            {"usedBy" in rejected && (
              <Button size="small" onClick={() => save(moveKeys(latest(), rejected.usedBy, id, rejected.keys))}>
                {text.useHere}
              </Button>
            )}
            {"editorCommand" in rejected && (
              <Button size="small" onClick={() => save(rebind(latest(), id, rejected.keys))}>
                {text.useAnyway}
              </Button>
            )}
            <Button size="small" look="quiet" onClick={() => setRejected(null)}>
              {text.cancel}
            </Button>
          </p>
        )}
      </div>
    </div>
  );
}

function rejectionText(
  rejected: RejectedKeys,
  { shortcutSettings: text, actions }: FullMessages,
  isMac: boolean,
): string {
  const keys = formatShortcut(rejected.keys, isMac);
  if ("problem" in rejected) return text.problems[rejected.problem](keys);
  if ("usedBy" in rejected) return text.usedBy(keys, actions.names[rejected.usedBy]);
  return text.usedInEditor(keys, text.editorCommands[rejected.editorCommand]);
}

function ShownKeys({ text }: { readonly text: string | null }) {
  const { none } = useFullMessages().shortcutSettings;
  return (
    <>
      {text === null ? (
        <span className="font-normal">{none}</span>
      ) : (
        <kbd className="rounded-mark bg-current/12 px-[5px] font-sans text-small">{text}</kbd>
      )}
      <Pencil size={12} aria-hidden />
    </>
  );
}

const keyPressOf = ({ key, code, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent) => ({
  key,
  code,
  ctrlKey,
  metaKey,
  altKey,
  shiftKey,
});

/** Returns the setting in which the keys of `from` belong to `to`. */
const moveKeys = (settings: Settings, from: ActionId, to: ActionId, keys: string): readonly string[] =>
  rebind({ ...settings, shortcuts: [...rebind(settings, from, null)] }, to, keys);
