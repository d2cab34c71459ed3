/** Builds the services that sessions depend on. */
import { release } from "node:os";
import type { ProjectId } from "@/lib/id";
import type { Push } from "@/lib/push";
import type { Settings } from "@/lib/settings";
import { snapshotText, treeText } from "./agent/context/snapshot";
import { judge, type JudgeInput } from "./agent/judge";
import type { ModelAccess } from "./model-access";
import { projectHands } from "./project-hands";
import type { ProjectSnapshot, SessionServices } from "./session/services";
import type { Store } from "./store/open-store";
import { builtinTools } from "./tools/registry";
import type { Projects } from "./workspace/projects";
import type { Sandbox } from "./workspace/sandbox";
import type { Worlds } from "./world";

type Fenced = JudgeInput["sandbox"];

export interface SessionParts {
  readonly store: Store;
  readonly projects: Pick<Projects, "peek" | "get">;
  readonly worlds: Pick<Worlds, "make" | "trash">;
  readonly access: Pick<ModelAccess, "sessions">;
  readonly sandbox: Pick<Sandbox, "state">;
  /** This program's data folder. */
  readonly home: string;
  settings(): Settings;
  now(): number;
  push(push: Push): void;
  log(line: string): void;
}

export function makeSessionServices(parts: SessionParts): SessionServices {
  const { store, projects, worlds, access, settings, now, push, log } = parts;
  const tools = new Map(builtinTools.map((tool) => [tool.name, tool]));
  let trouble = false;
  return {
    store,
    now,
    settings,
    ...access.sessions,
    tool: (name) => tools.get(name),
    tools: () => builtinTools,
    world: worlds.make,
    hands: (projectId, sessionId) => projectHands({ projects, trash: worlds.trash }, projectId, sessionId),
    judge: (input) => async (accesses) => {
      const { blockedWords, protectedNames } = settings();
      const runs = accesses.some(({ kind }) => kind === "exec");
      const sandbox = runs ? await fenced(parts) : "off";
      return judge(accesses, { ...input, blockedWords, protectedNames, home: parts.home, sandbox });
    },
    decided: (decision) => store.decisions.add({ ...decision, at: now() }),
    rules: (projectId) => store.rules.list(projectId),
    addRule(rule) {
      store.rules.add(rule);
      push({ type: "rules", projectId: rule.projectId, rules: store.rules.list(rule.projectId) });
    },
    snapshot: (projectId, maxTokens) => snapshotOf(parts, projectId, maxTokens),
    tree(projectId, maxTokens) {
      const tree = projects.peek(projectId)?.summary()?.tree ?? null;
      return tree === null ? null : treeText(tree, maxTokens);
    },
    storeTrouble(error) {
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
async function fenced({ settings, sandbox }: Pick<SessionParts, "settings" | "sandbox">): Promise<Fenced> {
  if (!settings().sandbox) return "off";
  return (await sandbox.state()).works ? { network: settings().sandboxNetwork } : "broken";
}

function snapshotOf(
  { projects, now }: Pick<SessionParts, "projects" | "now">,
  projectId: ProjectId,
  maxTokens: number,
): ProjectSnapshot | null {
  const project = projects.peek(projectId);
  const summary = project?.summary() ?? null;
  if (project === undefined || summary === null) return null;
  void project.refresh();
  const { root } = project;
  const platform = `${process.platform} ${release()}`;
  return {
    text: snapshotText({ root, platform, date: dayOf(now()), ...summary }, maxTokens),
    isTreePending: summary.tree === null,
  };
}

/** Local date, as 2026-11-22. `at` in ms epoch. */
function dayOf(at: number): string {
  const date = new Date(at);
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
