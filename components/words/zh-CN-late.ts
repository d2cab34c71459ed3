/** The Chinese messages of late-loaded screens. */
import { changes } from "./zh-CN/changes";
import { config } from "./zh-CN/config";
import { guard } from "./zh-CN/guard";
import { settings } from "./zh-CN/settings";

export const late = { changes, config, guard, settings };
