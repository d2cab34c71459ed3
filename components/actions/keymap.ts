/** The shortcut of each action: its default, the one of a preset, or the user's own. Pure. */
import { type Settings, settingsDefaults } from "@/lib/settings/settings";
import type { Action } from "./action";
import { actions } from "./actions";
import { isMacPlatform } from "./keys";
import { findShortcutProblem, isShortcut } from "./shortcut-problem";

export type ActionId = Action["id"];
/** An action that is missing has no shortcut. */
export type Keymap = ReadonlyMap<ActionId, string>;
type KeymapSettings = Pick<Settings, "keymap" | "shortcuts">;

/** Entry of the setting for an action whose shortcut was removed. */
const noKeys = "none";

/** Shortcuts in which a preset differs from the default. Keys that a browser tab cannot have are left out. */
const presets: Readonly<Record<Settings["keymap"], Partial<Record<ActionId, string>>>> = {
  default: {},
  vscode: { palette: "f1", composer: "ctrl+alt+i", reviewPreset: "ctrl+shift+g" },
};

const keymaps = new WeakMap<KeymapSettings, Keymap>();

/** Returns the shortcuts in force. */
export function keymapOf(settings: KeymapSettings = settingsDefaults): Keymap {
  const cached = keymaps.get(settings);
  if (cached !== undefined) return cached;
  const keymap = new Map(presetKeymap(settings.keymap));
  const own = parseEntries(settings.shortcuts);
  for (const [id] of own) keymap.delete(id);
  for (const [id, keys] of own) {
    if (keys === noKeys) continue;
    // Another action of the preset loses the keys that the user has given to this one.
    const other = findConflict(keymap, id, keys, isMacPlatform());
    if (other !== undefined) keymap.delete(other);
    keymap.set(id, keys);
  }
  keymaps.set(settings, keymap);
  return keymap;
}

function presetKeymap(preset: Settings["keymap"]): Keymap {
  return new Map(
    actions.flatMap(({ id, keys }): readonly [ActionId, string][] => {
      const bound = presets[preset][id] ?? keys;
      return bound === undefined ? [] : [[id, bound]];
    }),
  );
}

/** Entries of unknown actions are skipped, since another version may have them, and keys that would prevent typing. */
const parseEntries = (entries: readonly string[]): readonly [ActionId, string][] =>
  entries.flatMap((entry): readonly [ActionId, string][] => {
    const [name, keys = noKeys] = entry.split(" ");
    const action = actions.find(({ id }) => id === name);
    return action === undefined || !isUsable(keys) ? [] : [[action.id, keys]];
  });

const isUsable = (keys: string): boolean =>
  keys === noKeys || (isShortcut(keys) && findShortcutProblem(keys, isMacPlatform()) === null);

/** Returns the keys that the preset gives to an action; undefined = none. */
export const presetKeys = ({ keymap }: Pick<KeymapSettings, "keymap">, id: ActionId): string | undefined =>
  presetKeymap(keymap).get(id);

/** Whether the user changed the action's shortcut. */
export const isRebound = ({ shortcuts }: KeymapSettings, id: ActionId): boolean =>
  shortcuts.some((entry) => entry.split(" ")[0] === id);

/** Returns the setting with the shortcut of one action; null = none, undefined = that of the preset. */
export function rebind(settings: KeymapSettings, id: ActionId, keys: string | null | undefined): readonly string[] {
  const others = settings.shortcuts.filter((entry) => entry.split(" ")[0] !== id);
  const isPreset = keys === undefined || keys === (presetKeys(settings, id) ?? null);
  return isPreset ? others : [...others, `${id} ${keys ?? noKeys}`];
}

/** Returns the other action with the same keys on this platform; undefined = none. */
export const findConflict = (keymap: Keymap, id: ActionId, keys: string, isMac: boolean): ActionId | undefined =>
  [...keymap].find(([other, bound]) => other !== id && isSameShortcut(bound, keys, isMac))?.[0];

/** Whether two shortcuts are the same keys on this platform. */
export const isSameShortcut = (one: string, other: string, isMac: boolean): boolean =>
  platformKeys(one, isMac) === platformKeys(other, isMac);

/** `mod+k` and `ctrl+k` are the same keys where mod is Ctrl. */
const platformKeys = (keys: string, isMac: boolean): string =>
  keys
    .split("+")
    .map((part) => (part !== "mod" ? part : isMac ? "meta" : "ctrl"))
    .sort()
    .join("+");
