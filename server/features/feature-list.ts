/** All features of the product. An entry is light data; `load` imports the code when it is needed. */
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
    commands: [
      "terminal.list",
      "terminal.open",
      "terminal.write",
      "terminal.resize",
      "terminal.reset",
      "terminal.rename",
      "terminal.restart",
      "terminal.close",
    ],
    load: async () => (await import("./terminal/terminal-feature")).terminalFeature,
  }),
  defineFeature({
    name: "code-search",
    commands: ["search.start", "search.cancel", "search.replace", "search.undo"],
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
    commands: [
      "source.status",
      "source.diff",
      "source.stage",
      "source.unstage",
      "source.change_lines",
      "source.discard",
      "source.discard_lines",
      "source.commit_facts",
      "source.commit",
      "source.stop",
      "source.branches",
      "source.switch",
      "source.create_branch",
      "source.rename_branch",
      "source.delete_branch",
      "source.merge",
      "source.stashes",
      "source.stash",
      "source.stash_apply",
      "source.stash_pop",
      "source.stash_drop",
      "source.stash_store",
      "source.step",
      "source.take_side",
      "worktree.list",
      "worktree.create",
      "worktree.remove",
    ],
    load: async () => (await import("./source-control/source-control-feature")).sourceControlFeature,
  }),
  defineFeature({
    name: "prompts",
    commands: ["prompts.read", "prompts.write"],
    load: async () => (await import("./prompts/prompts-feature")).promptsFeature,
  }),
  defineFeature({
    name: "doctor",
    commands: ["models.doctor", "models.cancel_doctor"],
    load: async () => (await import("./doctor/doctor-feature")).doctorFeature,
  }),
  defineFeature({
    name: "evals",
    commands: ["evals.list", "evals.start", "evals.stop", "evals.transcript"],
    load: async () => (await import("./evals/evals-feature")).evalsFeature,
  }),
  defineFeature({
    name: "engine",
    commands: [
      "engine.state",
      "engine.find",
      "engine.add",
      "engine.remove",
      "engine.download",
      "engine.preview",
      "engine.pauseDownload",
      "engine.cancelDownload",
      "engine.install",
      "engine.pauseInstall",
      "engine.cancelInstall",
      "engine.uninstall",
      "engine.load",
      "engine.unload",
      "engine.ready",
    ],
    startAfterMs: engineStartMs,
    load: async () => (await import("./engine/engine-feature")).engineFeature,
  }),
  defineFeature({
    name: "mcp",
    commands: [
      "mcp.state",
      "mcp.find",
      "mcp.add",
      "mcp.approve",
      "mcp.accept",
      "mcp.set_tool",
      "mcp.set_value",
      "mcp.disable",
      "mcp.remove",
      "mcp.sign_in",
      "mcp.finish_sign_in",
      "mcp.sign_out",
      "mcp.stop",
      "mcp.pin",
      "mcp.stop_pin",
      "mcp.log",
      "mcp.questions",
      "mcp.answer",
      "mcp.offers",
      "mcp.prompt",
      "mcp.resource",
    ],
    offersTools: true,
    load: async () => (await import("./mcp/mcp-feature")).mcpFeature,
  }),
  defineFeature({
    name: "openapi",
    commands: [
      "openapi.state",
      "openapi.upload",
      "openapi.add",
      "openapi.reload",
      "openapi.confirm",
      "openapi.enable",
      "openapi.remove",
      "openapi.set_key",
      "openapi.tools",
      "openapi.tool",
      "openapi.set_tool",
      "openapi.accept",
      "openapi.preview",
      "openapi.try",
      "openapi.stop_trial",
    ],
    offersTools: true,
    load: async () => (await import("./openapi/openapi-feature")).openApiFeature,
  }),
  defineFeature({
    name: "trials",
    commands: [
      "tools.own",
      "tools.offers",
      "tools.describe",
      "trials.tool",
      "trials.preview",
      "trials.run",
      "trials.stop",
    ],
    load: async () => (await import("./trials/trials-feature")).trialsFeature,
  }),
  defineFeature({
    name: "memory",
    commands: ["memory.state", "memory.read", "memory.write", "memory.undo"],
    offersTools: true,
    load: async () => (await import("./memory/memory-feature")).memoryFeature,
  }),
  defineFeature({
    name: "web",
    commands: ["web.state", "web.set", "web.set_key", "web.test", "web.page"],
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
    commands: ["skills.list", "skills.read", "skills.set"],
    offersTools: true,
    load: async () => (await import("./skills/skills-feature")).skillsFeature,
  }),
  defineFeature({
    name: "extensions",
    commands: [
      "extensions.list",
      "extensions.enable",
      "extensions.disable",
      "extensions.create",
      "extensions.file",
      "extensions.log",
      "extensions.commands",
      "extensions.expand",
      "extensions.stop",
    ],
    offersTools: true,
    hasGates: true,
    load: async () => (await import("./extensions/extensions-feature")).extensionsFeature,
  }),
  defineFeature({
    name: "workflows",
    commands: [
      "workflows.list",
      "workflows.read",
      "workflows.check",
      "workflows.write",
      "workflows.draft",
      "workflows.start",
      "workflows.stop",
      "workflows.continue",
      "workflows.rerun",
      "workflows.answer",
    ],
    load: async () => (await import("./workflows/workflows-feature")).workflowsFeature,
  }),
  defineFeature({
    name: "automations",
    commands: [
      "automations.list",
      "automations.draft",
      "automations.preview",
      "automations.save",
      "automations.switch",
      "automations.set_rules",
      "automations.remove",
      "automations.run",
      "automations.rehearse",
      "automations.rehearsed_rules",
    ],
    startAfterMs: automationsStartMs,
    hasWork: (store) => store.hasWork("automations"),
    load: async () => (await import("./automations/automations-feature")).automationsFeature,
  }),
  defineFeature({
    name: "channels",
    commands: [
      "channels.list",
      "channels.set",
      "channels.set_token",
      "channels.pair",
      "channels.set_person",
      "channels.remove_person",
    ],
    startAfterMs: channelsStartMs,
    offersTools: true,
    hasWork: (store) => store.hasWork("channels"),
    load: async () => (await import("./channels/channels-feature")).channelsFeature,
  }),
  defineFeature({
    name: "notices",
    commands: ["notices.seen", "notices.devices", "notices.push_key", "notices.subscribe", "notices.unsubscribe"],
    deliversNotices: true,
    startAfterMs: noticesStartMs,
    hasWork: hasPushDevices,
    load: async () => (await import("./notices/notices-feature")).noticesFeature,
  }),
  defineFeature({
    name: "tour",
    commands: ["tour.start", "tour.end"],
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
    commands: ["share.create", "share.list", "share.open", "share.revoke"],
    startAfterMs: shareResumeMs,
    load: async () => (await import("./share/share-feature")).shareFeature,
  }),
];

/** Commands that a feature implements. */
export type FeatureCommand = (typeof featureList)[number]["commands"][number];
