/** The Chinese messages of late-loaded screens. */
import { changes } from "./zh-CN/late/changes";
import { config } from "./zh-CN/late/config";
import { guard } from "./zh-CN/late/guard";
import { settings } from "./zh-CN/late/settings";
import { terminal } from "./zh-CN/late/terminal";

export const zhCNLate = { changes, config, guard, settings, terminal };
