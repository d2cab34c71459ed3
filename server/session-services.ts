/** Everything sessions get from outside, in the shape they want it. Built once by core; the doctor's scratch sessions start from it. */
import { release } from "node:os";
import type { ProjectId } from "@/lib/id";
import type { Push } from "@/lib/push";
import type { Settings } from "@/lib/settings";
import { snapshotText } from "./agent/context/snapshot";
import { judge, type JudgeInput } from "./agent/judge";
import type { ModelAccess } from "./model-access";
import { projectHands } from "./project-hands";
import type { SessionServices } from "./session/services";
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
      return judge(accesses, { ...input, blockedWords, protectedNames, sandbox: runs ? await fenced(parts) : "off" });
    },
    decided: (decision) => store.decisions.add({ ...decision, at: now() }),
    rules: (projectId) => store.rules.list(projectId),
    addRule(rule) {
      store.rules.add(rule);
      push({ type: "rules", projectId: rule.projectId, rules: store.rules.list(rule.projectId) });
    },
    snapshot: (projectId, maxTokens) => snapshotOf(projects, projectId, maxTokens),
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

/** How commands run now, by the setting and by what works here. */
async function fenced({ settings, sandbox }: Pick<SessionParts, "settings" | "sandbox">): Promise<Fenced> {
  if (!settings().sandbox) return "off";
  return (await sandbox.state()).works ? { network: settings().sandboxNetwork } : "broken";
}

function snapshotOf(projects: SessionParts["projects"], projectId: ProjectId, maxTokens: number): string | null {
  const project = projects.peek(projectId);
  const summary = project?.summary() ?? null;
  if (project === undefined || summary === null) return null;
  void project.refresh();
  return snapshotText({ root: project.root, platform: `${process.platform} ${release()}`, ...summary }, maxTokens);
}
