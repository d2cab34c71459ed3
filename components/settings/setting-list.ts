/** List of all settings: the section that has the field of each one, and its label and note in the catalogue. */
import { formatConfigKey, isSettingName, settingPaths } from "@/lib/settings/config-keys";
import { type SettingName, type Settings, settingsDefaults } from "@/lib/settings/settings";
import type { LateMessages } from "../messages/full-messages";
import type { SettingsSection, SettingsSectionContext } from "./settings-section";
import { type SettingsSectionId, settingsSections } from "./settings-sections";

/** Whether a setting has another value than its default. */
export const isChanged = (settings: Settings, name: SettingName): boolean =>
  JSON.stringify(settings[name]) !== JSON.stringify(settingsDefaults[name]);

interface SettingText {
  readonly label: string;
  readonly note?: string;
  /** Labels of the values of a choice. */
  readonly choices?: Readonly<Record<string, string>>;
  /** Label of the field that adds a value to a list. */
  readonly add?: string;
  /** Shown in an empty field. */
  readonly example?: string;
  /** Why a text cannot be saved. */
  readonly bad?: (text: string) => string;
}

type TextsOf<Name extends SettingName> = (messages: LateMessages) => Readonly<Record<Name, SettingText>>;

/** Label and note of each setting, in the order of the sections and their fields. */
const sectionTexts = {
  model: ({ settings: { model: text, models }, connectionSettings, engine: { sources } }) => ({
    ollamaHost: { label: text.host, note: text.hostNote, bad: text.hostBad },
    engineProgram: {
      label: sources.program,
      note: sources.programNote,
      example: sources.programExample,
      bad: () => sources.programBad,
    },
    engineMirror: {
      label: sources.mirror,
      note: sources.mirrorNote,
      example: sources.mirrorExample,
      bad: sources.addressBad,
    },
    modelHub: { label: sources.hub, note: sources.hubNote, example: sources.hubExample, bad: sources.addressBad },
    model: { label: text.model, note: text.modelNote },
    contextMaxTokens: { label: text.window, note: text.windowNote },
    think: { label: text.think, note: text.thinkNote },
    thinkMaxTokens: { label: text.thinkMax, note: text.thinkMaxNote },
    toolCalling: { label: models.toolMode, note: text.toolCallingNote },
    temperature: {
      label: connectionSettings.temperature,
      note: text.temperatureNote,
      example: text.automatic,
      bad: () => connectionSettings.temperatureBad,
    },
    keepAliveMinutes: { label: text.keepAlive, note: text.keepAliveNote },
  }),
  connections: ({ connectionSettings: text, settings: { model } }) => ({
    connection: { label: model.server, note: text.newSessionsNote },
    connectionOrder: { label: text.order },
  }),
  agent: ({ config: { agent } }) => ({
    ...agent.fields,
    modelTitles: agent.modelTitles,
    sourceAssistedBy: agent.sourceAssistedBy,
    autoFill: agent.autoFill,
    keepReadFiles: agent.keepReadFiles,
  }),
  permissions: ({ settings: { permissions: text }, guard }) => ({
    mode: { label: text.mode, note: text.modeNote },
    blockedWords: { label: text.blocked, note: text.blockedNote, add: text.blockedAdd },
    protectedNames: { label: text.protected, note: text.protectedNote, add: text.protectedAdd },
    ignoredFolders: { label: text.ignored, note: text.ignoredNote, add: text.ignoredAdd },
    shellEnvironment: { label: text.environment, note: text.environmentNote, add: text.environmentAdd },
    sandbox: { label: guard.fenceOn, note: guard.fenceNote },
    sandboxNetwork: { label: guard.fenceNetwork },
    sandboxWritable: { label: guard.fenceWritable, note: guard.fenceWritableNote, add: guard.fenceWritableAdd },
  }),
  prompts: ({ prompts: text }) => ({ disabledTools: { label: text.fields.disabledTools, note: text.toolsNote } }),
  memory: ({ memory: text }) => ({ memory: text.on, diary: text.diary }),
  appearance: ({ settings: { appearance: text } }) => ({
    theme: { label: text.theme, choices: text.themes },
    textSize: { label: text.textSize, note: text.textSizeNote, choices: text.textSizes },
    density: { label: text.density, choices: text.densities },
    codeFont: {
      label: text.codeFont,
      note: text.codeFontNote,
      example: "Geist Mono",
      bad: () => text.codeFontBad,
    },
    language: { label: text.language },
  }),
  editor: ({ settings: { editor: text } }) => ({
    editorFontSize: text.fontSize,
    editorWrapLines: { label: text.wrapLines, note: text.wrapLinesNote },
    editorTabSize: text.tabSize,
    editorRulers: { label: text.rulers, note: text.rulersNote, add: text.addRuler, example: "80" },
    editorStickyScroll: { label: text.stickyScroll, note: text.stickyScrollNote },
    editorFileIcons: { label: text.fileIcons, note: text.fileIconsNote },
    editorKeymap: { label: text.keymap, note: text.keymapNote, choices: text.keymaps },
    editorWhitespace: { label: text.whitespace, choices: text.whitespaces },
    editorAutosave: { label: text.autosave, note: text.autosaveNote, choices: text.autosaves },
    editorFormatOnSave: { label: text.formatOnSave, note: text.formatOnSaveNote },
    editorTrimWhitespace: { label: text.trimWhitespace, note: text.trimWhitespaceNote },
    editorFinalNewline: { label: text.finalNewline, note: text.finalNewlineNote },
  }),
  terminal: ({ settings: { terminal: text } }) => ({
    terminalShell: {
      label: text.shell,
      note: text.shellNote,
      example: text.shellPlaceholder,
      bad: () => text.shellBad,
    },
    terminalShellArguments: {
      label: text.arguments,
      note: text.argumentsNote,
      add: text.addArgument,
      example: text.argumentPlaceholder,
    },
    terminalFontSize: text.fontSize,
    terminalScrollbackLines: text.scrollback,
    terminalCursor: { label: text.cursor, choices: text.cursors },
    terminalCursorBlink: { label: text.blink, note: text.blinkNote },
    terminalScreenReader: { label: text.screenReader, note: text.screenReaderNote },
  }),
  shortcuts: ({ shortcutSettings: text }) => ({
    sendKey: { label: text.sendKey, note: text.sendKeyNote, choices: text.sendKeys },
    keymap: { label: text.preset, note: text.presetNote, choices: text.presets },
    shortcuts: { label: text.own },
  }),
  notifications: ({ settings: { notifications: text } }) => ({
    noticeWaiting: { label: text.waiting },
    noticeDone: { label: text.done },
    noticeFailed: { label: text.failed },
    noticePaused: { label: text.paused },
    noticeMessage: { label: text.message },
    noticeSound: { label: text.sound, note: text.soundNote },
    quietHours: { label: text.quietHours, note: text.quietHoursNote },
  }),
} satisfies Partial<Record<SettingsSectionId, TextsOf<never>>>;

