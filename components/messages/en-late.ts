/** The English messages of late-loaded screens. */
import { changes } from "./en/late/changes";
import { config } from "./en/late/config";
import { guard } from "./en/late/guard";
import { settings } from "./en/late/settings";
import { terminal } from "./en/late/terminal";

export const enLate = { changes, config, guard, settings, terminal };
