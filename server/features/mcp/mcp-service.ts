/**
 * The servers of the files: what is configured, what the user approved, the processes that run, and what the user decides
 * about them.
 */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { type AgentError, fail, ok, type Result } from "@/lib/events/error";
import { asId, type Hash, type ProjectId } from "@/lib/events/id";
import type { ListedTool } from "@/lib/tools/tool-definitions";
import { neverAborted } from "@/server/base/abort";
import { runStepsInSlices } from "@/server/base/steps";
import { forgetToolSource } from "@/server/session/service/forget-tool-source";
import type { FeatureHost } from "../feature";
import { forgetSecrets } from "./add-servers";
import { type ApprovedServers, makeApprovedServers } from "./approved-servers";
import { type Clock, systemClock } from "./call-limit";
import { admitsTool } from "./config/server-config";
import { type ConfiguredServer, type ConfiguredServers, makeConfiguredServers, processKey } from "./configured-servers";
import { makeHttpVerdicts } from "./http-verdicts";
import type { McpFile } from "./mcp-file";
import { makeQuestions, type Questions } from "./questions";
import type { ListedTools, ServerKey } from "./server-life";
import { type ListedOffers, makeOffers, makeOfferStore, type Offers, type OfferStore } from "./server-offers";
import { makeServerSources, type ServerSources } from "./server-sources";
import { resolveStart } from "./server-start";
import { makeMcpServers, type McpServers } from "./servers";
import type { SignInService } from "./sign-in/sign-in-service";
import { readListed, shownHash } from "./source-tools";

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

export class McpService {
  readonly #host: McpServiceHost;
  readonly #file: McpFile;
  readonly #signIns: SignInService;
  readonly #offerStore: OfferStore;
  readonly configured: ConfiguredServers;
  readonly approvals: ApprovedServers;
  readonly servers: McpServers;
  readonly questions: Questions;
  /** Prompts and resources. */
  readonly offers: Offers;
  readonly catalogue: ServerSources;
  /** Why the last attempt to approve a server or to sign in failed, by its `key`. */
  readonly failures = new Map<string, AgentError>();

  constructor(host: McpServiceHost, file: McpFile, signIns: SignInService) {
    const { store, projects, now, home, version, clock = systemClock } = host;
    this.#host = host;
    this.#file = file;
    this.#signIns = signIns;
    this.#offerStore = makeOfferStore(join(home, "mcp-offers.json"));
    this.approvals = makeApprovedServers(store);
    this.configured = makeConfiguredServers({
      projects,
      now,
      file,
      otherIds: () => [...store.toolSources.names("openapi"), ...store.toolSources.names("extension")],
      onChange: () => this.#endChanged(),
    });
    this.servers = makeMcpServers({
      version,
      clock,
      verdicts: makeHttpVerdicts(join(home, "mcp-verdicts.json"), now),
      resolve: (key) => resolveStart(host, signIns.authorization, this.#at(key), key),
      onTools: (key, list) => this.#takeTools(key, list),
      onOffers: (key, offers) => this.#takeOffers(key, offers),
      onState: ({ project }) => this.#changed(project),
      elicit: (key, request, signal) => this.questions.ask(key, request, signal),
      onAddressFinished: (key, elicitationId) => this.questions.finish(key, elicitationId),
    });
    this.questions = makeQuestions({ now, makeId: randomUUID, onChange: () => this.#pushQuestions() });
    const { configured, approvals, servers, questions } = this;
    this.catalogue = makeServerSources({ configured, approvals, servers, questions, clock });
    this.offers = makeOffers({
      store: this.#offerStore,
      servers,
      usable: (projectId) =>
        configured.in(projectId).filter((one) => !one.config.disabled && approvals.get(one, projectId) !== null),
    });
  }

  /** Finds a server by its id in a project. */
  async find(projectId: ProjectId, id: string): Promise<ConfiguredServer | undefined> {
    await this.configured.open(projectId);
    return this.configured.in(projectId).find((one) => one.id === id);
  }

  /** Begins to approve how the server is started and all its tools as it lists them. */
  approve(projectId: ProjectId, server: ConfiguredServer, signal: AbortSignal): void {
    const { push, reportBug } = this.#host;
    const approve = async (): Promise<void> => {
      this.failures.delete(server.key);
      const approved = await this.#approve(projectId, server, signal);
      if (!approved.ok && !signal.aborted) this.failures.set(server.key, approved.error);
      push({ type: "mcp", projectId });
    };
    approve().catch((error: unknown) => reportBug("mcp", error));
  }

  /**
   * Approves tools as they were shown; one that is gone is removed. Fails with changed_meanwhile if one has changed since;
   * none is approved.
   */
  accept(
    projectId: ProjectId,
    server: ConfiguredServer,
    shown: readonly { readonly name: string; readonly hash: Hash }[],
  ): Result<void> {
    const source = this.approvals.get(server, projectId);
    const hashes = new Map(source?.tools.map((tool) => [tool.ownName, shownHash(source, tool)]));
    const isShown = shown.every(({ name, hash }) => hashes.get(name) === hash && admitsTool(server.config, name));
    if (source === null || !isShown) return fail("changed_meanwhile");
    return ok(this.approvals.accept(server, projectId, new Set(shown.map(({ name }) => name))));
  }

  /** Switches or pins a tool. Fails with not_found. */
  setTool(
    projectId: ProjectId,
    server: ConfiguredServer,
    ownName: string,
    { isOff, isPinned }: ToolChange,
  ): Result<void> {
    const isShown = this.approvals.get(server, projectId)?.tools.some((tool) => tool.ownName === ownName) === true;
    if (!isShown || !admitsTool(server.config, ownName)) return fail("not_found");
    return ok(
      this.approvals.change(server, ownName, (tool) => ({
        ...tool,
        isOff: isOff ?? tool.isOff,
        isPinned: isPinned ?? tool.isPinned,
      })),
    );
  }

  /** Switches a server of the home's file off or on. */
  async disable(server: ConfiguredServer, disabled: boolean): Promise<Result<void>> {
    if (server.projectId !== null) return fail("not_allowed");
    const place = ["mcpServers", server.config.name];
    const edited = await this.#file.edit([
      // Some programs write `"enabled": false`.
      { path: [...place, "enabled"], value: undefined },
      { path: [...place, "disabled"], value: disabled ? true : undefined },
    ]);
    if (edited.ok && disabled) await this.stop(server);
    return edited;
  }

  /** Ends the processes and connections of a server, in all projects. */
  stop({ key }: ConfiguredServer): Promise<void> {
    return this.servers.stop(({ server }) => server === key);
  }

  /**
   * Ends its processes, and deletes its approval, its sign-in, its values and the rules that allow its tools. A server of a
   * project's file stays there.
   */
  async remove(server: ConfiguredServer): Promise<Result<void>> {
    const { store, push } = this.#host;
    const { config, projectId, key, id } = server;
    if (projectId === null) {
      const edited = await this.#file.edit([{ path: ["mcpServers", config.name], value: undefined }]);
      if (!edited.ok) return edited;
    }
    const others =
      projectId === null
        ? this.configured.ofHome()
        : this.configured.in(projectId).filter((one) => one.projectId !== null && one.key !== key);
    const mayRefer = (name: string): boolean => this.configured.mayRefer(projectId, name);
    this.#signIns.forget(server, this.configured);
    forgetSecrets(server, { servers: others, mayRefer }, store.secrets.in("mcp"));
    await this.stop(server);
    this.approvals.forget(server);
    this.#offerStore.save(server, { prompts: [], resources: [] });
    forgetToolSource(store, push, id, projectId);
    this.failures.delete(key);
    return ok(undefined);
  }

  #changed(project: string): void {
    this.#host.push({ type: "mcp", projectId: asId<ProjectId>(project) });
  }

