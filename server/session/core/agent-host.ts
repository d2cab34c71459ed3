/** Implements AgentHost for one session with its log, tool environment, locks and approvals. */
import type { Block } from "@/lib/events/content";
import type { ApprovalId, CallId, MessageId, TurnId } from "@/lib/events/id";
import { isCommandKind } from "@/lib/events/tool-presentations";
import { messageToolName } from "@/lib/channels/message-tool";
import { serverLimits } from "@/lib/settings/server-limits";
import { limits, type Settings } from "@/lib/settings/settings";
import { type CallView, pathEntriesBackward, type SessionView } from "@/lib/view/view";
import { wasWrittenByOthers } from "@/server/agent/tools/seen-text";
import type { AgentHost, CallJudgement } from "@/server/agent/host";
import type { StoredPrompt } from "@/lib/models/stored-prompt";
import { makeLocks } from "@/server/agent/tools/locks";
import { mayHoldForeignText } from "@/server/agent/tools/read-external";
import { resolveTools } from "@/server/tools/core/tool-source";
import { toolboxToolSource } from "@/server/tools/toolbox/toolbox";
import { randomId } from "@/server/base/id";
import { dueContext } from "@/server/agent/context/context-blocks";
import type { ToolAccess } from "@/lib/permissions/policy";
import type { ContextBlock, FolderGuide } from "@/server/agent/context/context-source";
import type { UserCommandHost } from "../user-commands/run-user-command";
import { contextFacts } from "../context/message-context";
import type { SessionPins } from "../context/pinned-files";
import { shellReplacedText, shellRestartText } from "../context/sources/shell-sources";
import { type EncodedImages, makeEncodedImages } from "../context/encoded-images";
import { judgeForSession } from "./accepted-edits";
import type { SessionLog } from "./session-log";
import { catalogueAsSource, sessionCatalogue, sessionPrompt } from "./session-prompt";
import { modelParts } from "./model-parts";
import { makeSessionReview, type SessionReview } from "../review/session-review";
import {
  makeListenerSet,
  makeRunningCommands,
  type RunningCommands,
  type SessionRunControls,
} from "../runs/run-controls";
import type { SessionServices } from "./services";
import type { SessionToolEnvironment } from "@/server/workspace/projects/tool-environment";
import type { ApprovalWaiters } from "./approval-waiters";

/** Cached base64 images of one session during a run, characters. */
const encodedImageChars = 20_000_000;

export function makeAgentHost(parts: {
  readonly log: SessionLog;
  readonly services: SessionServices;
  readonly waiters: ApprovalWaiters;
  readonly pins: SessionPins;
}): {
  readonly host: UserCommandHost;
  readonly commands: SessionRunControls;
  readonly review: SessionReview;
  /** Disposes the tool environment; the next call creates another. */
  rest(): void;
} {
  const { log, services, waiters, pins } = parts;
  const view = (): SessionView => log.view();
  const prompt = (): StoredPrompt => sessionPrompt(view(), services);
  const commands = makeRunningCommands();
  const lazyEnvironment = makeLazyToolEnvironment(view, services, commands, pins);
  const answerNow = makeListenerSet();
  const images = makeLogImageCache(log, services);
  const review = makeSessionReview({ log, services });

  const host: UserCommandHost = {
    view,
    commit: (events) => void log.commit(events),
    live: log.live,
    now: services.now,
    ids: {
      turn: () => randomId<TurnId>("t"),
      message: () => randomId<MessageId>("m"),
      call: () => randomId<CallId>("c"),
      approval: () => randomId<ApprovalId>("a"),
    },
    prompt,
    image: (blob) => (services.seesImages(view().model) ? images.get(blob) : null),
    stream(request, signal) {
      lazyEnvironment.world().prepare();
      return services.stream(request, signal, view().sessionId);
    },
    cacheUse: services.cacheUse,
    ...modelParts(view, services),
    contextSources: () => services.contextSources(view().projectId),
    contextFacts: () => contextFacts(view(), services, () => pins.plan(view())),
    readPins: (signal) => pins.read(view(), signal),
    pins: () => pins.plan(view()),
    onAnswerNow: answerNow.on,
    onEndCommand: commands.on,
    settings: () => ({
      ...services.settings(),
      ...lowerLimits(services.settings(), [subagentLimits(view()), services.unattendedTerms(view().sessionId)]),
      vision: services.seesImages(view().model),
    }),
    tools: () =>
      resolveTools(prompt().tools, [...services.toolSources(), catalogueAsSource(services, view()), toolboxToolSource]),
    catalogue: () => sessionCatalogue(view(), services),
    askGates: services.askGates,
    approveTool: (access) => services.store.approvedTools.approve(view().projectId, access, services.now()),
    ...guardParts(view, services, lazyEnvironment.world),
    toolEnvironment: lazyEnvironment.world,
    userShell: () => lazyEnvironment.world().userShell(),
    locks: makeLocks(),
    dueNotices: lazyEnvironment.notices,
    readFolderGuides: (accesses) => services.readFolderGuides(view().projectId, touchedPath(accesses)),
    markNoticesDelivered: lazyEnvironment.markDelivered,
    recordBeforeWrite(callId, path, before) {
      const blob = before === null ? null : services.store.blobs.put(before.bytes);
      log.commit([{ type: "file_change", callId, path, before: blob, mode: before?.mode ?? 0 }]);
      return blob;
    },
    applyReviews: review.applyWaiting,
    waitForResponse: waiters.wait,
  };
  return {
    host,
    review,
    commands: { answerNow: answerNow.notify, endCommand: commands.end, restartShell: lazyEnvironment.restartShell },
    rest: lazyEnvironment.rest,
  };
}

