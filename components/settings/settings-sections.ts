/** Registry of the sections of the settings page. */
import type { SettingsSection } from "./settings-section";

/** The sections in the order of the navigation. */
export const settingsSections = [
  { id: "model", load: async () => (await import("./models/models-tab")).ModelsTab },
  {
    id: "connections",
    load: async () => (await import("./connections/connections-tab")).ConnectionsTab,
  },
  { id: "evals", load: async () => (await import("./evals/evals-tab")).EvalsTab },
  { id: "agent", load: async () => (await import("./agent-tab")).AgentTab },
  { id: "permissions", load: async () => (await import("./permissions-tab")).PermissionsTab },
  { id: "tools", load: async () => (await import("./tools/tools-tab")).ToolsTab },
  { id: "skills", load: async () => (await import("./skills/skills-tab")).SkillsTab },
  {
    id: "extensions",
    load: async () => (await import("./extensions/extensions-tab")).ExtensionsTab,
  },
  {
    id: "workflows",
    load: async () => (await import("./workflows/workflows-tab")).WorkflowsTab,
  },
  {
    id: "automations",
    load: async () => (await import("./automations/automations-tab")).AutomationsTab,
  },
  {
    id: "channels",
    load: async () => (await import("./channels/channels-tab")).ChannelsTab,
  },
  { id: "memory", load: async () => (await import("./memory/memory-tab")).MemoryTab },
  { id: "web", load: async () => (await import("./web/web-tab")).WebTab },
  { id: "prompts", load: async () => (await import("./prompts/prompts-tab")).PromptsTab },
  { id: "editor", load: async () => (await import("./editor-tab")).EditorTab },
  { id: "terminal", load: async () => (await import("./terminal-tab")).TerminalTab },
  { id: "appearance", load: async () => (await import("./appearance-tab")).AppearanceTab },
  {
    id: "shortcuts",
    load: async () => (await import("./shortcuts/shortcuts-tab")).ShortcutsTab,
  },
  {
    id: "notifications",
    load: async () => (await import("./notifications-tab")).NotificationsTab,
  },
  { id: "devices", load: async () => (await import("./devices/devices-tab")).DevicesTab },
  { id: "yaml", load: async () => (await import("./config/yaml-tab")).YamlTab },
  { id: "status", load: async () => (await import("./status/status-tab")).StatusTab },
  { id: "about", load: async () => (await import("./about-tab")).AboutTab },
] as const satisfies readonly SettingsSection[];

export type SettingsSectionId = (typeof settingsSections)[number]["id"];
