/** State of the search of settings: the query, what it finds and the row that Enter opens. */
import { languages } from "@/lib/settings/settings";
import { type KeyboardEvent, type RefObject, useEffect, useId, useMemo, useRef, useState } from "react";
import { keymapOf } from "../../actions/keymap";
import { isMacPlatform, matchesKeys } from "../../actions/keys";
import { type LateMessages, loadLateMessages, useFullMessages } from "../../messages/full-messages";
import { useServerState } from "../../state/use-server-state";
import { isChanged, listSections, listSettings, type SettingDocument } from "../fields/setting-list";
import type { SettingsSection } from "../item-section/settings-section";
import { findSettings, type FoundSetting, parseSettingsQuery } from "./find-settings";
import { isForInputMethod } from "../../ui/browser/is-for-input-method";

export interface SettingsSearch {
  readonly query: string;
  readonly onQuery: (query: string) => void;
  /** null = nothing is searched. */
  readonly found: readonly FoundSetting[] | null;
  /** Index of the row that Enter opens. */
  readonly activeIndex: number;
  readonly onActiveIndex: (index: number) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly field: RefObject<HTMLInputElement | null>;
  readonly listId: string;
}

export function useSettingsSearch(sections: readonly SettingsSection[]): SettingsSearch {
  const messages = useFullMessages();
  const settings = useServerState("settings");
  const [query, setQuery] = useState("");
  const [activeIndex, setActiveIndex] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  const listId = useId();
  const others = useOtherLanguages(messages.figures.locale, query !== "");
  useFindKey(field);
  const { isModifiedOnly, typed } = parseSettingsQuery(query);
  const documents = useMemo(
    () => [...withOtherLabels(listSettings(messages), others), ...listSections(messages, sections)],
    [messages, others, sections],
  );
  const found = useMemo(() => {
    if (typed === "" && !isModifiedOnly) return null;
    const searched = isModifiedOnly
      ? documents.filter(({ name }) => name !== undefined && settings !== undefined && isChanged(settings, name))
      : documents;
    return findSettings(searched, typed);
  }, [documents, typed, isModifiedOnly, settings]);
  const onQuery = (text: string): void => {
    setQuery(text);
    setActiveIndex(0);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isForInputMethod(event.nativeEvent) || query === "") return;
    const count = Math.max(1, found?.length ?? 0);
    if (event.key === "Escape") onQuery("");
    else if (event.key === "ArrowDown") setActiveIndex((activeIndex + 1) % count);
    else if (event.key === "ArrowUp") setActiveIndex((activeIndex + count - 1) % count);
    else if (event.key === "Enter") document.getElementById(`${listId}${activeIndex}`)?.click();
    else return;
    event.preventDefault();
  };
  return { query, onQuery, found, activeIndex, onActiveIndex: setActiveIndex, onKeyDown, field, listId };
}

/** Adds the labels and words of the other languages, since many know a setting by its English name. */
const withOtherLabels = (
  documents: readonly SettingDocument[],
  others: readonly LateMessages[],
): readonly SettingDocument[] => {
  const lists = others.map((messages) => new Map(listSettings(messages).map((one) => [one.name, one])));
  return documents.map((one) => {
    const translated = lists.flatMap((list) => list.get(one.name) ?? []);
    return { ...one, words: [one.words, ...translated.map(({ label, words }) => `${label} ${words}`)].join(" ") };
  });
};

const none: readonly LateMessages[] = [];

/** Loads the catalogues of the languages that are not shown. */
function useOtherLanguages(shown: string, isNeeded: boolean): readonly LateMessages[] {
  const [others, setOthers] = useState(none);
  useEffect(() => {
    if (!isNeeded) return;
    let isCurrent = true;
    const loads = languages.flatMap((language) =>
      language === "system" || language === shown ? [] : [loadLateMessages(language)],
    );
    // Without a connection the search finds the words of the shown language.
    void Promise.allSettled(loads).then((results) => {
      if (isCurrent) setOthers(results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : [])));
    });
    return () => {
      isCurrent = false;
    };
  }, [shown, isNeeded]);
  return others;
}

/**
 * Focuses the field with the keys of Find, unless another field has them. In the field itself they reach the browser,
 * whose own search remains available that way.
 */
function useFindKey(field: RefObject<HTMLInputElement | null>): void {
  const keys = keymapOf(useServerState("settings")).get("find");
  useEffect(() => {
    if (keys === undefined) return;
    const onKeyDown = (event: globalThis.KeyboardEvent): void => {
      if (event.defaultPrevented || !matchesKeys(keys, event, isMacPlatform())) return;
      if (document.activeElement === field.current || document.querySelector("dialog[open]") !== null) return;
      event.preventDefault();
      field.current?.focus();
      field.current?.select();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [keys, field]);
}
