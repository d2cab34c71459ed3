/** The English messages of late-loaded screens. */
import { changes } from "./en/changes";
import { config } from "./en/config";
import { guard } from "./en/guard";
import { settings } from "./en/settings";

export const late = { changes, config, guard, settings };
