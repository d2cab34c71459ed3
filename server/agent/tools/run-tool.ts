/**
 * The pipeline of one tool call: parse, lock, judge, preview, (request approval), run, cut, end. The only place with
 * approval and truncation. Starts at the call's logged state, so a response after a restart resumes it.
 */
import type { Json } from "@/lib/events/content";
import { ok, type Result, thrownText } from "@/lib/events/error";
import type { DurableEvent } from "@/lib/events/event";
import type { CallId } from "@/lib/events/id";
import type { ToolAccess, Decision, Mode } from "@/lib/permissions/policy";
import { serverLimits } from "@/lib/settings/server-limits";
import { type CallFacts, type CallPreview, externalReasons } from "@/lib/events/tool-kind";
import type { CallView, MessageEntry } from "@/lib/view/view";
import { at, indexOfSeq } from "@/lib/view/chunks";
import { computeHash } from "@/server/base/id";
import { type ApprovedVersion, type Tool, ToolError, type ToolResult } from "@/server/tools/core/tool";
import { applyVerdict, type GatedDecision } from "./call-gate";
import { requestApproval } from "./request-approval";
import { endCall, type CallEnding } from "./end-call";
import type { AgentHost, CallJudgement } from "../host";
import { describeFileChanges } from "./file-changes";
import { callIdOf, lockKeys, makeDependencies, makeToolCall, type PreparedCall } from "./prepared-call";
import { arrivedEmpty, reportLostArguments } from "./lost-arguments";
import { denialText, refusalText } from "./refusal-text";
import { findChange, resolveCall } from "./resolve-call";
import { askForNetwork, askForReadOnly, askOnceWithoutUndo, hasMissedNetwork, isWithoutUndo } from "./call-warnings";

/** Maximum number of new previews for a file that keeps changing, before the call fails. */
const previewRenewalsMax = 5;

/**
 * Commits the end of the call, unless the signal fires first: then closing the run ends it. `maxTokens` bounds the
 * result.
 */
export async function runTool(
  host: AgentHost,
  message: MessageEntry,
  callId: CallId,
  maxTokens: number,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  const block = message.blocks.find((one) => one.type === "call" && one.callId === callId);
  if (block?.type !== "call") return;
  const found = resolveCall(host, block);
  const tool = found.kind === "tool" ? found.tool : undefined;
  let startedAt = host.now();
  const finish = (ended: CallEnding): Promise<void> => endCall(host, callId, tool, ended, maxTokens, startedAt);
  if (found.kind === "failed" || tool === undefined)
    return finish({
      outcome: "error",
      text: found.kind === "failed" ? found.text : "",
      facts: { code: found.kind === "failed" ? found.code : "unknown_tool" },
      start: toStartEvent(message, callId, undefined, block.name, {}),
    });
  const parsed = tool.parse(found.input);
  if (!parsed.ok) {
    const isEmpty = arrivedEmpty(block);
    await finish({
      outcome: "error",
      text: isEmpty ? `The arguments arrived empty. ${parsed.messageForModel}` : parsed.messageForModel,
      facts: { code: "bad_input" },
      start: toStartEvent(message, callId, tool, shortInputText(found.input), {}),
    });
    if (isEmpty) reportLostArguments(host);
    return;
  }
  const { input } = parsed;
  const repaired = parsed.repaired || block.repaired === true;
  // Waiting for a lock or for the user does not count as the call's time.
  const begins = (): void => {
    startedAt = host.now();
  };
  const release = await host.locks.take(lockKeys(host, tool, input), signal);
  try {
    const ended = await executeCall({ host, tool, input, callId, message, repaired, startClock: begins }, signal);
    const guides = ended.outcome === "ok" ? await host.readFolderGuides(tool.access(input)) : [];
    await endCall(host, callId, tool, ended, maxTokens, startedAt, guides);
  } finally {
    release();
  }
}

/**
 * Judges, previews, requests approval and runs. Repeats with a new approval if the file changed between approval and
 * write, or if the user restarted the shell in the meantime: the command would run in another folder than shown.
 */
