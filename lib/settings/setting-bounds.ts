/** Values of settings that no page needs before the settings are open. */

/** Ranges of the integer settings; units as in settings-schema.ts. */
export const settingBounds = {
  contextMaxTokens: { least: 0, most: 262_144 },
  thinkMaxTokens: { least: 0, most: 262_144 },
  keepAliveMinutes: { least: -1, most: 1_440 },
  maxOutputTokens: { least: 256, most: 16_384 },
  maxSteps: { least: 1, most: 500 },
  maxRunMinutes: { least: 0, most: 1_440 },
  retries: { least: 0, most: 10 },
  stallSeconds: { least: 0, most: 3_600 },
  compactionPercent: { least: 30, most: 85 },
  keptMessages: { least: 1, most: 40 },
  pinnedPercent: { least: 5, most: 40 },
  bashTimeoutSeconds: { least: 1, most: 600 },
  bashOutputBytes: { least: 1_024, most: 65_536 },
  readLines: { least: 20, most: 5_000 },
  grepMatches: { least: 5, most: 1_000 },
  findEntries: { least: 10, most: 1_000 },
  treeDepth: { least: 1, most: 5 },
  treeFolderEntries: { least: 5, most: 500 },
  editorFontSize: { least: 10, most: 32 },
  editorTabSize: { least: 1, most: 8 },
  terminalFontSize: { least: 8, most: 32 },
  terminalScrollbackLines: { least: 0, most: 100_000 },
} as const;

/** Context window sizes offered for numCtx, tokens. */
export const windowSteps = [4096, 8192, 16384, 32768, 65536, 131072] as const;

/** Which white space the editor draws as signs. */
export const whitespaceDisplays = ["off", "selection", "all"] as const;
