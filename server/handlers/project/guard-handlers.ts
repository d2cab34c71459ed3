/** Commands of the guard: rules, a test of a decision, the log of decisions, trust in a folder. */
import { fail, ok, type Result } from "@/lib/events/error";
import { asId, type CommandId, type ProjectId } from "@/lib/events/id";
import type { ToolAccess, Mode } from "@/lib/permissions/policy";
import { limits } from "@/lib/settings/settings";
import { globComponents } from "@/server/security/rules/path-glob";
import type { CommandClient, HandlerTable } from "../handlers";
import type { HandlerServices } from "../services";

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
    const access: ToolAccess = kind === "read" ? { kind, target } : { kind, target };
    const { decision } = await services.judge({ root, cwd: root, mode, rules })([access]);
    return ok({ decision });
  },
  "decisions.list": (query) => ok(services.store.decisions.list({ ...query, limit: limits.decisionsPageEntries })),
  "project.trust": async ({ projectId, trusted }) => {
    const { projects, store, push, now } = services;
    const project = await projects.get(projectId);
    if (!project.ok) return project;
    if (!store.projects.setTrust(projectId, trusted ? now() : null)) return fail("not_found");
    if (!trusted) revokeFullAccess(services, projectId);
    const view = await project.value.view();
    push({ type: "project", project: view.project });
    return ok(view);
  },
});

/**
 * Returns sessions of an untrusted project from Full access to Ask; a running session asks from its next decision. If a
 * log cannot be read, the other sessions are still changed, then the first error is thrown.
 */
function revokeFullAccess({ store, registry }: Pick<GuardServices, "store" | "registry">, projectId: ProjectId): void {
  const errors: unknown[] = [];
  for (const id of store.sessions.listInMode(projectId, "full")) {
    try {
      // Loading a session that was not in memory since the start has already left Full access.
      const session = registry.get(id);
      if (session?.view.mode !== "full") continue;
      session.update({ mode: "ask" }, asId<CommandId>(`untrusted-${session.view.seq}`));
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}

const ruleHandlers = ({ store, freshRuleId, push, now }: GuardServices) => {
  const pushRules = (projectId: ProjectId): void =>
    push({ type: "rules", projectId, rules: store.rules.list(projectId) });
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
      pushRules(projectId);
      return ok({ rule });
    },
    "rules.remove": async ({ ruleId }) => {
      const rule = store.rules.get(ruleId);
      if (rule === undefined || !(await store.rules.remove(ruleId))) return fail("not_found");
      pushRules(rule.projectId);
      return ok(null);
    },
  } satisfies Partial<HandlerTable>;
};

/**
 * Fails with untrusted when Full access is requested in a folder the user has not trusted (R29). A client with the
 * bearer token is the user's own command line: `run --approve all` is an explicit choice.
 */
export function checkModeAllowed(
  { store }: Pick<HandlerServices, "store">,
  projectId: ProjectId,
  mode: Mode | undefined,
  client: CommandClient,
): Result<null> {
  const refused = mode === "full" && client.bearer !== true && !store.projects.isTrusted(projectId);
  return refused ? fail("untrusted") : ok(null);
}