async function executeCall(call: PreparedCall, signal: AbortSignal): Promise<CallEnding> {
  const { host, tool, input } = call;
  for (let round = 0; ; round += 1) {
    const accesses = tool.access(input, host.view().sessionId);
    const judgement = await host.judge(accesses);
    signal.throwIfAborted();
    call.startClock();
    const { decision } = judgement;
    if (decision.kind === "refuse") return endRefused(call, decision, refusalText(decision));
    const isCommand = accesses.some((access) => access.kind === "exec");
    let opened: Decision = decision;
    const environment = host.toolEnvironment();
    const toolCall = makeToolCall(call, accesses, signal);
    const prepared = await tryToolStep(async () => {
      const limits = () => commandLimits(judgement, opened, host.view().mode);
      const runner = tool.create(makeDependencies(call, limits));
      return { runner, ...(await runner.preview?.(input, toolCall, signal)) };
    }, signal);
    if (!prepared.ok) return toFailedEnding(call, prepared.error);
    const { runner, preview, seen } = prepared.value;
    const { projectId, sessionId, mode } = host.view();
    const verdict = await host.askGates({ projectId, sessionId, mode, tool: tool.name, input }, signal);
    signal.throwIfAborted();
    const noUndo = isCommand && judgement.readsOnly !== true && (await isWithoutUndo(host, judgement));
    const warned = noUndo ? askOnceWithoutUndo(decision, host.view()) : askForReadOnly(decision, preview);
    const gated = applyVerdict(warned, verdict);
    if (gated.kind === "denied") return endRefused(call, gated.decision, gated.text);
    opened = gated.decision;
    const hasFailed = (): boolean => hasMissedNetwork(host.view(), tool.target(input));
    const finalDecision = askForNetwork(gated.decision, judgement, hasFailed);
    const marks = {
      ...(noUndo ? { noUndo } : {}),
      ...(finalDecision.reason === "needs_network" ? { needsNetwork: true } : {}),
    };
    const denied = await requestPermission(
      call,
      { ...gated, decision: finalDecision },
      addJudgement(preview, judgement, marks, host.view().cwd),
      seen,
      signal,
    );
    call.startClock();
    if (denied !== null) return denied;
    const external = accesses.filter((access) => access.kind === "external");
    const changed = external.length === 0 ? null : findChange(host, tool);
    if (changed !== null) return toFailedEnding(call, new ToolError(changed.code, changed.text));
    if (decision.kind === "ask") external.forEach(host.approveTool);
    if (isCommand && host.toolEnvironment() !== environment && round < previewRenewalsMax) continue;
    const run = (): Promise<Result<ToolResult, ToolError>> =>
      tryToolStep(() => runner.run(input, toolCall, signal, seen), signal);
    if (isCommand && judgement.readsOnly !== true) return runTrackingFiles(call, run);
    const done = await run();
    if (done.ok) return { outcome: "ok", result: done.value };
    if (done.error.code !== "changed_meanwhile" || round >= previewRenewalsMax) return toFailedEnding(call, done.error);
  }
}

function endRefused(call: PreparedCall, decision: Extract<Decision, { kind: "refuse" }>, text: string): CallEnding {
  const { host, tool, input } = call;
  host.logDecision(tool.name, tool.target(input), decision);
  return {
    outcome: "error",
    text,
    facts: { code: decision.code, rule: decision.reason, ...refusalFacts(decision), ...refusedFolder(call, decision) },
    start: callStart(call),
  };
}

/** The cause of a refusal, for the user. Plan mode refuses the call as a whole. */
function refusalFacts({
  reason,
  detail,
  part,
  words = "",
}: Extract<Decision, { kind: "refuse" }>): Pick<CallFacts, "refusedBy" | "refusedPart" | "refusedWords"> {
  if (reason === "plan_mode") return {};
  const cut = (text: string): string => text.slice(0, serverLimits.decisionTargetChars);
  return {
    refusedBy: cut(detail),
    ...(part === undefined ? {} : { refusedPart: cut(part) }),
    ...(words === "" ? {} : { refusedWords: cut(words) }),
  };
}

/** The folder of a command that was refused by name: the user may run it there. */
function refusedFolder({ host }: PreparedCall, { reason }: Decision): Pick<CallFacts, "startFolder"> {
  if (reason !== "blocked_word") return {};
  const { files, shell } = host.toolEnvironment();
  return shell.cwd === files.root ? {} : { startFolder: shell.cwd };
}

/**
 * Returns the limits of a command that runs unasked because it reads. `decision` = with the gates' verdict. Full access is
 * an approval of every command.
 */
const commandLimits = (judgement: CallJudgement, decision: Decision, mode: Mode) => ({
  readsOnly: judgement.readsOnly === true,
  isLimited: decision.kind === "allow" && decision.reason === "reads" && mode !== "full",
});

/** Commits the file changes of a command together with its end, or on their own if it has none. */
async function runTrackingFiles(
  call: PreparedCall,
  run: () => Promise<Result<ToolResult, ToolError>>,
): Promise<CallEnding> {
  const { host, callId } = call;
  const { value, found } = await host.toolEnvironment().trackFileChanges(callId, run);
  const { files, facts } = describeFileChanges(callId, found);
  if (value.status === "rejected") {
    host.commit(files);
    throw value.reason;
  }
  if (!value.value.ok) {
    const ended = toFailedEnding(call, value.value.error);
    return { ...ended, facts: { ...ended.facts, ...facts }, files };
  }
  const result = value.value.value;
  const changes = found.changes.length > 0 ? { changes: found.changes } : {};
  return { outcome: "ok", result: { ...result, facts: { ...result.facts, ...facts }, ...changes }, files };
}