type RunLimits = Pick<Settings, "maxSteps" | "maxRunMinutes">;

const subagentLimits = ({ parent }: SessionView): RunLimits | null =>
  parent?.relation === "subagent"
    ? { maxSteps: limits.subagentSteps, maxRunMinutes: serverLimits.subagentMinutes }
    : null;

/** A run ends at the lowest limits that apply to it; 0 minutes in the settings = no limit. */
function lowerLimits(settings: RunLimits, others: readonly (RunLimits | null)[]): RunLimits {
  const all = [settings, ...others.filter((one) => one !== null)];
  const minutes = all.flatMap(({ maxRunMinutes }) => (maxRunMinutes === 0 ? [] : [maxRunMinutes]));
  return {
    maxSteps: Math.min(...all.map(({ maxSteps }) => maxSteps)),
    maxRunMinutes: minutes.length === 0 ? 0 : Math.min(...minutes),
  };
}

function makeLogImageCache(log: SessionLog, { store }: SessionServices): EncodedImages {
  const images = makeEncodedImages({
    blobs: store.blobs,
    isRunning: () => log.view().run !== null,
    maxChars: encodedImageChars,
  });
  log.subscribe(({ event }) => {
    if (event.type === "agent_end") images.clear();
  });
  return images;
}

/** In a folder that is not trusted, its own files are the content of others. */
const withUntrustedFolder = (judgement: CallJudgement): CallJudgement =>
  judgement.decision.kind === "ask" && judgement.decision.reason === "read_external"
    ? { ...judgement, decision: { ...judgement.decision, reason: "untrusted_folder" } }
    : judgement;

/**
 * Whether a message to this person was sent in the session, and allowed here: an answer from afar allows one message alone. A fork
 * does not inherit it, and the log of an imported session is no evidence.
 */
function hasSentMessage(view: SessionView, receiver: string | null): boolean {
  if (view.imported === true || receiver === null) return false;
  const inherited = view.parent?.relation === "fork" ? view.parent.atSeq : 0;
  for (const entry of pathEntriesBackward(view)) {
    if (entry.seq <= inherited) return false;
    if (entry.kind === "message" && entry.calls.some((call) => isMessageTo(call, receiver))) return true;
  }
  return false;
}

const isMessageTo = ({ name, state, facts, approvals }: CallView, receiver: string): boolean =>
  name === messageToolName &&
  state === "ok" &&
  facts.receiver === receiver &&
  approvals.every(({ response }) => response?.origin === undefined || response.origin.kind === "cli");