export const settingTexts = (messages: LateMessages): Readonly<Record<SettingName, SettingText>> => ({
  ...sectionTexts.model(messages),
  ...sectionTexts.connections(messages),
  ...sectionTexts.agent(messages),
  ...sectionTexts.permissions(messages),
  ...sectionTexts.prompts(messages),
  ...sectionTexts.memory(messages),
  ...sectionTexts.appearance(messages),
  ...sectionTexts.editor(messages),
  ...sectionTexts.terminal(messages),
  ...sectionTexts.shortcuts(messages),
  ...sectionTexts.notifications(messages),
});

/** Entry that the search of settings finds: a setting, or a section (without a name). */
export interface SettingDocument extends SettingText {
  readonly name?: SettingName;
  readonly section: SettingsSectionId;
  readonly sectionTitle: string;
  /** Key in `config.yaml`, which is its id in the section. */
  readonly key?: string;
  /** Further words that find it. */
  readonly words: string;
}

/** Returns all settings, in the order of the sections and their fields. */
export function listSettings(messages: LateMessages): readonly SettingDocument[] {
  const texts = new Map<string, TextsOf<never>>(Object.entries(sectionTexts));
  return settingsSections.flatMap(({ id }) =>
    Object.entries<SettingText>(texts.get(id)?.(messages) ?? {}).flatMap(([name, text]) => {
      if (!isSettingName(name)) return [];
      const sectionTitle = messages.settings.tabs[id];
      const keys = settingPaths(name).map((path) => path.join("."));
      const words = [sectionTitle, messages.settingWords[name], ...keys].join(" ");
      return [{ name, section: id, sectionTitle, key: formatConfigKey(name), words, ...text }];
    }),
  );
}

/** Returns the sections that are shown. */
export const listSections = ({ settings }: LateMessages, context: SettingsSectionContext): readonly SettingDocument[] =>
  settingsSections
    .filter(({ when }: SettingsSection) => when?.(context) ?? true)
    .map(({ id }) => {
      const title = settings.tabs[id];
      return { section: id, sectionTitle: title, label: title, words: settings.searchWords[id] };
    });

/** Path of a setting or section on the settings page. */
export const settingPath = ({ section, key }: Pick<SettingDocument, "section" | "key">): string =>
  `/settings/${section}${key === undefined ? "" : `#${key}`}`;
