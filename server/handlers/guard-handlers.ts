/** Commands of the guard: rules, what would be decided, what was decided, trust of a folder. */
import { fail, ok, type Result } from "@/lib/error";
import { asId, type CommandId, type ProjectId } from "@/lib/id";
import type { Access, Mode } from "@/lib/policy";
import { limits } from "@/lib/settings";
import { globComponents } from "../security/path-glob";
import type { Client, HandlerTable } from "./handlers";
import type { HandlerServices } from "./services";

type GuardCommand = Extract<keyof HandlerTable, `rules.${string}` | `decisions.${string}`> | "project.trust";

type GuardServices = Pick<
  HandlerServices,
  "store" | "projects" | "registry" | "judge" | "freshRuleId" | "push" | "now"
>;

export const guardHandlers = (services: GuardServices): Pick<HandlerTable, GuardCommand> => ({
  ...ruleHandlers(services),
  "rules.test": async ({ projectId, mode, kind, target }) => {
    const project = await services.projects.get(projectId);
    if (!project.ok) return project;
    const { root } = project.value;
    const rules = services.store.rules.list(projectId);
    const access: Access = kind === "read" ? { kind, target } : { kind, target };
    const { decision } = await services.judge({ root, cwd: root, mode, rules })([access]);
    return ok({ decision });
  },
  "decisions.list": (query) => ok(services.store.decisions.list({ ...query, limit: limits.decisionsPageEntries })),
  "project.trust": async ({ projectId, trusted }) => {
    const { projects, store, push, now } = services;
    const project = await projects.get(projectId);
    if (!project.ok) return project;
    if (!store.projects.trust(projectId, trusted ? now() : null)) return fail("not_found");
    if (!trusted) leaveFullAccess(services, projectId);
    const view = await project.value.view();
    push({ type: "project", project: view.project });
    return ok(view);
  },
});

/**
 * Full access ends with the trust it stood on; what runs asks from its next decision. A log that cannot be read keeps no other
 * session in Full access: it is told when all have been asked.
 */
function leaveFullAccess({ store, registry }: Pick<GuardServices, "store" | "registry">, projectId: ProjectId): void {
  const troubles: unknown[] = [];
  for (const id of store.sessions.inMode(projectId, "full")) {
    try {
      // One that was not in memory since the start has left Full access by being read.
      const session = registry.get(id);
      if (session?.view.mode !== "full") continue;
      session.update({ mode: "ask" }, asId<CommandId>(`untrusted-${session.view.seq}`));
    } catch (error) {
      troubles.push(error);
    }
  }
  if (troubles.length > 0) throw troubles[0];
}

const ruleHandlers = ({ store, freshRuleId, push, now }: GuardServices) => {
  const tell = (projectId: ProjectId): void => push({ type: "rules", projectId, rules: store.rules.list(projectId) });
  return {
    "rules.list": async ({ projectId }) =>
      ok({
        rules:
          projectId === undefined ? (await store.rules.all()).map(({ rule }) => rule) : store.rules.list(projectId),
      }),
    "rules.save": ({ id, projectId, effect, pattern }) => {
      if (store.projects.get(projectId) === undefined) return fail("not_found");
      if (pattern.tool === "files" && globComponents(pattern.glob) === null) return fail("bad_input", pattern.glob);
      const known = store.rules.list(projectId);
      if (id === undefined && known.length >= limits.rulesMax)
        return fail("too_many", undefined, { limit: limits.rulesMax });
      if (id !== undefined && store.rules.get(id) === undefined) return fail("not_found");
      const rule = store.rules.save({
        id: id ?? freshRuleId(),
        projectId,
        effect,
        createdAt: now(),
        ...pattern,
      });
      if (rule === undefined) return fail("not_found");
      tell(projectId);
      return ok({ rule });
    },
    "rules.remove": async ({ ruleId }) => {
      const rule = store.rules.get(ruleId);
      if (rule === undefined || !(await store.rules.remove(ruleId))) return fail("not_found");
      tell(rule.projectId);
      return ok(null);
    },
  } satisfies Partial<HandlerTable>;
};

/**
 * Full access in a folder the user has not trusted is asked for once more (R29). Whoever calls with the bearer is the user's own command
 * line: `run --approve all` is his word.
 */
export function mayHaveMode(
  { store }: Pick<HandlerServices, "store">,
  projectId: ProjectId,
  mode: Mode | undefined,
  client: Client,
): Result<null> {
  const refused = mode === "full" && client.bearer !== true && !store.projects.trusted(projectId);
  return refused ? fail("untrusted") : ok(null);
}
