/** The gates of enabled extensions: asked before each call of a tool. They may deny or ask; one that fails asks. */
import { thrownText } from "@/lib/events/error";
import { isJsonObject } from "@/lib/events/content";
import { type GateNote, type GateVerdict, strictestVerdict } from "@/lib/permissions/gate";
import type { AskGates, GateCall } from "@/server/agent/tools/call-gate";
import { parseJson } from "@/server/base/parse-json";
import type { ScriptRun } from "./definition/read-definition";
import type { Extensions, ProjectExtensions, StatedExtension } from "./extensions";
import type { ScriptResult } from "./run-script";
import { describeStartProblem, toReason } from "./script-output";
import { gatePayload } from "./script-payload";
import type { ScriptRuns } from "./script-runs";

/** Time in which a gate has to answer, ms. */
const gateMs = 5_000;
const denyExit = 2;

/** Decisions of a script, and the names that Claude Code uses for them; any other decision is no answer. */
const decisions: ReadonlyMap<unknown, GateVerdict["kind"]> = new Map([
  ["deny", "deny"],
  ["block", "deny"],
  ["ask", "ask"],
  ["allow", "pass"],
  ["approve", "pass"],
]);

export function makeGates(extensions: Extensions, runs: ScriptRuns): AskGates {
  return async (call, signal) => {
    const before = extensions.peek(call.projectId);
    // After a failure, the list of enabled extensions is read again until that succeeds.
    const read = before?.problem === null ? before : await readNow(extensions, call, signal);
    if (read === null) return asks({ name: "" }, "not_loaded", "");
    if (read.problem !== null) return asksForFile("", read.problem.facts?.path);
    const gated = read.places.flatMap((place) => place.extensions.filter(hasGate));
    const ask = (extension: StatedExtension): Promise<GateVerdict> =>
      askGate(extension, read, call, runs, signal).catch((error: unknown) => {
        signal.throwIfAborted();
        return asks(extension, "broken", thrownText(error));
      });
    return strictestVerdict(await Promise.all(gated.map(ask)));
  };
}

async function readNow(extensions: Extensions, call: GateCall, signal: AbortSignal): Promise<ProjectExtensions | null> {
  const read = await extensions.refresh(call.projectId, signal);
  return read.ok ? read.value : null;
}

/** Also of one that changed or is gone since it was enabled. */
const hasGate = ({ status, definition, hadGate }: StatedExtension): boolean =>
  (status === "on" && definition.gate !== null) || ((status === "changed" || status === "gone") && hadGate);

const asks = (
  { name }: Pick<StatedExtension, "name">,
  failure: NonNullable<GateNote["failure"]>,
  reason: string,
): GateVerdict => ({ kind: "ask", note: { gate: name, reason: toReason(reason), failure } });

/** Asks because the file that says what the user enabled cannot be read, or not the entry of this gate. */
const asksForFile = (gate: string, file: unknown): GateVerdict => ({
  kind: "ask",
  note: { gate, reason: "", failure: "not_loaded", ...(typeof file === "string" ? { file } : {}) },
});

async function askGate(
  extension: StatedExtension,
  project: ProjectExtensions,
  call: GateCall,
  runs: ScriptRuns,
  signal: AbortSignal,
): Promise<GateVerdict> {
  const { gate } = extension.definition;
  const broken = extension.problems.find(({ kind }) => kind === "broken_approval");
  if (broken !== undefined) return asksForFile(extension.name, broken.file);
  if (extension.status !== "on" || gate === null) return asks(extension, "changed", "");
  return runGate(gate, { extension, project, call, runs }, signal);
}

interface GateWork {
  readonly extension: StatedExtension;
  readonly project: ProjectExtensions;
  readonly call: GateCall;
  readonly runs: ScriptRuns;
}

async function runGate(
  run: ScriptRun,
  { extension, project, call, runs }: GateWork,
  signal: AbortSignal,
): Promise<GateVerdict> {
  const { tool, input, mode, sessionId } = call;
  const caller = { extension: extension.name, sessionId, project: project.root };
  const payload = gatePayload(caller, tool, input, mode);
  const work = { extension, project, run, title: `gate before ${tool}`, input: payload, timeoutMs: gateMs };
  const result = await runs.run(work, signal);
  signal.throwIfAborted();
  if (result.ok) return readVerdict(extension, result.value);
  if (result.error.code === "changed_meanwhile") return asks(extension, "changed", "");
  return asks(extension, "broken", describeStartProblem(result.error));
}

function readVerdict(extension: StatedExtension, { exit, ended, output, errorTail }: ScriptResult): GateVerdict {
  if (ended === "timeout") return asks(extension, "late", "");
  if (ended !== null) return asks(extension, "broken", "");
  const text = output.toString("utf8").trim();
  const answer = parseJson(text);
  const value = isJsonObject(answer) ? answer : {};
  const reason = toReason(typeof value.reason === "string" ? value.reason : "");
  if (exit === denyExit) return { kind: "deny", note: { gate: extension.name, reason: toReason(errorTail) || reason } };
  if (exit !== 0) return asks(extension, "broken", errorTail);
  if (text === "") return { kind: "pass" };
  const kind = decisions.get(value.decision);
  if (kind === undefined) return asks(extension, "broken", text);
  return kind === "pass" ? { kind } : { kind, note: { gate: extension.name, reason } };
}
