/** The commands of MCP servers, and their tools as sources of the catalogue. */
import { join } from "node:path";
import { type AgentError, fail, ok, type Result } from "@/lib/events/error";
import type { ProjectId } from "@/lib/events/id";
import type { McpState } from "@/lib/tools/mcp";
import type { SecretStore } from "@/server/store/access/secrets";
import { untilAborted } from "@/server/base/abort";
import type { Feature, FeatureHost } from "../feature";
import { addServers, findCandidates, forgetSecrets, makeServerFinder } from "./add-servers";
import { type ConfiguredServer, processKey } from "./configured-servers";
import { importWorker } from "./import/foreign-files";
import { makeMcpFile, type McpFile, type McpFileEdit } from "./mcp-file";
import { makeMcpService, type McpService, type McpServiceHost } from "./mcp-service";
import { storeValue } from "./server-start";
import { makeSignInCommands } from "./sign-in/sign-in-commands";
import { makeSignInService, type SignInService, toolsPath } from "./sign-in/sign-in-service";
import { makeVersionPinCommands, makeVersionPins } from "./version-pins";
import { toOfferImages, toOfferText } from "./server-offers";
import { type FileWatch, makeFileWatch } from "./watch-files";
import { viewServers } from "./view-servers";

type McpFeatureHost = McpServiceHost & Pick<FeatureHost, "home" | "now" | "serverPort" | "pagesAt">;

export function mcpFeature(host: McpFeatureHost) {
  const file = makeMcpFile(join(host.home, "mcp.json"), host.now);
  const signIns = makeSignInService(host, async (target) => {
    const finished = await signInCommands["mcp.finish_sign_in"]({ address: target });
    return finished.ok ? finished.value.page : toolsPath;
  });
  const service = makeMcpService(host, file, signIns);
  const { push } = host;
  const stop = new AbortController();
  const finder = makeServerFinder(host.environment, importWorker, stop.signal);
  const values = { secrets: host.store.secrets.in("mcp"), environment: host.environment };
  /** Why the last attempt to approve a server failed, by its `key`. */
  const failures = new Map<string, AgentError>();
  const state = async (projectId: ProjectId): Promise<Result<McpState>> => {
    const opened = await service.configured.open(projectId);
    if (!opened.ok) return opened;
    watch.watch(projectId, service.configured.files(projectId));
    return ok(viewServers({ host, service, file, failures, signIns, pins }, projectId));
  };
  const watch = makeFileWatch((projectId) => host.push({ type: "mcp", projectId }));
  const pins = makeVersionPins({ ...host, onChange: makePushToShown(host, watch) }, file, stop.signal);
  const find = makeFind(service);
  const withServer = makeWithServer(find, state);
  const approve = makeApprove(host, service, failures, stop.signal);
  const signInCommands = makeSignInCommands({ signIns, service, failures, push, withServer, signal: stop.signal });
  return {
    commands: {
      "mcp.state": ({ projectId }) => state(projectId),
      "mcp.find": ({ text }) => findCandidates(finder, values, text),
      async "mcp.add"({ projectId, text, names }) {
        const added = await addServers(file, values, finder, text, names);
        return added.ok ? state(projectId) : added;
      },
      "mcp.approve": ({ launch, ...input }) =>
        withServer(input, (server) => {
          if (server.launch !== launch) return fail("changed_meanwhile");
          approve(input.projectId, server);
          return ok(null);
        }),
      ...makeToolDecisions(service, withServer),
      "mcp.disable": ({ disabled, ...input }) =>
        withServer(input, async (server) => {
          if (server.projectId !== null) return fail("not_allowed");
          const edited = await file.edit(disablingEdits(server.config.name, disabled));
          if (edited.ok && disabled) await service.stop(server);
          return edited;
        }),
      "mcp.remove": (input) =>
        withServer(input, async (server) => {
          const removed = await removeServer({ file, service, signIns }, values.secrets, server);
          if (removed.ok) failures.delete(server.key);
          return removed;
        }),
      ...makeVersionPinCommands({ pins, find, withServer, state }),
      "mcp.questions": () => ok({ questions: service.questions.list() }),
      "mcp.answer": ({ question, action, content }) => service.questions.answer(question, action, content ?? {}),
      ...makeOfferCommands(host, service, stop.signal),
      ...signInCommands,
      "mcp.set_value": ({ value, name, ...input }) =>
        withServer(input, (server) => storeValue(host.store, server, name, value)),
      "mcp.stop": (input) => withServer(input, async (server) => ok(await service.stop(server))),
      async "mcp.log"({ projectId, server: id }) {
        const server = await find(projectId, id);
        if (server === undefined) return fail("not_found");
        return ok({ text: service.servers.log(processKey(server, projectId)).join("\n") });
      },
    },
    trustWithdrawn: (projectId) => void service.servers.stop(({ project }) => project === projectId),
    get catalogueSources() {
      return service.sources();
    },
    async start(signal) {
      await untilAborted(signal);
      stop.abort();
      signIns.close();
      watch.close();
      await service.servers.close();
    },
  } satisfies Feature;
}

/** Returns a function that pushes to all pages that are open: a server of the home is shown in each project. */
const makePushToShown =
  ({ push }: Pick<McpFeatureHost, "push">, { watched }: Pick<FileWatch, "watched">) =>
  (projectId: ProjectId): void => {
    for (const shown of new Set([projectId, ...watched()])) push({ type: "mcp", projectId: shown });
  };

