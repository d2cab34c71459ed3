/** List of all settings and sections, with their texts in the catalogue: `agentSections` and `appSections`. */
import { formatConfigKey, isSettingName, settingPaths } from "@/lib/settings/config-keys";
import { type SettingName, type Settings, settingsDefaults } from "@/lib/settings/settings";
import type { LateMessages } from "../../messages/full-messages";
import type { SettingsSection, SettingsSectionId } from "../item-section/settings-section";

/** Whether a setting has another value than its default. */
export const isChanged = (settings: Settings, name: SettingName): boolean =>
  JSON.stringify(settings[name]) !== JSON.stringify(settingsDefaults[name]);

interface SettingText {
  readonly label: string;
  readonly note?: string;
  /** Further words that find it. */
  readonly words?: string;
  /** Labels of the values of a choice. */
  readonly choices?: Readonly<Record<string, string>>;
  /** Label of the field that adds a value to a list. */
  readonly add?: string;
  /** Shown in an empty field. */
  readonly example?: string;
  /** Why a text cannot be saved. */
  readonly bad?: (text: string) => string;
}

interface SectionText {
  readonly title: string;
  /** Further words that find it. */
  readonly words: string;
  /** Its settings, in the order of their fields. */
  readonly fields: { readonly [Name in SettingName]?: SettingText };
}

/** Returns the texts of each section and of its settings. */
export const sectionTexts = (messages: LateMessages): Readonly<Record<SettingsSectionId, SectionText>> => ({
  ...messages.agentSections,
  ...messages.appSections,
});

/** Returns the texts of a setting. */
export function settingText(messages: LateMessages, name: SettingName): SettingText {
  const texts = Object.values(sectionTexts(messages)).flatMap(({ fields }) => fields[name] ?? []);
  if (texts[0] === undefined) throw new Error(`The setting ${name} is in no section`);
  return texts[0];
}

/** Entry that the search of settings finds: a setting, or a section (without a name). */
export interface SettingDocument extends SettingText {
  readonly name?: SettingName;
  /** Its id. */
  readonly section: string;
  readonly sectionTitle: string;
  /** Key in `config.yaml`, which is its id in the section. */
  readonly key?: string;
  readonly words: string;
}

/** Returns all settings, in the order of the sections and their fields. */
export const listSettings = (messages: LateMessages): readonly SettingDocument[] =>
  Object.entries(sectionTexts(messages)).flatMap(([section, { title, fields }]) =>
    Object.entries<SettingText>(fields).flatMap(([name, text]) => {
      if (!isSettingName(name)) return [];
      const words = [title, text.words ?? "", ...settingPaths(name).map((path) => path.join("."))].join(" ");
      return [{ ...text, name, section, sectionTitle: title, key: formatConfigKey(name), words }];
    }),
  );

/** Returns sections as the search finds them. */
export const listSections = (
  messages: LateMessages,
  sections: readonly Pick<SettingsSection, "id">[],
): readonly SettingDocument[] =>
  sections.map(({ id }) => {
    const { title, words } = sectionTexts(messages)[id];
    return { section: id, sectionTitle: title, label: title, words };
  });

/** Path of a setting or section on the settings page. */
export const settingPath = ({ section, key }: Pick<SettingDocument, "section" | "key">): string =>
  `/settings/${section}${key === undefined ? "" : `#${key}`}`;
