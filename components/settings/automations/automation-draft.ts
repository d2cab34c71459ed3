/** The form of an automation as text fields, and what the server gets of it. */
import { automationCardMinutes, type AutomationDefinition, type AutomationTrigger } from "@/lib/automations/automation";
import { formatScheduleCron, parseScheduleWords, type ScheduleWords } from "@/lib/automations/schedule-words";
import type { AgentError } from "@/lib/events/error";
import type { ProjectId } from "@/lib/events/id";
import type { LateMessages } from "../../messages/full-messages";
import { formatWallTime } from "./trigger-text";

export type DraftKind = ScheduleWords["kind"] | "cron" | Exclude<AutomationTrigger["kind"], "time">;

export interface AutomationDraft {
  readonly name: string;
  readonly projectId: ProjectId;
  readonly prompt: string;
  readonly model?: string;
  readonly connection?: string;
  readonly mode: AutomationDefinition["mode"];
  readonly kind: DraftKind;
  readonly every: number;
  readonly minute: number;
  readonly weekday: number;
  readonly day: number;
  /** 08:00 */
  readonly time: string;
  readonly cron: string;
  readonly zone: string;
  readonly glob: string;
  readonly missed: "run" | "skip";
  readonly looksFirst: boolean;
  readonly cardMinutes: string;
}

export type AutomationProblem = "name" | "prompt" | "glob" | "cards";

export const newDraft = (projectId: ProjectId, zone: string): AutomationDraft => ({
  name: "",
  projectId,
  prompt: "",
  mode: "ask",
  kind: "workdays",
  every: 30,
  minute: 0,
  weekday: 1,
  day: 1,
  time: "08:00",
  cron: "0 8 * * 1-5",
  zone,
  glob: "",
  missed: "run",
  looksFirst: false,
  cardMinutes: String(automationCardMinutes),
});

export function toDraft(definition: AutomationDefinition, zone: string): AutomationDraft {
  const { name, projectId, prompt, model, connection, mode, trigger, looksFirst = false, cardMinutes } = definition;
  const draft: AutomationDraft = {
    ...newDraft(projectId, zone),
    name,
    prompt,
    mode,
    looksFirst,
    cardMinutes: String(cardMinutes),
    ...(model === undefined ? {} : { model }),
    ...(connection === undefined ? {} : { connection }),
  };
  if (trigger.kind !== "time")
    return { ...draft, kind: trigger.kind, ...(trigger.kind === "files" ? { glob: trigger.glob } : {}) };
  const words = parseScheduleWords(trigger.cron);
  const { cron, missed } = trigger;
  const timed = { ...draft, cron, missed, zone: trigger.zone };
  if (words === null) return { ...timed, kind: "cron" };
  const { kind, ...fields } = words;
  return { ...timed, ...fields, kind, ...("hour" in words ? { time: formatWallTime(words), minute: 0 } : {}) };
}

/** The cron expression of the schedule; null = it is not started by the time. */
export function draftCron(draft: AutomationDraft): string | null {
  const { kind, every, minute, weekday, day, time, cron } = draft;
  const [hour = 0, minutes = 0] = time.split(":").map(Number);
  const clock = { hour, minute: minutes };
  switch (kind) {
    case "files":
    case "run_ended":
    case "none":
      return null;
    case "cron":
      return cron.trim();
    case "minutes":
      return formatScheduleCron({ kind, every });
    case "hourly":
      return formatScheduleCron({ kind, minute });
    case "weekly":
      return formatScheduleCron({ kind, weekday, ...clock });
    case "monthly":
      return formatScheduleCron({ kind, day, ...clock });
    default:
      return formatScheduleCron({ kind, ...clock });
  }
}

function draftTrigger(draft: AutomationDraft): AutomationTrigger {
  const { kind, glob, zone, missed } = draft;
  const cron = draftCron(draft);
  if (cron !== null) return { kind: "time", cron, zone, missed };
  if (kind === "files") return { kind, glob: glob.trim() };
  return { kind: kind === "run_ended" ? kind : "none" };
}

/** The fields that the server would refuse. */
export function automationProblems({
  name,
  prompt,
  kind,
  glob,
  cardMinutes,
}: AutomationDraft): readonly AutomationProblem[] {
  const minutes = Number(cardMinutes);
  const problems: AutomationProblem[] = [];
  if (name.trim() === "") problems.push("name");
  if (prompt.trim() === "") problems.push("prompt");
  if (kind === "files" && glob.trim() === "") problems.push("glob");
  if (cardMinutes.trim() === "" || !Number.isInteger(minutes) || minutes < 0 || minutes > 1_440) problems.push("cards");
  return problems;
}

export function toDefinition(draft: AutomationDraft): AutomationDefinition {
  const { name, projectId, prompt, model, connection, mode, looksFirst, cardMinutes } = draft;
  return {
    name: name.trim(),
    projectId,
    prompt,
    mode,
    cardMinutes: Number(cardMinutes),
    trigger: draftTrigger(draft),
    ...(looksFirst ? { looksFirst } : {}),
    ...(model === undefined ? {} : { model }),
    ...(connection === undefined ? {} : { connection }),
  };
}

/** The sentence for a schedule that the server refuses; undefined = the error is about something else. */
export function scheduleProblem(
  { code, detail = "", facts }: AgentError,
  { problems }: LateMessages["automations"],
): string | undefined {
  if (code !== "bad_input") return undefined;
  switch (facts?.why) {
    case "cron":
      return problems.cron(detail);
    case "too_often":
      return problems.too_often(String(facts.least));
    case "zone":
    case "never":
      return problems[facts.why];
    default:
      return undefined;
  }
}
