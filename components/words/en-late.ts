/** The English words of rooms that are opened later. Loaded by full-words.tsx alone. */
import { changes } from "./en/changes";
import { config } from "./en/config";
import { guard } from "./en/guard";
import { settings } from "./en/settings";

export const late = { changes, config, guard, settings };
