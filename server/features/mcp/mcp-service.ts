/** The servers of the files: what is configured, what the user approved, and the calls of their tools. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { type AgentError, fail, ok, type Result } from "@/lib/events/error";
import { asId, type Hash, type ProjectId } from "@/lib/events/id";
import { type ListedTool, type StoredTool, storedToolState } from "@/lib/tools/tool-definitions";
import type { ApprovedSource } from "@/server/store/access/tool-sources";
import { neverAborted } from "@/server/base/abort";
import { runStepsInSlices } from "@/server/base/steps";
import { isArgumentsObject } from "@/server/tools/arguments/parameter-shapes";
import { ToolError } from "@/server/tools/core/tool";
import { forgetToolSource } from "@/server/session/service/forget-tool-source";
import type { FeatureHost } from "../feature";
import { type ApprovedServers, makeApprovedServers } from "./approved-servers";
import { admitsTool } from "./config/server-config";
import { type ConfiguredServer, type ConfiguredServers, makeConfiguredServers, processKey } from "./configured-servers";
import { type Clock, systemClock } from "./call-limit";
import { describeCallFailure, unansweredNote } from "./failure";
import { makeHttpVerdicts } from "./http-verdicts";
import type { McpFile } from "./mcp-file";
import { reportUpdates } from "./server-text";
import { callWithAddresses, makeQuestions, type Questions } from "./questions";
import type { ListedTools } from "./server-life";
import { type ListedOffers, makeOffers, makeOfferStore, type Offers, type OfferStore } from "./server-offers";
import { resolveStart, serverOff } from "./server-start";
import { makeMcpServers, type McpServers, type ServerKey } from "./servers";
import { makeServerSources, type ServerSources } from "./server-sources";
import { definitionHash, readListed, type RunExternalCall, shownHash } from "./source-tools";
import { toForeignOutput } from "@/server/tools/toolbox/foreign-result";
import type { SignInService } from "./sign-in/sign-in-service";

export type McpServiceHost = Pick<
  FeatureHost,
  "store" | "projects" | "environment" | "leftovers" | "settings" | "version" | "home" | "push" | "reportBug" | "now"
> & {
  /** Absent = that of the system. */
  readonly clock?: Clock;
};

/** undefined = as it is. */
interface ToolChange {
  readonly isOff: boolean | undefined;
  readonly isPinned: boolean | undefined;
}

export interface McpService {
  readonly configured: ConfiguredServers;
  /** Null = it was never approved, or would be started otherwise than approved. */
  approved(server: ConfiguredServer, projectId: ProjectId): ApprovedSource | null;
  readonly sources: ServerSources["sources"];
  readonly cutIn: ServerSources["cutIn"];
  readonly servers: McpServers;
  readonly questions: Questions;
  /** Prompts and resources. */
  readonly offers: Offers;
  /** Approves how the server is started and all its tools as it lists them. */
  approve(projectId: ProjectId, server: ConfiguredServer, signal: AbortSignal): Promise<Result<void>>;
  /** Approves tools as they were shown; one that is gone is removed. False = one has changed since; none is approved. */
  accept(
    projectId: ProjectId,
    server: ConfiguredServer,
    shown: readonly { readonly name: string; readonly hash: Hash }[],
  ): boolean;
  /** Switches or pins a tool; false = there is none of this name. */
  setTool(projectId: ProjectId, server: ConfiguredServer, ownName: string, change: ToolChange): boolean;
  /** Ends the processes and connections of a server, in all projects. */
  stop(server: ConfiguredServer): Promise<void>;
  /** Ends its processes, and deletes its approval and the rules that allow its tools. */
  forget(server: ConfiguredServer): Promise<void>;
}

const unusableReasons = {
  bytes: "its parameters are over 64 KB",
  levels: "its parameters are nested too deeply",
  headers: "its parameters are bound to headers in a way that MCP does not allow",
  task: "it can only be called as a task",
  app: "it is for the page of an app only",
} as const;

const toListedTools = ({ entries }: ListedTools): readonly ListedTool[] =>
  entries.map(({ name, description, inputSchema, unusable }) => ({
    ownName: name,
    definition: {
      description,
      parameters: inputSchema,
      ...(unusable === null ? {} : { unusable: unusableReasons[unusable] }),
    },
  }));

