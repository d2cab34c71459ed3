"use client";
/** The messages of the first screen plus those of late-loaded screens: settings, security, changes. */
import { useMemo } from "react";
import type { apis } from "./en/late/apis";
import type { automations } from "./en/late/automations";
import type { changes } from "./en/late/changes";
import type { channels } from "./en/late/channels";
import type { codeSearch } from "./en/late/code-search";
import type { config } from "./en/late/config";
import type { connectionSettings } from "./en/late/connection-settings";
import type { contextPanel } from "./en/late/context-panel";
import type { doctor } from "./en/late/doctor";
import type { editor } from "./en/late/editor";
import type { engine } from "./en/late/engine";
import type { evals } from "./en/late/evals";
import type { extensions } from "./en/late/extensions";
import type { externalTools } from "./en/late/external-tools";
import type { firstRun } from "./en/late/first-run";
import type { guard } from "./en/late/guard";
import type { mcp } from "./en/late/mcp";
import type { memory } from "./en/late/memory";
import type { modelUse } from "./en/late/model-use";
import type { notices } from "./en/late/notices";
import type { overview } from "./en/late/overview";
import type { palette } from "./en/late/palette";
import type { pins } from "./en/late/pins";
import type { projectList } from "./en/late/project-list";
import type { promptDialog } from "./en/late/prompt-dialog";
import type { prompts } from "./en/late/prompts";
import type { promptOffers } from "./en/late/prompt-offers";
import type { questions } from "./en/late/questions";
import type { references } from "./en/late/references";
import type { routers } from "./en/late/routers";
import type { sessionHistory } from "./en/late/session-history";
import type { sessionTree } from "./en/late/session-tree";
import type { settingWords } from "./en/late/setting-words";
import type { settings } from "./en/late/settings";
import type { signIn } from "./en/late/sign-in";
import type { skills } from "./en/late/skills";
import type { statistics } from "./en/late/statistics";
import type { status } from "./en/late/status";
import type { terminal } from "./en/late/terminal";
import type { trials } from "./en/late/trials";
import type { upload } from "./en/late/upload";
import { createLateCatalogue } from "./late-catalogue";
import type { web } from "./en/late/web";
import type { workflows } from "./en/late/workflows";
import { useMessages, type Messages } from "./messages";

export interface LateMessages {
  readonly apis: typeof apis;
  readonly automations: typeof automations;
  readonly changes: typeof changes;
  readonly channels: typeof channels;
  readonly codeSearch: typeof codeSearch;
  readonly config: typeof config;
  readonly connectionSettings: typeof connectionSettings;
  readonly contextPanel: typeof contextPanel;
  readonly doctor: typeof doctor;
  readonly editor: typeof editor;
  readonly engine: typeof engine;
  readonly evals: typeof evals;
  readonly extensions: typeof extensions;
  readonly externalTools: typeof externalTools;
  readonly firstRun: typeof firstRun;
  readonly guard: typeof guard;
  readonly mcp: typeof mcp;
  readonly memory: typeof memory;
  readonly modelUse: typeof modelUse;
  readonly notices: typeof notices;
  readonly overview: typeof overview;
  readonly palette: typeof palette;
  readonly pins: typeof pins;
  readonly projectList: typeof projectList;
  readonly promptDialog: typeof promptDialog;
  readonly prompts: typeof prompts;
  readonly promptOffers: typeof promptOffers;
  readonly questions: typeof questions;
  readonly references: typeof references;
  readonly routers: typeof routers;
  readonly sessionHistory: typeof sessionHistory;
  readonly sessionTree: typeof sessionTree;
  readonly settingWords: typeof settingWords;
  readonly settings: typeof settings;
  readonly signIn: typeof signIn;
  readonly skills: typeof skills;
  readonly statistics: typeof statistics;
  readonly status: typeof status;
  readonly terminal: typeof terminal;
  readonly trials: typeof trials;
  readonly upload: typeof upload;
  readonly web: typeof web;
  readonly workflows: typeof workflows;
}

export type FullMessages = Messages & LateMessages;

const catalogue = createLateCatalogue<LateMessages>({
  en: async () => (await import("./en-late")).enLate,
  "zh-CN": async () => (await import("./zh-CN-late")).zhCNLate,
});

export const loadLateMessages = catalogue.load;
export const StaticLateMessages = catalogue.Static;

/** Suspends until the messages are loaded. */
export function useFullMessages(): FullMessages {
  const messages = useMessages();
  const late = catalogue.useCatalogue();
  return useMemo(() => ({ ...messages, ...late }), [messages, late]);
}
