/** Automations: prompts that run without the user, when a time comes or something happens. */
import type { AgentError } from "../events/error";
import type { ProjectId, SessionId } from "../events/id";
import type { PathPattern, ProposedRule } from "../permissions/policy";

/** Maximum number of automations. */
export const automationsMax = 50;

/** Least interval between two starts of an automation, minutes. */
export const automationMinMinutes = 5;

/** The same for one that looks first. */
export const heartbeatMinMinutes = 15;

/** Limits of an unattended run. */
export const automationRunLimits = { steps: 20, minutes: 30, outputTokens: 20_000 } as const;

/** Failures in a row after which an automation is paused. */
export const automationFailuresMax = 3;

/** A missed run is made up for if it is at most this late, hours. */
export const automationLateHours = 24;

/** Default wait for the answer to a card of an unattended run, minutes. */
export const automationCardMinutes = 15;

/** The longest data that a start may bring along, characters. */
export const automationDataMaxChars = 20_000;

/** A cron expression of five fields, in a time zone of the IANA database. */
export interface CronSchedule {
  readonly cron: string;
  readonly zone: string;
}

/** Event that starts an automation, beside the user and the command line. */
export type AutomationTrigger =
  /** `missed`: run = a time that passed while the server was off is made up for, once; skip = it is not. */
  | ({ readonly kind: "time"; readonly missed: "run" | "skip" } & CronSchedule)
  /** A file of the project that matches the pattern changed, other than by the automation itself. */
  | { readonly kind: "files"; readonly glob: string }
  /** A run of another session in the project ended; not one of an automation. */
  | { readonly kind: "run_ended" }
  | { readonly kind: "none" };

/** Part of an automation that the owner writes. */
export interface AutomationDefinition {
  readonly name: string;
  readonly projectId: ProjectId;
  readonly prompt: string;
  /** Absent = the model of new sessions. */
  readonly model?: string;
  readonly connection?: string;
  readonly mode: "ask" | "plan";
  readonly trigger: AutomationTrigger;
  /** It runs only with open points in HEARTBEAT.md, and only while the user does not work. */
  readonly looksFirst?: true;
  /** Wait for the answer to a card before it is denied, minutes. */
  readonly cardMinutes: number;
}

/** The first prompt of a session, with its project and model. */
export type AutomationStart = Pick<AutomationDefinition, "projectId" | "prompt" | "model" | "connection">;

export const automationOutcomes = [
  "done",
  "failed",
  "limit",
  "stopped",
  "interrupted",
  /** Its time passed while the server was off. */
  "missed",
  /** The run before was still at work. */
  "overlap",
  /** It had nothing to report: its session is archived. */
  "quiet",
  /** It looked first, and no model was asked. */
  "skipped",
] as const;
export type AutomationOutcome = (typeof automationOutcomes)[number];

export const automationCauses = ["time", "files", "run_ended", "user", "cli", "rehearsal"] as const;
export type AutomationCause = (typeof automationCauses)[number];

/** A time at which an automation was due, and its outcome. */
export interface AutomationRun {
  /** ms epoch; unique for each automation. */
  readonly scheduledFor: number;
  readonly cause: AutomationCause;
  /** ms epoch; absent = it waits for its turn, or never ran. */
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** Absent = it waits or runs. */
  readonly outcome?: AutomationOutcome;
  readonly sessionId?: SessionId;
  /** Output tokens. */
  readonly tokens?: number;
  readonly error?: AgentError;
}

/** Its rehearsal: the run that the owner watched. */
export interface AutomationRehearsal {
  readonly sessionId: SessionId;
  /** Absent = it still runs. */
  readonly outcome?: AutomationOutcome;
}

/** Accesses that an automation has in its own sessions without asking. */
export type AutomationRule = ProposedRule | PathPattern;

export interface Automation extends AutomationDefinition {
  readonly id: string;
  readonly isOn: boolean;
  /** Apply to its sessions alone. */
  readonly rules: readonly AutomationRule[];
  /** Absent = none since the last change of its prompt, project, model or mode. */
  readonly rehearsal?: AutomationRehearsal;
  /** Failed runs since the last one that ended well; `automationFailuresMax` of them pause it. */
  readonly failures: number;
}

/** An automation as its owner sees it. */
export interface AutomationView extends Automation {
  /** The next due times, ms epoch; at most five. Empty while it is off. */
  readonly next: readonly number[];
  /** Newest first. */
  readonly runs: readonly AutomationRun[];
  /** Times since the last run at which it looked and asked no model; they are not among the runs. */
  readonly skipped: number;
}

/** Whether the program paused it, after failures in a row. */
export const isPausedAutomation = ({ failures }: Pick<Automation, "failures">): boolean =>
  failures >= automationFailuresMax;