const toFailedEnding = (call: PreparedCall, error: ToolError): Exclude<CallEnding, { outcome: "ok" }> => ({
  outcome: "error",
  text: error.messageForModel,
  facts: { ...error.facts, code: error.code },
  start: callStart(call),
});

/** Turns any failure of a tool into a result for the model. Throws only if the signal fired. */
async function tryToolStep<T>(work: () => Promise<T>, signal: AbortSignal): Promise<Result<T, ToolError>> {
  try {
    return ok(await work());
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ToolError) return { ok: false, error };
    const detail = thrownText(error);
    return { ok: false, error: new ToolError("tool_failed", `The tool failed: ${detail}`) };
  }
}

/**
 * Returns null to proceed, otherwise the end of a denied call. Commits the start, together with the request if
 * approval is required.
 */
async function requestPermission(
  call: PreparedCall,
  { decision, note }: Extract<GatedDecision, { kind: "open" }>,
  preview: CallPreview | undefined,
  seen: ApprovedVersion | undefined,
  signal: AbortSignal,
): Promise<CallEnding | null> {
  signal.throwIfAborted();
  const { host, callId } = call;
  const start = callStart(call);
  const lastApproval = findCallView(host, call).approvals.at(-1);
  const boundTo = computeHash(
    JSON.stringify({
      input: call.input,
      cwd: host.toolEnvironment().shell.cwd,
      seen: seen?.hash ?? null,
      ...externalDefinition(call),
    }),
  );
  const isSameRequest = lastApproval?.boundTo === boundTo;
  // A pending card stays in any mode; an approval of other content does not count.
  const waits = lastApproval !== undefined && lastApproval.response === undefined;
  if (decision.kind === "allow" && !isSameRequest && !waits) {
    if (start !== null) host.commit([start]);
    host.logDecision(call.tool.name, call.tool.target(call.input), decision);
    return null;
  }
  const request = {
    boundTo,
    options: decision.kind === "ask" ? decision.options : (lastApproval?.options ?? []),
    ...(decision.kind === "ask" && decision.proposal !== undefined ? { rule: decision.proposal } : {}),
    preview,
    ...(note === undefined ? {} : { gate: note }),
  };
  const response = await requestApproval(
    host,
    callId,
    isSameRequest ? (lastApproval ?? null) : null,
    request,
    start,
    signal,
  );
  return response.option === "deny"
    ? { outcome: "denied", text: denialText(response.reason), facts: { code: "denied" }, start: null }
    : null;
}

/** The tool and its definition, which an approval of an external call is bound to. */
function externalDefinition({ tool, input }: PreparedCall): { readonly external?: readonly ToolAccess[] } {
  const external = tool.access(input).filter(({ kind }) => kind === "external");
  return external.length === 0 ? {} : { external };
}

/** Adds to the preview what was judged: the parts of a command with its `marks`, and why an external tool asks. */
function addJudgement(
  preview: CallPreview | undefined,
  judgement: CallJudgement,
  marks: { readonly noUndo?: boolean; readonly needsNetwork?: boolean },
  folder: string,
): CallPreview | undefined {
  const { decision, parts = [], sandbox } = judgement;
  if (preview?.kind === "command")
    return { ...preview, parts, ...(sandbox === undefined ? {} : { sandbox }), ...marks };
  const reason = externalReasons.find((one) => one === decision.reason);
  if (preview?.kind !== "external" || reason === undefined) return preview;
  return { ...preview, why: reason, ...(reason === "untrusted_folder" ? { folder } : {}) };
}

/** tool_call_start, unless it is already in the log. */
function callStart(call: PreparedCall): DurableEvent | null {
  return findCallView(call.host, call).state === "queued"
    ? toStartEvent(call.message, call.callId, call.tool, call.tool.target(call.input), {
        ...(call.tool.facts?.(call.input, call.host.settings(), callIdOf(call)) ?? {}),
        ...(call.repaired ? { repaired: true } : {}),
      })
    : null;
}

const toStartEvent = (
  message: MessageEntry,
  callId: CallId,
  tool: Tool | undefined,
  target: string,
  facts: CallView["facts"],
): DurableEvent => {
  const called = message.calls.find((call) => call.callId === callId)?.name;
  return {
    type: "tool_call_start",
    callId,
    messageId: message.messageId,
    kind: tool?.kind ?? "other",
    target,
    facts,
    ...(tool === undefined || tool.name === called ? {} : { name: tool.name }),
  };
};

const shortInputText = (input: Json): string =>
  (typeof input === "string" ? input : JSON.stringify(input)).slice(0, 200);

function findCallView(host: AgentHost, call: { readonly callId: CallId; readonly message: MessageEntry }): CallView {
  const view = host.view();
  const entry = at(view.entries, indexOfSeq(view.entries, call.message.seq));
  const found = entry?.kind === "message" ? entry.calls.find((one) => one.callId === call.callId) : undefined;
  if (found === undefined) throw new Error(`call ${call.callId} is not in its message`);
  return found;
}
