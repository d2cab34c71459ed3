/** Tabs of the settings as named in the URL. */
export const settingsTabs = ["model", "connections", "agent", "permissions", "devices", "appearance", "about"] as const;
export type SettingsTab = (typeof settingsTabs)[number];