interface DecidedServer {
  readonly projectId: ProjectId;
  readonly server: string;
}

/** What the user decides about single tools of a server. */
const makeToolDecisions = (service: McpService, withServer: ReturnType<typeof makeWithServer>) => ({
  "mcp.accept": ({ tools, ...input }: DecidedServer & { readonly tools: Parameters<McpService["accept"]>[2] }) =>
    withServer(input, (server) =>
      service.accept(input.projectId, server, tools) ? ok(null) : fail("changed_meanwhile"),
    ),
  "mcp.set_tool": ({
    tool,
    isOff,
    isPinned,
    ...input
  }: DecidedServer & {
    readonly tool: string;
    readonly isOff?: boolean | undefined;
    readonly isPinned?: boolean | undefined;
  }) =>
    withServer(input, (server) =>
      service.setTool(input.projectId, server, tool, { isOff, isPinned }) ? ok(null) : fail("not_found"),
    ),
});

/** What the composer takes from servers. */
function makeOfferCommands(
  { store }: Pick<McpFeatureHost, "store">,
  { configured, offers }: McpService,
  signal: AbortSignal,
) {
  return {
    async "mcp.offers"({ projectId }: { readonly projectId: ProjectId }) {
      const opened = await configured.open(projectId);
      return opened.ok ? ok(offers.view(projectId)) : opened;
    },
    async "mcp.prompt"({ projectId, server, prompt, input }: PromptInput) {
      const text = await offers.prompt(projectId, server, prompt, input, signal);
      return text.ok ? ok({ text: text.value }) : text;
    },
    async "mcp.resource"({ projectId, server, uri }: ResourceInput) {
      const content = await offers.resource(projectId, server, uri, signal);
      if (!content.ok) return content;
      const images = toOfferImages(content.value);
      if (images?.ok === false) return images;
      if (images !== null)
        return ok({ images: images.value.map(({ bytes, mime }) => ({ blob: store.blobs.put(bytes), mime })) });
      const text = toOfferText(content.value);
      return text.ok ? ok({ text: text.value }) : text;
    },
  };
}

/** Returns a function that begins the approval of a server; `failures` gets why it failed. */
const makeApprove =
  (
    { push, reportBug }: Pick<McpServiceHost, "push" | "reportBug">,
    service: McpService,
    failures: Map<string, AgentError>,
    signal: AbortSignal,
  ) =>
  (projectId: ProjectId, server: ConfiguredServer): void => {
    const approve = async (): Promise<void> => {
      failures.delete(server.key);
      const approved = await service.approve(projectId, server, signal);
      if (!approved.ok && !signal.aborted) failures.set(server.key, approved.error);
      push({ type: "mcp", projectId });
    };
    approve().catch((error: unknown) => reportBug("mcp", error));
  };

interface PromptInput {
  readonly projectId: ProjectId;
  readonly server: string;
  readonly prompt: string;
  readonly input: { readonly [name: string]: string };
}

interface ResourceInput {
  readonly projectId: ProjectId;
  readonly server: string;
  readonly uri: string;
  readonly model?: string | undefined;
}

/** Returns a function that finds a server by its id in a project. */
const makeFind =
  ({ configured }: McpService) =>
  async (projectId: ProjectId, id: string): Promise<ConfiguredServer | undefined> => {
    await configured.open(projectId);
    return configured.in(projectId).find((one) => one.id === id);
  };

/** Returns a function that works on a server and answers with the state after that. */
const makeWithServer =
  (
    find: (projectId: ProjectId, id: string) => Promise<ConfiguredServer | undefined>,
    state: (projectId: ProjectId) => Promise<Result<McpState>>,
  ) =>
  async (
    { projectId, server: id }: { readonly projectId: ProjectId; readonly server: string },
    work: (server: ConfiguredServer) => Promise<Result<unknown>> | Result<unknown>,
  ): Promise<Result<McpState>> => {
    const server = await find(projectId, id);
    if (server === undefined) return fail("not_found");
    const done = await work(server);
    return done.ok ? state(projectId) : done;
  };

/** Some programs write `"enabled": false`. */
const disablingEdits = (name: string, disabled: boolean): readonly McpFileEdit[] => [
  { path: ["mcpServers", name, "enabled"], value: undefined },
  { path: ["mcpServers", name, "disabled"], value: disabled ? true : undefined },
];

/** Of a server of a project's file, only what is stored here. */
async function removeServer(
  { file, service, signIns }: { readonly file: McpFile; readonly service: McpService; readonly signIns: SignInService },
  secrets: ReturnType<SecretStore["in"]>,
  server: ConfiguredServer,
): Promise<Result<void>> {
  const { config, projectId } = server;
  const mayRefer = (name: string): boolean => service.configured.mayRefer(projectId, name);
  if (projectId !== null) {
    const others = service.configured.in(projectId).filter((one) => one.projectId !== null && one.key !== server.key);
    forgetSecrets(server, { servers: others, mayRefer }, secrets);
    signIns.forget(server, service.configured);
    return ok(await service.forget(server));
  }
  const edited = await file.edit([{ path: ["mcpServers", config.name], value: undefined }]);
  if (!edited.ok) return edited;
  signIns.forget(server, service.configured);
  forgetSecrets(server, { servers: service.configured.ofHome(), mayRefer }, secrets);
  await service.forget(server);
  return edited;
}
