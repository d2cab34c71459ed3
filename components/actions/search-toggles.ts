/** Shortcuts of the options in a search field; they work while the search has the focus. */
import { formatShortcut, isMacPlatform, type KeyPress, matchesKeys } from "./keys";

const toggleKeys = { caseSensitive: "alt+c", wholeWord: "alt+w", regex: "alt+r" } as const;

export type SearchOption = keyof typeof toggleKeys;

const searchOptions = ["caseSensitive", "wholeWord", "regex"] as const satisfies readonly SearchOption[];

/** Returns the option that a key press toggles; undefined = none. */
export const findSearchOption = (press: KeyPress): SearchOption | undefined =>
  searchOptions.find((option) => matchesKeys(toggleKeys[option], press, isMacPlatform()));

/** Returns the shortcuts in the notation of this platform. */
export const searchOptionShortcuts = (): Readonly<Record<SearchOption, string>> => {
  const shown = (option: SearchOption): string => formatShortcut(toggleKeys[option], isMacPlatform());
  return { caseSensitive: shown("caseSensitive"), wholeWord: shown("wholeWord"), regex: shown("regex") };
};
