/**
 * `gopi-web doctor`: tests a model on this machine. A client of the home's server, which runs the test; prints the
 * progress step by step.
 */
import type { DoctorRun } from "@/lib/models/models";
import type { Push } from "@/lib/protocol/push";
import { toModelInput } from "@/lib/models/parse-model-name";
import type { DoctorArguments } from "../arguments/parse-arguments";
import { resolveTestedModel } from "../resolve-model";
import { abortedExitCode, callOrThrow, followServerJob, makeExitCode, runInterruptible } from "../server-job";
import type { SessionLink } from "../session-link";
import { sandboxLine } from "../sandbox-line";
import { runLine, stepLine, verdictLine } from "./doctor-lines";

/** Exit code: 0 the model is usable, 1 it is not or the test failed, 130 stopped. */
export const runDoctor = (command: DoctorArguments): Promise<number> =>
  runInterruptible((signal, leave) => testModel(command, signal, leave));

/** Tests a model and prints the steps. Returns the exit code. Rejects as `followServerJob`. */
export const testModel = (
  command: Omit<DoctorArguments, "kind">,
  signal: AbortSignal,
  leave: AbortSignal,
): Promise<number> => followServerJob(command, doctorJob(command), signal, leave);

const doctorJob = ({ json, model }: Pick<DoctorArguments, "json" | "model">) => ({
  name: "doctor",
  follower: makeTestFollower(json),
  start: async (link: SessionLink): Promise<DoctorRun> => {
    const run = await callOrThrow(link, "models.doctor", toModelInput(await resolveTestedModel(link, model)));
    const line = sandboxLine(await callOrThrow(link, "settings.sandbox", {}));
    if (line !== null) process.stderr.write(`gopi-web: ${line}\n`);
    return run;
  },
  stop: (link: SessionLink) => link.call("models.cancel_doctor", {}),
});

/** Prints each step once, when it is finished, and detects the end. */
function makeTestFollower(json: boolean) {
  const printed = new Set<string>();
  const early: DoctorRun[] = [];
  let model: string | null = null;
  const exitCode = makeExitCode();
  const write = (line: string): void => void process.stdout.write(`${line}\n`);

  function show(run: DoctorRun): void {
    if (run.model !== model || exitCode.isSet()) return;
    if (json) write(JSON.stringify(run));
    for (const step of json ? [] : run.steps) {
      if (step.state === "waiting" || step.state === "running" || printed.has(step.step)) continue;
      printed.add(step.step);
      write(stepLine(step));
    }
    if (run.cancelled === true) exitCode.set(abortedExitCode);
    if (run.report === undefined) return;
    if (!json) write(verdictLine(run.report));
    exitCode.set(run.report.verdict === "unusable" ? 1 : 0);
  }
  return {
    onPush(push: Push): void {
      if (push.type !== "doctor") return;
      if (model === null) early.push(push.run);
      else show(push.run);
    },
    begin(run: DoctorRun): void {
      model = run.model;
      if (!json) write(runLine(run));
      for (const each of early.splice(0)) show(each);
    },
    end: exitCode.wait,
  };
}
