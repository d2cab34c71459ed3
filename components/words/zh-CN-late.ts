/** The Chinese words of rooms that are opened later. Loaded by full-words.tsx alone. */
import { changes } from "./zh-CN/changes";
import { guard } from "./zh-CN/guard";
import { settings } from "./zh-CN/settings";

export const late = { changes, guard, settings };
