/** Registry of the sections of the settings page. */
import type { Project } from "@/lib/workspace/project";
import type { LateMessages } from "../messages/full-messages";
import type { LoadComponent } from "../ui/lazy-components";

/** Keys of a command of the editor, in the format of `components/actions/keys.ts`. */
export interface EditorKey {
  readonly keys: string;
  readonly command: keyof LateMessages["settings"]["shortcuts"]["editorCommands"];
}

/** Data by which sections are listed. */
export interface SettingsSectionContext {
  readonly projects: readonly Project[];
}

export interface SettingsSectionProps extends SettingsSectionContext {
  /** Loads the keys that the editor handles while it has the focus, on a Mac or elsewhere. */
  readonly loadEditorKeys: (isMac: boolean) => Promise<readonly EditorKey[]>;
}

export interface SettingsSection {
  /** Name of the section in the URL `/settings/<id>`. */
  readonly id: string;
  /** Key of its title in the catalogue, in `settings.tabs`. */
  readonly titleKey: keyof LateMessages["settings"]["tabs"];
  /** Loads its component; called when the settings page is opened. */
  readonly load: LoadComponent<SettingsSectionProps>;
  /** Whether the section is listed and drawn; absent = always. */
  readonly when?: (context: SettingsSectionContext) => boolean;
}

/** The sections in the order of the navigation. */
export const settingsSections = [
  { id: "model", titleKey: "model", load: async () => (await import("./models/models-tab")).ModelsTab },
  {
    id: "connections",
    titleKey: "connections",
    load: async () => (await import("./connections/connections-tab")).ConnectionsTab,
  },
  { id: "evals", titleKey: "evals", load: async () => (await import("./evals/evals-tab")).EvalsTab },
  { id: "agent", titleKey: "agent", load: async () => (await import("./agent-tab")).AgentTab },
  { id: "permissions", titleKey: "permissions", load: async () => (await import("./permissions-tab")).PermissionsTab },
  { id: "tools", titleKey: "tools", load: async () => (await import("./tools/tools-tab")).ToolsTab },
  { id: "skills", titleKey: "skills", load: async () => (await import("./skills/skills-tab")).SkillsTab },
  {
    id: "extensions",
    titleKey: "extensions",
    load: async () => (await import("./extensions/extensions-tab")).ExtensionsTab,
  },
  {
    id: "workflows",
    titleKey: "workflows",
    load: async () => (await import("./workflows/workflows-tab")).WorkflowsTab,
  },
  { id: "memory", titleKey: "memory", load: async () => (await import("./memory/memory-tab")).MemoryTab },
  { id: "web", titleKey: "web", load: async () => (await import("./web/web-tab")).WebTab },
  { id: "prompts", titleKey: "prompts", load: async () => (await import("./prompts/prompts-tab")).PromptsTab },
  { id: "devices", titleKey: "devices", load: async () => (await import("./devices/devices-tab")).DevicesTab },
  { id: "appearance", titleKey: "appearance", load: async () => (await import("./appearance-tab")).AppearanceTab },
  { id: "editor", titleKey: "editor", load: async () => (await import("./editor-tab")).EditorTab },
  { id: "terminal", titleKey: "terminal", load: async () => (await import("./terminal-tab")).TerminalTab },
  {
    id: "shortcuts",
    titleKey: "shortcuts",
    load: async () => (await import("./shortcuts/shortcuts-tab")).ShortcutsTab,
  },
  {
    id: "notifications",
    titleKey: "notifications",
    load: async () => (await import("./notifications-tab")).NotificationsTab,
  },
  { id: "yaml", titleKey: "yaml", load: async () => (await import("./config/yaml-tab")).YamlTab },
  { id: "status", titleKey: "status", load: async () => (await import("./status/status-tab")).StatusTab },
  { id: "about", titleKey: "about", load: async () => (await import("./about-tab")).AboutTab },
] as const satisfies readonly SettingsSection[];

export type SettingsSectionId = (typeof settingsSections)[number]["id"];
