/** The tabs of the settings, as they stand in the address. */
export const settingsTabs = ["model", "connections", "agent", "permissions", "devices", "appearance", "about"] as const;
export type SettingsTab = (typeof settingsTabs)[number];
