/** Formats the progress of a model test as lines of text. Pure. */
import type { DoctorReport, DoctorRun, DoctorStep, DoctorStepName, DoctorVerdict } from "@/lib/models/models";
import { printable } from "../arguments/options";
import { cliErrorText } from "../cli-error-text";

const stepTitles: Readonly<Record<DoctorStepName, string>> = {
  load: "load into memory",
  answer: "read and write",
  tools: "call a tool",
  edit: "change a file",
  nested: "call in the toolbox",
  window: "recall a long prompt",
  conversations: "two conversations",
  template: "place of the tools",
};
/** By the value of `keeps`. */
const keptTexts: Readonly<Record<string, string>> = {
  yes: "the server keeps both",
  no: "the server keeps one: after a subagent it reads the conversation again",
  unknown: "the server's figures do not say",
};
/** By the value of `moves`. */
const movedTexts: Readonly<Record<string, string>> = {
  no: "they stay",
  yes: "the model's template moves them, so each request is read from the start",
  unknown: "the server's figures do not say",
};
const stateTexts: Readonly<Record<DoctorStep["state"], string>> = {
  waiting: "waiting",
  running: "running",
  ok: "passed",
  weak: "passed with issues",
  failed: "failed",
  skipped: "skipped",
};
const verdictTexts: Readonly<Record<DoctorVerdict, string>> = {
  agent: "good as an agent: it calls tools, edits files, and keeps track of long tasks",
  helper: "good as a helper: give it small tasks and check each change",
  chat: "only good for questions: don't rely on its edits",
  unusable: "not usable here",
};

export const runLine = ({ model }: DoctorRun): string =>
  `Testing ${printable(model)} on this machine. This takes about a minute.`;

/** One finished step: name, result, and measurements. */
export function stepLine(step: DoctorStep): string {
  const details = [...formatStepFacts(step), ...(step.error === undefined ? [] : [cliErrorText(step.error)])].join(
    ", ",
  );
  const elapsed = step.ms === undefined ? "" : ` (${formatSeconds(step.ms)})`;
  return `  ${stepTitles[step.step].padEnd(22)}${stateTexts[step.state]}${elapsed}${details === "" ? "" : `: ${details}`}`;
}

export function verdictLine(report: DoctorReport): string {
  const { model, verdict, numCtx, toolMode, tookMs } = report;
  const calls = toolMode === "native" ? "" : ` Its tool calls are read from its text (${toolMode}).`;
  return `${printable(model)} is ${verdictTexts[verdict]}. Window ${numCtx} tokens.${calls} The test took ${formatSeconds(tookMs)}.`;
}

const formatSeconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

function formatStepFacts({ step, state, facts = {}, error }: DoctorStep): readonly string[] {
  const fact = (name: string, say: (value: number) => string): readonly string[] => {
    const value = facts[name];
    return typeof value === "number" ? [say(value)] : [];
  };
  return [
    ...fact("vramShare", (share) => (share === 0 ? "on the CPU" : `${Math.round(share * 100)} % on the GPU`)),
    ...fact("allocated", (tokens) => `window ${tokens} tokens`),
    ...fact("readPerSecond", (speed) => `reads ${speed} tokens a second`),
    ...fact("writePerSecond", (speed) => `writes ${speed} tokens a second`),
    ...(typeof facts.mode === "string" ? [`calls: ${facts.mode}`] : []),
    ...(facts.repaired === true ? [step === "nested" ? "call repaired" : "arguments repaired"] : []),
    ...[keptTexts[`${facts.keeps}`], movedTexts[`${facts.moves}`]].filter((text) => text !== undefined),
    ...fact("firstMs", (first) => `read in ${formatSeconds(first)} at first`),
    ...fact("againMs", (again) => `in ${formatSeconds(again)} then`),
    ...fact("cached", (cached) => `${cached} tokens cached`),
    ...(typeof facts.proposed === "string" ? [`calls as text work: choose ${facts.proposed}`] : []),
    ...fact("tries", (count) => (count > 1 ? `${count} attempts` : "")).filter((text) => text !== ""),
    ...fact("read", (read) => `${read} tokens read`),
    ...(step === "window" && state === "failed" && error === undefined ? ["forgot the start"] : []),
  ];
}
