/** The English messages of late-loaded screens. */
import { changes } from "./en/late/changes";
import { codeSearch } from "./en/late/code-search";
import { connectionSettings } from "./en/late/connection-settings";
import { doctor } from "./en/late/doctor";
import { engine } from "./en/late/engine";
import { evals } from "./en/late/evals";
import { editor } from "./en/late/editor";
import { config } from "./en/late/config";
import { externalTools } from "./en/late/external-tools";
import { guard } from "./en/late/guard";
import { mcp } from "./en/late/mcp";
import { palette } from "./en/late/palette";
import { pins } from "./en/late/pins";
import { references } from "./en/late/references";
import { sessionTree } from "./en/late/session-tree";
import { settingWords } from "./en/late/setting-words";
import { settings } from "./en/late/settings";
import { statistics } from "./en/late/statistics";
import { terminal } from "./en/late/terminal";
import { upload } from "./en/late/upload";

export const enLate = {
  changes,
  codeSearch,
  config,
  connectionSettings,
  doctor,
  editor,
  engine,
  evals,
  externalTools,
  guard,
  mcp,
  palette,
  pins,
  references,
  sessionTree,
  settingWords,
  settings,
  statistics,
  terminal,
  upload,
};
