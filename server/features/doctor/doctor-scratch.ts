/** Runs the doctor's tasks with the product's own agent in a scratch folder. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CallView, pathEntries, type SessionView } from "@/lib/view/view";
import type { ModelChoice } from "@/server/models/access/session-models";
import { emptyCatalogue } from "@/server/tools/toolbox/make-catalogue";
import { toolboxName } from "@/server/tools/toolbox/toolbox";
import { makeScratchSessions, type ScratchOptions } from "@/server/session/scratch/scratch-sessions";
import type { TaskResult, DoctorTask } from "./doctor-subject";

export interface DoctorScratch {
  /** Writes the files, sends the text, and runs to the end. Rejects with the signal's reason only. */
  runTask(choice: ModelChoice, task: DoctorTask, signal: AbortSignal): Promise<TaskResult>;
  /** Also deletes the folder. */
  close(): Promise<void>;
}

/** A model that has not finished these small tasks by then is looping. */
const maxTaskSteps = 8;

export async function makeDoctorScratch({
  services,
  environment,
  leftovers,
}: Pick<ScratchOptions, "services" | "environment" | "leftovers">): Promise<DoctorScratch> {
  let catalogue = emptyCatalogue;
  const scratch = await makeScratchSessions({
    services: { ...services, catalogue: () => catalogue },
    environment,
    leftovers,
    name: "doctor",
    maxSteps: maxTaskSteps,
    // The test tries the other modes itself.
    hasTextToolMode: false,
  });
  return {
    async runTask(choice, { files, text, catalogue: offered = emptyCatalogue }, signal) {
      signal.throwIfAborted();
      catalogue = offered;
      const approves = ({ name }: CallView): boolean => offered.tools.some((tool) => tool.name === name);
      const inFolder = (name: string): string => join(scratch.root, name);
      for (const [name, content] of Object.entries(files)) writeFileSync(inFolder(name), content);
      const { view } = await scratch.run({ choice, text, mode: "edits", approves }, signal);
      const after = Object.keys(files).map((name) => [name, readTextOrNull(inFolder(name))] as const);
      return { ...summarizeSession(view), files: Object.fromEntries(after) };
    },
    close: scratch.close,
  };
}

function readTextOrNull(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

function summarizeSession(view: SessionView): Omit<TaskResult, "files"> {
  const entries = pathEntries(view);
  const messages = entries.flatMap((entry) => (entry.kind === "message" ? [entry] : []));
  const calls = messages.flatMap((message) => message.calls);
  const error = entries.findLast((entry) => entry.kind === "error")?.error;
  const written = messages.flatMap(({ blocks }) =>
    blocks.flatMap((block) =>
      block.type === "call" ? [{ name: block.name, input: block.input, isText: block.raw !== undefined }] : [],
    ),
  );
  return {
    calls: calls.length,
    // A question to the toolbox is always answered.
    succeeded: calls.filter((call) => call.state === "ok" && call.name !== toolboxName).length,
    written,
    error,
  };
}