/** Decisions on accesses, and the record of those made without asking. */
const guardParts = (view: () => SessionView, services: SessionServices, environment: () => SessionToolEnvironment) =>
  ({
    judge: async (accesses) => {
      const hasMessaged = accesses.some(
        (access) => access.kind === "message" && hasSentMessage(view(), access.receiver),
      );
      const isMemory = accesses.some(({ kind }) => kind === "memory");
      const { root, shell } = environment();
      const { mode, projectId } = view();
      const { store } = services;
      const isTrusted = store.projects.isTrusted(projectId);
      const hasReadExternal = isMemory && (await mayHoldForeignText(view(), services.catalogue(projectId), isTrusted));
      const approvedTools = store.approvedTools.list(projectId);
      const rules = [...store.rules.list(projectId), ...(services.unattendedTerms(view().sessionId)?.rules ?? [])];
      const wasSeen = (text: string): Promise<boolean> => wasWrittenByOthers(view(), text);
      const network = view().networkSince > 0;
      const facts = {
        root,
        cwd: shell.cwd,
        mode,
        rules,
        approvedTools,
        wasSeen,
        hasReadExternal,
        hasMessaged,
        network,
      };
      const judgement = judgeForSession(await services.judge(accesses, facts), view());
      return isTrusted ? judgement : withUntrustedFolder(judgement);
    },
    logDecision: (tool, target, decision) => {
      const { projectId, sessionId, mode } = view();
      const { kind, reason, rule } = decision;
      const detail = kind === "refuse" && decision.detail !== target ? { detail: decision.detail } : {};
      const logged = { projectId, sessionId, mode, tool, target, kind, reason, rule, ...detail };
      services.store.decisions.add({ ...logged, at: services.now() });
    },
  }) satisfies Partial<AgentHost>;

/** The path that a file tool works on; null = it touches no file. */
const touchedPath = (accesses: readonly ToolAccess[]): string | null =>
  accesses.flatMap((access) => (access.kind === "read" || access.kind === "write" ? [access.target] : []))[0] ?? null;

/** Creates the session's tool environment on first use, and the notices that accompany its results. */
function makeLazyToolEnvironment(
  view: () => SessionView,
  services: SessionServices,
  commands: Pick<RunningCommands, "endAll">,
  pins: Pick<SessionPins, "plan">,
) {
  let environment: SessionToolEnvironment | null = null;
  /** This shell replaces the shell of an earlier environment. */
  let shellIsNew = false;
  /** The user restarted the shell, and the model has no notice of it yet. */
  let isRestarted = false;
  /** Calls before the restart: their working directories no longer apply. */
  let before: ReadonlySet<CallId> = new Set();
  return {
    notices: (tool: string, guides: readonly FolderGuide[] = []): readonly ContextBlock[] =>
      dueContext(services.contextSources(view().projectId), "result", {
        ...contextFacts(view(), services, () => pins.plan(view())),
        tool,
        guides,
        shell: { isRestarted, isReplaced: shellIsNew },
      }),
    world(): SessionToolEnvironment {
      if (environment !== null) return environment;
      const last = findLastShellCall(view());
      const isKept = last !== undefined && !before.has(last.callId);
      shellIsNew = isKept;
      environment = services.toolEnvironment(
        view().projectId,
        view().sessionId,
        (isKept ? last.facts.cwd : undefined) ?? view().cwd,
      );
      return environment;
    },
    /** Whether the other notices were delivered follows from the log. */
    markDelivered(blocks: readonly Block[]): void {
      const texts = blocks.flatMap((block) => (block.type === "context" ? [block.text] : []));
      if (texts.includes(shellRestartText)) isRestarted = false;
      if (texts.includes(shellReplacedText)) shellIsNew = false;
    },
    restartShell(): void {
      const last = findLastShellCall(view());
      const ended = commands.endAll();
      before = new Set([...before, ...ended, ...(last === undefined ? [] : [last.callId])]);
      isRestarted ||= last !== undefined || ended.length > 0;
      environment?.dispose();
      environment = null;
    },
    rest(): void {
      environment?.dispose();
      environment = null;
    },
  };
}

/** The last command on the path with a known working directory: the next command starts there. */
function findLastShellCall(view: SessionView): CallView | undefined {
  for (const entry of pathEntriesBackward(view)) {
    if (entry.kind !== "message") continue;
    const call = entry.calls.findLast((one) => isCommandKind(one.kind) && one.facts.cwd !== undefined);
    if (call !== undefined) return call;
  }
  return undefined;
}
