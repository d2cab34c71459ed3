/** Commands of the guard: rules, a test of a decision, the log of decisions, trust in a folder, and its move, which ends the trust. */
import { fail, ok } from "@/lib/events/error";
import type { ProjectId, RuleId } from "@/lib/events/id";
import { formatRulePattern, type ToolAccess } from "@/lib/permissions/policy";
import type { CommandInput } from "@/lib/protocol/command";
import { randomId } from "@/server/base/id";
import { normalizeHostPattern } from "@/server/security/rules/host-pattern";
import { globComponents } from "@/server/security/rules/path-glob";
import { parseToolPattern } from "@/server/security/rules/remote-rules";
import type { HandlerTable } from "../handlers";
import type { CoreServices } from "../core-services";

/** Decisions per page. */
const decisionsPageEntries = 50;
/** Maximum rules of one project. */
export const rulesMax = 500;

/** `trustWithdrawn` ends at once what runs because the user trusted the project. */
export const guardHandlers = (core: CoreServices, trustWithdrawn: (id: ProjectId) => void) => {
  const { projects, sessions, services, store, push, now } = core;
  const withdrawTrust = (id: ProjectId): void => {
    trustWithdrawn(id);
    sessions.revokeFullAccess(id);
  };
  return {
    ...ruleHandlers(core),
    "rules.test": async ({ projectId, mode, kind, target }) => {
      const project = await projects.get(projectId);
      if (!project.ok) return project;
      const { root } = project.value;
      const rules = store.rules.list(projectId);
      const access: ToolAccess = { kind, target };
      const approvedTools = store.approvedTools.list(projectId);
      const { decision } = await services.judge([access], { root, cwd: root, mode, rules, approvedTools });
      return ok({ decision });
    },
    "decisions.list": (query) => ok(store.decisions.list({ ...query, limit: decisionsPageEntries })),
    "project.trust": async ({ projectId, trusted }) => {
      const project = await projects.get(projectId);
      if (!project.ok) return project;
      if (!store.projects.setTrust(projectId, trusted ? now() : null)) return fail("not_found");
      if (!trusted) withdrawTrust(projectId);
      const view = await project.value.view();
      push({ type: "project", project: view.project });
      return ok(view);
    },
    "project.relink": async ({ projectId, path }) => {
      if (sessions.running().some(({ view }) => view.projectId === projectId)) return fail("not_idle");
      const moved = await projects.relink(projectId, path);
      if (!moved.ok) return moved;
      sessions.suspend(projectId);
      // Another folder is not trusted yet.
      withdrawTrust(projectId);
      const { project } = moved.value;
      push({ type: "project", project });
      return ok({ project });
    },
  } satisfies Partial<HandlerTable>;
};

type PatternInput = CommandInput<"rules.save">["pattern"];

/** Returns null for a pattern that cannot match anything. */
function normalizePattern(pattern: PatternInput): PatternInput | null {
  if (pattern.tool === "files") return globComponents(pattern.glob) === null ? null : pattern;
  if (pattern.tool === "external") return parseToolPattern(pattern.pattern) === null ? null : pattern;
  if (pattern.tool === "bash") return pattern;
  const host = normalizeHostPattern(pattern.host);
  return host === null ? null : { ...pattern, host };
}

const ruleHandlers = ({ store, push, now }: CoreServices) => {
  const pushRules = (projectId: ProjectId): void =>
    push({ type: "rules", projectId, rules: store.rules.list(projectId) });
  return {
    "rules.list": ({ projectId }) =>
      ok({
        rules: projectId === undefined ? store.rules.all() : store.rules.list(projectId),
      }),
    "rules.save": ({ id, projectId, effect, pattern: input }) => {
      if (store.projects.get(projectId) === undefined) return fail("not_found");
      const pattern = normalizePattern(input);
      if (pattern === null) return fail("bad_input", formatRulePattern(input));
      const projectRules = store.rules.list(projectId);
      if (id === undefined && projectRules.length >= rulesMax) return fail("too_many", undefined, { limit: rulesMax });
      if (id !== undefined && store.rules.get(id) === undefined) return fail("not_found");
      const rule = store.rules.save({
        id: id ?? randomId<RuleId>("rule"),
        projectId,
        effect,
        createdAt: now(),
        ...pattern,
      });
      if (rule === undefined) return fail("not_found");
      pushRules(projectId);
      return ok({ rule });
    },
    "rules.remove": ({ ruleId }) => {
      const rule = store.rules.get(ruleId);
      if (rule === undefined || !store.rules.remove(ruleId)) return fail("not_found");
      pushRules(rule.projectId);
      return ok(null);
    },
  } satisfies Partial<HandlerTable>;
};
