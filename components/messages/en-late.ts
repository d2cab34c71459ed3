/** The English messages of late-loaded screens. */
import { apis } from "./en/late/apis";
import { automations } from "./en/late/automations";
import { changes } from "./en/late/changes";
import { channels } from "./en/late/channels";
import { codeSearch } from "./en/late/code-search";
import { connectionSettings } from "./en/late/connection-settings";
import { doctor } from "./en/late/doctor";
import { engine } from "./en/late/engine";
import { evals } from "./en/late/evals";
import { editor } from "./en/late/editor";
import { config } from "./en/late/config";
import { contextPanel } from "./en/late/context-panel";
import { extensions } from "./en/late/extensions";
import { externalTools } from "./en/late/external-tools";
import { firstRun } from "./en/late/first-run";
import { guard } from "./en/late/guard";
import { mcp } from "./en/late/mcp";
import { memory } from "./en/late/memory";
import { modelUse } from "./en/late/model-use";
import { notices } from "./en/late/notices";
import { overview } from "./en/late/overview";
import { palette } from "./en/late/palette";
import { pins } from "./en/late/pins";
import { projectList } from "./en/late/project-list";
import { promptDialog } from "./en/late/prompt-dialog";
import { prompts } from "./en/late/prompts";
import { promptOffers } from "./en/late/prompt-offers";
import { questions } from "./en/late/questions";
import { references } from "./en/late/references";
import { routers } from "./en/late/routers";
import { sessionHistory } from "./en/late/session-history";
import { sessionTree } from "./en/late/session-tree";
import { settingWords } from "./en/late/setting-words";
import { settings } from "./en/late/settings";
import { signIn } from "./en/late/sign-in";
import { skills } from "./en/late/skills";
import { statistics } from "./en/late/statistics";
import { status } from "./en/late/status";
import { terminal } from "./en/late/terminal";
import { trials } from "./en/late/trials";
import { upload } from "./en/late/upload";
import { web } from "./en/late/web";
import { workflows } from "./en/late/workflows";

export const enLate = {
  apis,
  automations,
  changes,
  channels,
  codeSearch,
  config,
  connectionSettings,
  contextPanel,
  doctor,
  editor,
  engine,
  evals,
  extensions,
  externalTools,
  firstRun,
  guard,
  mcp,
  memory,
  modelUse,
  notices,
  overview,
  palette,
  pins,
  projectList,
  promptDialog,
  prompts,
  promptOffers,
  questions,
  references,
  routers,
  sessionHistory,
  sessionTree,
  settingWords,
  settings,
  signIn,
  skills,
  statistics,
  status,
  terminal,
  trials,
  upload,
  web,
  workflows,
};