export function makeMcpService(
  host: McpServiceHost,
  file: McpFile,
  signIns: Pick<SignInService, "authorization" | "forgetMissing">,
): McpService {
  const approvals = makeApprovedServers(host.store);
  const offerStore = makeOfferStore(join(host.home, "mcp-offers.json"));
  const { get: approved } = approvals;
  const changed = (project: string): void => host.push({ type: "mcp", projectId: asId<ProjectId>(project) });
  const find = ({ project, server }: Pick<ServerKey, "project" | "server">): ConfiguredServer | undefined =>
    configured.in(asId<ProjectId>(project)).find(({ key }) => key === server);
  const { clock = systemClock } = host;
  const configured = makeConfiguredServers({
    projects: host.projects,
    now: host.now,
    file,
    otherIds: () => [...host.store.toolSources.names("openapi"), ...host.store.toolSources.names("extension")],
    onChange() {
      signIns.forgetMissing(configured);
      void servers.stop((key) => {
        const server = find(key);
        return server?.launch !== key.launch || server.config.disabled;
      });
    },
  });
  const servers = makeMcpServers({
    version: host.version,
    clock,
    verdicts: makeHttpVerdicts(join(host.home, "mcp-verdicts.json"), host.now),
    resolve: (key) => resolveStart(host, signIns.authorization, find(key), key),
    onTools(key, list) {
      const server = find(key);
      if (server?.launch !== key.launch) return;
      approvals.list(server, asId<ProjectId>(key.project), toListedTools(list));
      changed(key.project);
    },
    onOffers(key, offers) {
      if (saveOffers({ find, approved, offerStore }, key, offers)) changed(key.project);
    },
    onState: ({ project }) => changed(project),
    elicit: (key, request, signal) => questions.ask(key, request, signal),
    onAddressFinished: (key, elicitationId) => questions.finish(key, elicitationId),
  });
  const questions = makePushedQuestions(host);
  return {
    configured,
    approved,
    ...makeServerSources({
      configured,
      approvals,
      run: (server, projectId) => makeRunCall({ servers, questions, find, approved, clock }, server, projectId),
    }),
    servers,
    questions,
    offers: makeOffers({
      store: offerStore,
      servers,
      usable: (projectId) =>
        configured.in(projectId).filter((server) => !server.config.disabled && approved(server, projectId) !== null),
    }),
    ...makeDecisions({ store: host.store, servers, configured, approvals, offerStore, changed, push: host.push }),
  };
}

/** Questions whose list is pushed with the rows of their sessions. */
function makePushedQuestions({ now, push, store }: McpServiceHost): Questions {
  const questions = makeQuestions({
    now,
    makeId: randomUUID,
    onChange() {
      const list = questions.list();
      push({ type: "questions", questions: list });
      for (const row of store.sessions.setAsking(new Set(list.map(({ sessionId }) => sessionId))))
        push({ type: "session_row", row });
    },
  });
  return questions;
}

/** Of an approved server. False = nothing has changed. */
function saveOffers(
  {
    find,
    approved,
    offerStore,
  }: Pick<McpService, "approved"> & {
    readonly offerStore: OfferStore;
    find(key: ServerKey): ConfiguredServer | undefined;
  },
  key: ServerKey,
  offers: ListedOffers,
): boolean {
  const server = find(key);
  if (server?.launch !== key.launch || approved(server, asId<ProjectId>(key.project)) === null) return false;
  return offerStore.save(server, offers);
}

interface DecisionParts extends Pick<McpService, "servers" | "configured">, Pick<McpServiceHost, "store" | "push"> {
  readonly approvals: ApprovedServers;
  readonly offerStore: OfferStore;
  changed(project: string): void;
}