  #at({ project, server }: ServerKey): ConfiguredServer | undefined {
    return this.configured.in(asId<ProjectId>(project)).find(({ key }) => key === server);
  }

  /** Ends servers that were removed from their files, switched off or changed there. */
  #endChanged(): void {
    this.#signIns.forgetMissing(this.configured);
    void this.servers.stop((key) => {
      const server = this.#at(key);
      return server?.launch !== key.launch || server.config.disabled;
    });
  }

  #takeTools(key: ServerKey, list: ListedTools): void {
    const server = this.#at(key);
    if (server?.launch !== key.launch) return;
    this.approvals.list(server, asId<ProjectId>(key.project), toListedTools(list));
    this.#changed(key.project);
  }

  #takeOffers(key: ServerKey, offers: ListedOffers): void {
    const server = this.#at(key);
    if (server?.launch !== key.launch || this.approvals.get(server, asId<ProjectId>(key.project)) === null) return;
    if (this.#offerStore.save(server, offers)) this.#changed(key.project);
  }

  /** With the rows of their sessions. */
  #pushQuestions(): void {
    const { push, store } = this.#host;
    const list = this.questions.list();
    push({ type: "questions", questions: list });
    for (const row of store.sessions.setAsking(new Set(list.map(({ sessionId }) => sessionId))))
      push({ type: "session_row", row });
  }

  async #approve(projectId: ProjectId, server: ConfiguredServer, signal: AbortSignal): Promise<Result<void>> {
    const { store, push } = this.#host;
    const tested = await this.servers.test(processKey(server, projectId), signal);
    if (!tested.ok) return tested;
    const { instructions, offers } = tested.value;
    const { id, config } = server;
    const before = store.toolSources.get({ kind: "mcp", projectId: server.projectId, name: config.name });
    // Its id may have been that of another source. That of a project's server moves with the servers of the home.
    const hasMoved = server.projectId !== null && before?.launch !== server.launch;
    if (before === null || hasMoved) forgetToolSource(store, push, id, server.projectId);
    if (before === null && server.projectId === null) this.#withdrawOthers(config.name);
    const tools = toListedTools(tested.value);
    await runStepsInSlices(readListed(server.launch, tools), neverAborted);
    if (signal.aborted) return fail("aborted");
    this.#offerStore.save(server, offers);
    this.approvals.approve(server, projectId, { instructions, tools });
    this.#changed(projectId);
    return ok(undefined);
  }

  /** A server of the home has taken an id: approvals of projects' servers that had it before do not count again. */
  #withdrawOthers(name: string): void {
    const { toolSources } = this.#host.store;
    const current = this.configured.ofProjects();
    for (const key of toolSources.named("mcp", name)) {
      const launch = toolSources.get(key)?.launch;
      const isCurrent = current.some((one) => one.projectId === key.projectId && one.launch === launch);
      if (key.projectId !== null && !isCurrent) toolSources.remove(key);
    }
  }
}
