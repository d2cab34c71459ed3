"use client";
import { useServerState } from "../state/use-server-state";
import { type ActionId, keymapOf } from "./keymap";
import { formatShortcut, isMacPlatform } from "./keys";

/** Returns an action's shortcut in the notation of this platform, for a tooltip or a menu; undefined = none. */
export function useShortcut(id: ActionId): string | undefined {
  const keys = keymapOf(useServerState("settings")).get(id);
  return keys === undefined ? undefined : formatShortcut(keys, isMacPlatform());
}