/** What the user approves, switches and removes. */
function makeDecisions({
  store,
  servers,
  approvals,
  offerStore,
  changed,
  push,
  configured,
}: DecisionParts): Pick<McpService, "approve" | "accept" | "setTool" | "stop" | "forget"> {
  const stop = ({ key }: ConfiguredServer): Promise<void> => servers.stop(({ server }) => server === key);
  /** A server of the home has taken an id: approvals of projects' servers that had it before do not count again. */
  const withdrawOthers = (name: string): void => {
    const current = configured.ofProjects();
    for (const key of store.toolSources.named("mcp", name)) {
      const launch = store.toolSources.get(key)?.launch;
      const isCurrent = current.some((one) => one.projectId === key.projectId && one.launch === launch);
      if (key.projectId !== null && !isCurrent) store.toolSources.remove(key);
    }
  };
  return {
    stop,
    async approve(projectId, server, signal) {
      const tested = await servers.test(processKey(server, projectId), signal);
      if (!tested.ok) return tested;
      const { instructions, offers } = tested.value;
      const { id, config } = server;
      const key = { kind: "mcp" as const, projectId: server.projectId, name: config.name };
      const before = store.toolSources.get(key);
      // Its id may have been that of another source. That of a project's server moves with the servers of the home.
      const hasMoved = server.projectId !== null && before?.launch !== server.launch;
      if (before === null || hasMoved) forgetToolSource(store, push, id, server.projectId);
      if (before === null && server.projectId === null) withdrawOthers(config.name);
      const tools = toListedTools(tested.value);
      await runStepsInSlices(readListed(server.launch, tools), neverAborted);
      if (signal.aborted) return fail("aborted");
      offerStore.save(server, offers);
      approvals.approve(server, projectId, { instructions, tools });
      changed(projectId);
      return ok(undefined);
    },
    accept(projectId, server, shown) {
      const source = approvals.get(server, projectId);
      if (source === null) return false;
      const hashes = new Map(source.tools.map((tool) => [tool.ownName, shownHash(source, tool)]));
      if (!shown.every(({ name, hash }) => hashes.get(name) === hash && admitsTool(server.config, name))) return false;
      approvals.accept(server, projectId, new Set(shown.map(({ name }) => name)));
      return true;
    },
    setTool(projectId, server, ownName, { isOff, isPinned }) {
      const source = approvals.get(server, projectId);
      const isShown = source?.tools.some((tool) => tool.ownName === ownName) === true;
      if (!isShown || !admitsTool(server.config, ownName)) return false;
      const change = (tool: StoredTool): StoredTool => ({
        ...tool,
        isOff: isOff ?? tool.isOff,
        isPinned: isPinned ?? tool.isPinned,
      });
      approvals.change(server, ownName, change);
      return true;
    },
    async forget(server) {
      await stop(server);
      approvals.forget(server);
      offerStore.save(server, { prompts: [], resources: [] });
      forgetToolSource(store, push, server.id, server.projectId);
    },
  };
}

const notAdmitted: AgentError = { code: "tool_off", facts: { reason: "not_admitted" } };

const joinLines = (note: string, text: string): string => (note === "" ? text : `${note}\n${text}`);

/** Runs calls of a server's tools in a project: only of tools that are exactly as approved when the call is sent. */
function makeRunCall(
  {
    servers,
    questions,
    find,
    approved,
    clock,
  }: Pick<McpService, "servers" | "questions" | "approved"> & {
    find(key: ServerKey): ConfiguredServer | undefined;
    readonly clock: Clock;
  },
  server: ConfiguredServer,
  projectId: ProjectId,
): RunExternalCall {
  const { name } = server.config;
  const key = processKey(server, projectId);
  return async (ownName, definition, input, call, { vision, storeBlob }, signal) => {
    const check = (): AgentError | null => {
      const current = find(key);
      if (current?.config.disabled === true) return serverOff;
      const source = current === undefined ? null : approved(current, projectId);
      if (current !== undefined && !admitsTool(current.config, ownName)) return notAdmitted;
      const tool = source?.tools.find((one) => one.ownName === ownName);
      if (source === null || tool === undefined || tool.approved === null) return { code: "gone" };
      const isSame = storedToolState(tool) === "ready" && definitionHash(source, tool.approved) === definition;
      if (isSame) return null;
      if (tool.isOff) return { code: "tool_off" };
      return { code: tool.current === null ? "gone" : "tool_changed" };
    };
    const sent = {
      tool: ownName,
      input: isArgumentsObject(input) ? input : {},
      onUpdate: reportUpdates(name, call.progress),
      check,
    };
    let note = "";
    const onUnanswered = (): void => void (note = unansweredNote(name));
    const asking = { id: call.id, name, isAttended: call.isAttended, onUnanswered, signal };
    const result = await callWithAddresses(
      {
        run: () => questions.during(key, asking, () => servers.call(key, sent, signal)),
        isAttended: () => asking.id !== null && asking.isAttended(),
        ask: (request, ended) => questions.askDuring(key, asking, request, ended),
      },
      clock,
      signal,
    );
    signal.throwIfAborted();
    if (!result.ok)
      throw new ToolError(result.error.code, joinLines(note, describeCallFailure(name, ownName, result.error)));
    const made = await toForeignOutput(result.value, { source: server.id, vision, storeBlob }, signal);
    return note === "" ? made : { ...made, output: [{ type: "text", text: note }, ...made.output] };
  };
}
