/** All features of the product. An entry is light data; `load` imports the code when it is needed. */
import type { FamilyCommand } from "@/lib/protocol/command-family";
import { serverLimits } from "@/lib/settings/server-limits";
import { defineFeature } from "./feature";
import { isTourProject } from "@/server/tour/tour-project";
import { hasPushDevices } from "./notices/push/push-devices";

/** Delay after start before existing share links are served, ms. */
const shareResumeMs = 250;

/** Delay after start until the models of the engine are offered, ms. */
const engineStartMs = 20;

/** Delay after start until automations are looked at, ms. */
const automationsStartMs = 1_000;

/** Delay after start until channels are connected, ms. */
const channelsStartMs = 1_000;

/** Delay after start until notices are sent to the devices that receive Web Push, ms. */
const noticesStartMs = 1_000;

/** Delay after start until what an ended tour has left is deleted, ms. */
const tourStartMs = 5;

export const featureList = [
  defineFeature({
    name: "terminal",
    commands: ["terminal."],
    load: async () => (await import("./terminal/terminal-feature")).terminalFeature,
  }),
  defineFeature({
    name: "code-search",
    commands: ["search."],
    load: async () => (await import("./code-search/code-search-feature")).codeSearchFeature,
  }),
  defineFeature({
    name: "quick-open",
    commands: ["files.find"],
    load: async () => (await import("./quick-open/quick-open-feature")).quickOpenFeature,
  }),
  defineFeature({
    name: "format",
    commands: ["files.format"],
    load: async () => (await import("./format/format-feature")).formatFeature,
  }),
  defineFeature({
    name: "source-control",
    commands: ["source.", "worktree."],
    load: async () => (await import("./source-control/source-control-feature")).sourceControlFeature,
  }),
  defineFeature({
    name: "prompts",
    commands: ["prompts."],
    load: async () => (await import("./prompts/prompts-feature")).promptsFeature,
  }),
  defineFeature({
    name: "doctor",
    commands: ["models.doctor", "models.cancel_doctor"],
    load: async () => (await import("./doctor/doctor-feature")).doctorFeature,
  }),
  defineFeature({
    name: "evals",
    commands: ["evals."],
    load: async () => (await import("./evals/evals-feature")).evalsFeature,
  }),
  defineFeature({
    name: "engine",
    commands: ["engine."],
    startAfterMs: engineStartMs,
    load: async () => (await import("./engine/engine-feature")).engineFeature,
  }),
  defineFeature({
    name: "mcp",
    commands: ["mcp."],
    offersTools: true,
    load: async () => (await import("./mcp/mcp-feature")).mcpFeature,
  }),
  defineFeature({
    name: "openapi",
    commands: ["openapi."],
    offersTools: true,
    load: async () => (await import("./openapi/openapi-feature")).openApiFeature,
  }),
  defineFeature({
    name: "trials",
    commands: ["tools.", "trials."],
    load: async () => (await import("./trials/trials-feature")).trialsFeature,
  }),
  defineFeature({
    name: "memory",
    commands: ["memory."],
    offersTools: true,
    load: async () => (await import("./memory/memory-feature")).memoryFeature,
  }),
  defineFeature({
    name: "web",
    commands: ["web."],
    offersTools: true,
    load: async () => (await import("./web/web-feature")).webFeature,
  }),
  defineFeature({
    name: "subagents",
    commands: [],
    offersTools: true,
    load: async () => (await import("./subagents/subagents-feature")).subagentsFeature,
  }),
  defineFeature({
    name: "skills",
    commands: ["skills."],
    offersTools: true,
    load: async () => (await import("./skills/skills-feature")).skillsFeature,
  }),
  defineFeature({
    name: "extensions",
    commands: ["extensions."],
    offersTools: true,
    hasGates: true,
    load: async () => (await import("./extensions/extensions-feature")).extensionsFeature,
  }),
  defineFeature({
    name: "workflows",
    commands: ["workflows."],
    load: async () => (await import("./workflows/workflows-feature")).workflowsFeature,
  }),
  defineFeature({
    name: "automations",
    commands: ["automations."],
    startAfterMs: automationsStartMs,
    hasWork: (store) => store.hasWork("automations"),
    load: async () => (await import("./automations/automations-feature")).automationsFeature,
  }),
  defineFeature({
    name: "channels",
    commands: ["channels."],
    startAfterMs: channelsStartMs,
    offersTools: true,
    hasWork: (store) => store.hasWork("channels"),
    load: async () => (await import("./channels/channels-feature")).channelsFeature,
  }),
  defineFeature({
    name: "notices",
    commands: ["notices."],
    deliversNotices: true,
    startAfterMs: noticesStartMs,
    hasWork: hasPushDevices,
    load: async () => (await import("./notices/notices-feature")).noticesFeature,
  }),
  defineFeature({
    name: "tour",
    commands: ["tour."],
    startAfterMs: tourStartMs,
    hasWork: (store) => store.projects.list().some(isTourProject),
    load: async () => (await import("./tour/tour-feature")).tourFeature,
  }),
  defineFeature({
    name: "history",
    commands: ["history.search", "history.statistics"],
    startAfterMs: serverLimits.indexStartMs,
    load: async () => (await import("./history/history-feature")).historyFeature,
  }),
  defineFeature({
    name: "share",
    commands: ["share."],
    startAfterMs: shareResumeMs,
    load: async () => (await import("./share/share-feature")).shareFeature,
  }),
];

/** Commands that a feature implements. */
export type FeatureCommand = FamilyCommand<(typeof featureList)[number]["commands"][number]>;
