/** Commands for automations. Each change is pushed as `automations`. */
import * as z from "zod/mini";
import {
  type Automation,
  type AutomationDefinition,
  type AutomationRule,
  type AutomationStart,
  automationDataMaxChars,
  type AutomationView,
} from "../automations/automation";
import type { SessionId } from "../events/id";
import {
  connectionId,
  defineCommand,
  idText,
  modelName,
  noInput,
  pattern,
  projectId,
  sessionId,
} from "./command-input";

const nameMaxChars = 80;
const promptMaxChars = 20_000;
const rulesMax = 100;

const cronSchedule = {
  cron: z.string().check(z.minLength(9), z.maxLength(200)),
  zone: z.string().check(z.minLength(1), z.maxLength(80)),
};

export const automationDefinition: z.ZodMiniType<AutomationDefinition> = z.object({
  name: z.string().check(z.regex(/^\S(?:[^\n\r]*\S)?$/), z.maxLength(nameMaxChars)),
  projectId,
  prompt: z.string().check(z.regex(/\S/), z.maxLength(promptMaxChars)),
  model: z.exactOptional(modelName),
  connection: z.exactOptional(connectionId),
  mode: z.enum(["ask", "plan"]),
  trigger: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("time"), missed: z.enum(["run", "skip"]), ...cronSchedule }),
    z.object({ kind: z.literal("files"), glob: z.string().check(z.minLength(1), z.maxLength(300)) }),
    z.object({ kind: z.literal("run_ended") }),
    z.object({ kind: z.literal("none") }),
  ]),
  looksFirst: z.exactOptional(z.literal(true)),
  cardMinutes: z.int().check(z.gte(0), z.lte(24 * 60)),
});

export const automationRules: z.ZodMiniType<readonly AutomationRule[]> = z.array(pattern).check(z.maxLength(rulesMax));

export const automationCommands = {
  "automations.list": defineCommand<{ readonly automations: readonly AutomationView[] }>()(noInput),
  /** The start of a session, for an automation that repeats it. Fails with not_found. */
  "automations.draft": defineCommand<AutomationStart>()(z.object({ sessionId })),
  /** The next five due times, ms epoch. Fails with bad_input; facts: `why`, see `automations.save`. */
  "automations.preview": defineCommand<{ readonly next: readonly number[] }>()(z.object(cronSchedule)),
  /**
   * Creates an automation, switched off, or changes one. A change of prompt, project, model or mode needs a new rehearsal and
   * switches it off. Fails with not_found (automation, project), exists (name), too_many, and with bad_input; facts: `why` = cron
   * (detail: what is wrong), zone, never, or too_often with `minutes` and `least`.
   */
  "automations.save": defineCommand<Automation>()(
    z.object({ id: z.optional(idText), definition: automationDefinition }),
  ),
  /** Switches it on, which also ends a pause, or off. Fails with not_found, not_approved (without a rehearsal that ended well). */
  "automations.switch": defineCommand<Automation>()(z.object({ id: idText, isOn: z.boolean() })),
  /** Replaces its rules. Fails with not_found. */
  "automations.set_rules": defineCommand<Automation>()(z.object({ id: idText, rules: automationRules })),
  /** Deletes it with its runs; their sessions stay. Fails with not_found. */
  "automations.remove": defineCommand<null>()(z.object({ id: idText })),
  /**
   * Runs it now; answers when its session has begun. `data` = text for the prompt, marked as data. Fails with not_found,
   * not_approved, busy (it runs or waits already), no_change (it looked first, and nothing is to be done), and the codes of `session.create` and `session.send`.
   */
  "automations.run": defineCommand<{ readonly sessionId: SessionId }>()(
    z.object({ id: idText, data: z.optional(z.string().check(z.maxLength(automationDataMaxChars))) }),
  ),
  /** Runs it while the owner looks: its cards wait. Fails as `automations.run`. */
  "automations.rehearse": defineCommand<{ readonly sessionId: SessionId }>()(z.object({ id: idText })),
  /** The accesses that the owner allowed in its rehearsal, as rules. Fails with not_found. */
  "automations.rehearsed_rules": defineCommand<{ readonly rules: readonly AutomationRule[] }>()(
    z.object({ id: idText }),
  ),
} as const;
