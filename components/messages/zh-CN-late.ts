/** The Chinese messages of late-loaded screens. */
import { apis } from "./zh-CN/late/apis";
import { automations } from "./zh-CN/late/automations";
import { changes } from "./zh-CN/late/changes";
import { channels } from "./zh-CN/late/channels";
import { codeSearch } from "./zh-CN/late/code-search";
import { connectionSettings } from "./zh-CN/late/connection-settings";
import { doctor } from "./zh-CN/late/doctor";
import { engine } from "./zh-CN/late/engine";
import { evals } from "./zh-CN/late/evals";
import { editor } from "./zh-CN/late/editor";
import { config } from "./zh-CN/late/config";
import { contextPanel } from "./zh-CN/late/context-panel";
import { extensions } from "./zh-CN/late/extensions";
import { externalTools } from "./zh-CN/late/external-tools";
import { firstRun } from "./zh-CN/late/first-run";
import { guard } from "./zh-CN/late/guard";
import { mcp } from "./zh-CN/late/mcp";
import { memory } from "./zh-CN/late/memory";
import { modelUse } from "./zh-CN/late/model-use";
import { notices } from "./zh-CN/late/notices";
import { overview } from "./zh-CN/late/overview";
import { palette } from "./zh-CN/late/palette";
import { pins } from "./zh-CN/late/pins";
import { projectList } from "./zh-CN/late/project-list";
import { promptDialog } from "./zh-CN/late/prompt-dialog";
import { prompts } from "./zh-CN/late/prompts";
import { promptOffers } from "./zh-CN/late/prompt-offers";
import { questions } from "./zh-CN/late/questions";
import { references } from "./zh-CN/late/references";
import { routers } from "./zh-CN/late/routers";
import { sessionHistory } from "./zh-CN/late/session-history";
import { sessionTree } from "./zh-CN/late/session-tree";
import { settingWords } from "./zh-CN/late/setting-words";
import { settings } from "./zh-CN/late/settings";
import { signIn } from "./zh-CN/late/sign-in";
import { skills } from "./zh-CN/late/skills";
import { statistics } from "./zh-CN/late/statistics";
import { status } from "./zh-CN/late/status";
import { terminal } from "./zh-CN/late/terminal";
import { trials } from "./zh-CN/late/trials";
import { upload } from "./zh-CN/late/upload";
import { web } from "./zh-CN/late/web";
import { workflows } from "./zh-CN/late/workflows";

export const zhCNLate = {
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
