/** Builds the services that sessions depend on. */
import { release } from "node:os";
import type { ProjectId } from "@/lib/events/id";
import type { ContextSource } from "@/server/agent/context/context-source";
import { isReadme, renderSnapshot, renderTreeSection } from "@/server/agent/context/snapshot";
import { judgeAccesses } from "@/server/agent/tools/judge-accesses";
import type { ModelAccess } from "@/server/models/access/model-access";
import { openProjectFiles } from "@/server/workspace/files/project-files";
import { secretValues } from "@/server/security/redaction/redact";
import { findSentRisk } from "@/server/agent/tools/sent-risk";
import { readPinnedFile } from "../context/pinned-files";
import type { JudgedSession, ProjectSnapshot, SessionContext, SessionServices } from "./services";
import type { Catalogue } from "@/server/tools/toolbox/catalogue";
import { escapeElements, escapeOwnTags } from "@/server/tools/toolbox/foreign-text";
import type { OpenProject, Projects } from "@/server/workspace/projects/projects";
import { isSandboxUsed, type Sandbox } from "@/server/workspace/shell/sandbox";
import type { ToolEnvironments } from "@/server/workspace/projects/tool-environment";

interface SessionServicesOptions extends SessionContext {
  readonly projects: Projects;
  readonly toolEnvironments: ToolEnvironments;
  readonly access: ModelAccess;
  readonly sandbox: Sandbox;
  catalogue(projectId: ProjectId): Catalogue;
  contextSources(projectId: ProjectId): readonly ContextSource[];
}

export function makeSessionServices(parts: SessionServicesOptions): SessionServices {
  const { store, projects, toolEnvironments, access, home, settings, push, log } = parts;
  let trouble = false;
  const secrets = (): readonly string[] => [...secretValues(parts.environment), ...store.secrets.all()];
  return {
    ...parts,
    ...access.sessionModels,
    toolEnvironment: toolEnvironments.make,
    projectFiles: (projectId, sessionId) =>
      openProjectFiles({ projects, trash: toolEnvironments.trash }, projectId, sessionId),
    async readPinned(projectId, path, budget, signal) {
      const project = await projects.get(projectId);
      return project.ok ? readPinnedFile(project.value, path, budget, signal) : project;
    },
    async judge(accesses, session) {
      const { blockedWords, protectedNames } = settings();
      const runs = accesses.some(({ kind }) => kind === "exec");
      const sandbox = runs ? await readSandboxState(parts, session) : "off";
      return judgeAccesses(accesses, {
        ...session,
        blockedWords,
        protectedNames,
        home,
        readRoots: parts.readRoots(),
        sandbox,
        sentRisk: (sent) => findSentRisk(sent, { secrets: secrets(), wasSeen: session.wasSeen ?? (async () => false) }),
      });
    },
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
  { settings, sandbox }: SessionServicesOptions,
  { mode, network = false }: JudgedSession,
): Promise<{ readonly network: boolean } | "off" | "broken"> {
  const { sandbox: use, sandboxNetwork } = settings();
  if (!isSandboxUsed(use, mode)) return "off";
  if ((await sandbox.state()).works) return { network: sandboxNetwork || network };
  return use === "always" ? "broken" : "off";
}

function makeProjectSnapshot(
  { projects, now, settings }: SessionServicesOptions,
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
