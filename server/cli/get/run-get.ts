/** `gopi-web get`: lists sessions, models, rules or automations. */
import { isPausedAutomation } from "@/lib/automations/automation";
import { formatRulePattern } from "@/lib/permissions/policy";
import type { ModelInfo } from "@/lib/models/models";
import { isHostBroken } from "@/lib/protocol/status-report";
import type { SessionRow } from "@/lib/protocol/session-row";
import type { GetArguments } from "../arguments/verb-arguments";
import { printable } from "../arguments/options";
import { formatBytes } from "../output/format-bytes";
import { printRows } from "../output/print-rows";
import { callOrThrow, runWithServer } from "../server-job";
import type { CommandLink } from "../session-link";
import { hostErrorText } from "../status/status-lines";
import { listSessions } from "./list-sessions";

/** Exit code: 0 done, 1 error, also when a model server does not answer, 130 stopped. */
export const runGet = (command: GetArguments): Promise<number> =>
  runWithServer(command, (link) => printersByKind[command.subject](link, command.json));

type Print = (link: CommandLink, json: boolean) => Promise<number>;

const printSessions: Print = async (link, json) => {
  const columns = {
    id: ({ id }: SessionRow) => id,
    title: ({ title }: SessionRow) => title,
    status: ({ status }: SessionRow) => status,
    updated: ({ updatedAt }: SessionRow) => formatTime(updatedAt),
    model: ({ model }: SessionRow) => model,
    folder: ({ cwd }: SessionRow) => cwd,
  };
  printRows(await listSessions(link, {}), columns, { json, empty: "no sessions yet" });
  return 0;
};

interface ListedModel extends ModelInfo {
  /** Id of the connection, absent for the main model server. */
  readonly connection?: string;
}

const printModels: Print = async (link, json) => {
  // A server that was just started may still read the models of the engine; the others can be listed if it fails.
  await link.call("engine.ready", {});
  const { hosts } = await callOrThrow(link, "models.hosts", {});
  const rows = hosts.flatMap(({ id, models }) =>
    models.map((model): ListedModel => (id === "ollama" ? model : { connection: id, ...model })),
  );
  const columns = {
    model: ({ connection, name }: ListedModel) => (connection === undefined ? name : `${connection}/${name}`),
    size: ({ size }: ListedModel) => (size === undefined ? "" : formatBytes(size)),
    window: ({ window }: ListedModel) => (window === undefined ? "" : String(window)),
    can: ({ capabilities }: ListedModel) => capabilities.join(", "),
  };
  printRows(rows, columns, { json, empty: "no models; download one, for example: ollama pull qwen3:8b" });
  const failed = hosts.flatMap(({ id, name, error, isOptional }) =>
    error === undefined || !isHostBroken({ error, isOptional })
      ? []
      : [`gopi-web: ${printable(`${name}: ${hostErrorText(id, error)}`)}\n`],
  );
  process.stderr.write(failed.join(""));
  return failed.length > 0 ? 1 : 0;
};

const printRules: Print = async (link, json) => {
  const { projects } = await callOrThrow(link, "project.list", {});
  const { rules } = await callOrThrow(link, "rules.list", {});
  const rows = rules.map((rule) => ({
    ...rule,
    folder: projects.find(({ id }) => id === rule.projectId)?.path ?? "",
  }));
  type RuleRow = (typeof rows)[number];
  const columns = {
    effect: ({ effect }: RuleRow) => effect,
    for: (rule: RuleRow) => (rule.tool === "files" ? rule.access : rule.tool),
    pattern: formatRulePattern,
    folder: ({ folder }: RuleRow) => folder,
  };
  printRows(rows, columns, { json, empty: "no rules yet; “Always allow” on a card makes one" });
  return 0;
};

const printAutomations: Print = async (link, json) => {
  const { projects } = await callOrThrow(link, "project.list", {});
  const { automations } = await callOrThrow(link, "automations.list", {});
  const rows = automations.map((automation) => ({
    ...automation,
    folder: projects.find(({ id }) => id === automation.projectId)?.path ?? "",
  }));
  type AutomationRow = (typeof rows)[number];
  const columns = {
    name: ({ name }: AutomationRow) => name,
    state: (automation: AutomationRow) => (isPausedAutomation(automation) ? "paused" : automation.isOn ? "on" : "off"),
    when: ({ trigger }: AutomationRow) =>
      trigger.kind === "time" ? `${trigger.cron} (${trigger.zone})` : trigger.kind.replace("_", " "),
    next: ({ next }: AutomationRow) => (next[0] === undefined ? "" : formatTime(next[0])),
    last: ({ runs }: AutomationRow) => (runs[0] === undefined ? "" : (runs[0].outcome ?? "running")),
    folder: ({ folder }: AutomationRow) => folder,
  };
  printRows(rows, columns, { json, empty: "no automations; make one in Settings, Automations" });
  return 0;
};

const printersByKind: Readonly<Record<GetArguments["subject"], Print>> = {
  sessions: printSessions,
  models: printModels,
  rules: printRules,
  automations: printAutomations,
};

/** The local time, to the minute: 2026-11-29 07:05. */
function formatTime(at: number): string {
  const date = new Date(at);
  const two = (value: number): string => String(value).padStart(2, "0");
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join("-");
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
