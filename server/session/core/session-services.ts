/** Builds the services that sessions depend on. */
import { release } from "node:os";
import type { ProjectId, SessionId } from "@/lib/events/id";
import type { Mode } from "@/lib/permissions/policy";
import type { Push } from "@/lib/protocol/push";
import type { Settings } from "@/lib/settings/settings";
import type { ContextSource } from "@/server/agent/context/context-source";
import { isReadme, renderSnapshot, renderTreeSection } from "@/server/agent/context/snapshot";
import type { AskGates } from "@/server/agent/tools/call-gate";
import { judgeAccesses, type JudgeOptions } from "@/server/agent/tools/judge-accesses";
import type { ModelAccess } from "@/server/models/access/model-access";
import { openProjectFiles } from "@/server/workspace/files/project-files";
import { secretValues } from "@/server/security/redaction/redact";
import { findSentRisk } from "@/server/agent/tools/sent-risk";
import { readPinnedFile } from "../context/pinned-files";
import type { ProjectSnapshot, SessionServices, UnattendedTerms } from "./services";
import type { Store } from "@/server/store/open-store";
import type { ToolSource } from "@/server/tools/core/tool-source";
import type { Catalogue } from "@/server/tools/toolbox/catalogue";
import { escapeElements, escapeOwnTags } from "@/server/tools/toolbox/foreign-text";
import type { OpenProject, Projects } from "@/server/workspace/projects/projects";
import { isSandboxUsed, type Sandbox } from "@/server/workspace/shell/sandbox";
import type { ToolEnvironments } from "@/server/workspace/projects/tool-environment";

type JudgeSandbox = JudgeOptions["sandbox"];

interface SessionServicesOptions {
  readonly store: Store;
  readonly projects: Pick<Projects, "peek" | "get">;
  readonly toolEnvironments: Pick<ToolEnvironments, "make" | "trash">;
  readonly access: Pick<ModelAccess, "sessionModels">;
  readonly sandbox: Pick<Sandbox, "state">;
  toolSources(): readonly ToolSource[];
  catalogue(projectId: ProjectId): Catalogue;
  contextSources(projectId: ProjectId): readonly ContextSource[];
  /** This program's data folder. */
  readonly home: string;
  /** Real paths of folders beside the project that tools may read. */
  readRoots(): readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly askGates: AskGates;
  unattendedTerms(id: SessionId): UnattendedTerms | null;
  settings(): Settings;
  now(): number;
  push(push: Push): void;
  log(line: string): void;
}

export function makeSessionServices(parts: SessionServicesOptions): SessionServices {
  const { store, projects, toolEnvironments, access, settings, now, push, log } = parts;
  let trouble = false;
  const secrets = (): readonly string[] => [...secretValues(parts.environment), ...store.secrets.all()];
  return {
    store,
    now,
    settings,
    ...access.sessionModels,
    toolSources: parts.toolSources,
    catalogue: parts.catalogue,
    contextSources: parts.contextSources,
    toolEnvironment: toolEnvironments.make,
    projectFiles: (projectId, sessionId) =>
      openProjectFiles({ projects, trash: toolEnvironments.trash }, projectId, sessionId),
    async readPinned(projectId, path, budget, signal) {
      const project = await projects.get(projectId);
      return project.ok ? readPinnedFile(project.value, path, budget, signal) : project;
    },
    judge: (input) => async (accesses) => {
      const { blockedWords, protectedNames } = settings();
      const runs = accesses.some(({ kind }) => kind === "exec");
      const sandbox = runs ? await readSandboxState(parts, input) : "off";
      const { home } = parts;
      return judgeAccesses(accesses, {
        ...input,
        blockedWords,
        protectedNames,
        home,
        readRoots: parts.readRoots(),
        sandbox,
        sentRisk: (sent) => findSentRisk(sent, { secrets: secrets(), wasSeen: input.wasSeen ?? (async () => false) }),
      });
    },
    askGates: parts.askGates,
    recordDecision: (decision) => store.decisions.add({ ...decision, at: now() }),
    rules: (projectId) => store.rules.list(projectId),
    unattendedTerms: parts.unattendedTerms,
    approvedTools: store.approvedTools.list,
    approveTool: (projectId, access) => store.approvedTools.approve(projectId, access, now()),
    addRule(rule) {
      store.rules.add(rule);
      push({ type: "rules", projectId: rule.projectId, rules: store.rules.list(rule.projectId) });
    },
    projectSnapshot: (projectId, maxTokens) => makeProjectSnapshot(parts, projectId, maxTokens),
    async readFolderGuides(projectId, path) {
      const project = path === null ? undefined : projects.peek(projectId);
      return path === null ? [] : ((await project?.readFolderGuides(path).catch(() => [])) ?? []);
    },
    projectTree(projectId, maxTokens) {
      const project = projects.peek(projectId);
      const tree = project?.summary()?.tree ?? null;
      return project === undefined || tree === null ? null : toProjectText(project, renderTreeSection(tree, maxTokens));
    },
    reportStoreError(error) {
      if (error === null && !trouble) return;
      trouble = error !== null;
      if (error !== null) log(error instanceof Error ? (error.stack ?? error.message) : String(error));
      const code =
        error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "internal";
      push({ type: "store", error: error === null ? null : { code, path: store.path } });
    },
  };
}

/** Sandbox state for commands, by the setting and by what works here. */
async function readSandboxState(
  { settings, sandbox }: Pick<SessionServicesOptions, "settings" | "sandbox">,
  { mode, network = false }: { readonly mode: Mode; readonly network?: boolean },
): Promise<JudgeSandbox> {
  const { sandbox: use, sandboxNetwork } = settings();
  if (!isSandboxUsed(use, mode)) return "off";
  if ((await sandbox.state()).works) return { network: sandboxNetwork || network };
  return use === "always" ? "broken" : "off";
}

function makeProjectSnapshot(
  { projects, now, settings }: Pick<SessionServicesOptions, "projects" | "now" | "settings">,
  projectId: ProjectId,
  maxTokens: number,
): ProjectSnapshot | null {
  const project = projects.peek(projectId);
  const summary = project?.summary() ?? null;
  if (project === undefined || summary === null) return null;
  void project.refresh();
  const { root } = project;
  const platform = `${process.platform} ${release()}`;
  const { guide } = summary;
  const sent = settings().autoFill
    ? summary
    : { ...summary, guide: guide !== null && isReadme(guide.name) ? null : guide, extras: [] };
  return {
    text: toProjectText(project, renderSnapshot({ root, platform, date: formatLocalDate(now()), ...sent }, maxTokens)),
    isTreePending: summary.tree === null,
  };
}

/** Names and files of a project are text of others, where the user does not trust it whole. */
const toProjectText = ({ trusted }: Pick<OpenProject, "trusted">, text: string): string =>
  trusted() ? escapeOwnTags(text) : escapeElements(text);

/** Local date, as 2026-11-22. `at` in ms epoch. */
function formatLocalDate(at: number): string {
  const date = new Date(at);
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
