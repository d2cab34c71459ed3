/** The commands of MCP servers, and their tools as sources of the catalogue. */
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type AgentError, fail, ok, type Result } from "@/lib/events/error";
import type { ProjectId } from "@/lib/events/id";
import type { McpState } from "@/lib/tools/mcp";
import { untilAborted } from "@/server/base/abort";
import type { HandlerTable } from "@/server/handlers/handlers";
import type { Feature, FeatureHost } from "../feature";
import { addServers, findCandidates, makeServerFinder } from "./add-servers";
import { type ConfiguredServer, processKey } from "./configured-servers";
import { importWorker } from "./import/foreign-files";
import { makeMcpFile, type McpFile, lookMs } from "./mcp-file";
import { McpService, type McpServiceHost } from "./mcp-service";
import { toOfferImages, toOfferText } from "./server-offers";
import { storeValue } from "./server-start";
import { makeSignInService, type SignInService, toolsPath } from "./sign-in/sign-in-service";
import { makeVersionPins, type VersionPins } from "./version-pins";
import { viewServers } from "./view-servers";
import { unwatchFile, watchFile } from "node:fs";

/** A page that is open queries the servers again after each report and every five minutes, which extends the time. */
const watchedMs = 600_000;
const intervalMs = 500;

interface FileWatch {
  /** Watches these files of a project, and no others of it, from now on, for ten minutes. */
  watch(projectId: ProjectId, paths: readonly string[]): void;
  /** The projects whose files are watched. */
  watched(): readonly ProjectId[];
  close(): void;
}

interface WatchedProject {
  readonly paths: readonly string[];
  readonly timer: NodeJS.Timeout;
  end(): void;
}

/**
 * Reports edits of the files with servers to pages that show them. Files are compared by their times, also on network
 * drives. `onEdit` is called when the file is read again, not before.
 */
function makeFileWatch(onEdit: (projectId: ProjectId) => void): FileWatch {
  const projects = new Map<ProjectId, WatchedProject>();
  return {
    watch(projectId, paths) {
      const watched = projects.get(projectId);
      if (watched !== undefined && isDeepStrictEqual(watched.paths, paths)) return void watched.timer.refresh();
      // The folder was moved.
      watched?.end();
      let report: NodeJS.Timeout | undefined;
      const edited = (): void => {
        clearTimeout(report);
        report = setTimeout(() => onEdit(projectId), lookMs).unref();
      };
      for (const path of paths) watchFile(path, { persistent: false, interval: intervalMs }, edited);
      const end = (): void => {
        for (const path of paths) unwatchFile(path, edited);
        clearTimeout(report);
        clearTimeout(timer);
        projects.delete(projectId);
      };
      const timer = setTimeout(end, watchedMs).unref();
      projects.set(projectId, { paths, timer, end });
    },
    watched: () => [...projects.keys()],
    close() {
      for (const { end } of [...projects.values()]) end();
    },
  };
}

type McpFeatureHost = McpServiceHost & Pick<FeatureHost, "serverPort" | "pagesAt">;

interface McpParts {
  readonly host: McpFeatureHost;
  readonly file: McpFile;
  readonly service: McpService;
  readonly signIns: SignInService;
  readonly pins: VersionPins;
  /** Watches the files of a project that is shown. */
  readonly watch: FileWatch;
  /** Fires when the program ends. */
  readonly signal: AbortSignal;
}

export function mcpFeature(host: McpFeatureHost) {
  const stop = new AbortController();
  const { signal } = stop;
  const file = makeMcpFile(join(host.home, "mcp.json"), host.now);
  const watch = makeFileWatch((projectId) => host.push({ type: "mcp", projectId }));
  const signIns = makeSignInService(host, async (target) => {
    const finished = await finishSignIn(parts, target);
    return finished.ok ? finished.value.page : toolsPath;
  });
  const service = new McpService(host, file, signIns);
  /** Pushes to all pages that are open: a server of the home is shown in each project. */
  const onChange = (projectId: ProjectId): void => {
    for (const shown of new Set([projectId, ...watch.watched()])) host.push({ type: "mcp", projectId: shown });
  };
  const pins = makeVersionPins({ ...host, onChange }, file, signal);
  const parts: McpParts = { host, file, service, signIns, pins, watch, signal };
  return {
    commands: { ...makeServerCommands(parts), ...makeDecisionCommands(parts), ...makeOfferCommands(parts) },
    trustWithdrawn: (projectId) => void service.servers.stop(({ project }) => project === projectId),
    get catalogueSources() {
      return service.catalogue.sources();
    },
    async start(ends) {
      await untilAborted(ends);
      stop.abort();
      signIns.close();
      watch.close();
      await service.servers.close();
    },
  } satisfies Feature;
}

async function readState(parts: McpParts, projectId: ProjectId): Promise<Result<McpState>> {
  const { configured } = parts.service;
  const opened = await configured.open(projectId);
  if (!opened.ok) return opened;
  parts.watch.watch(projectId, configured.files(projectId));
  return ok(viewServers(parts, projectId));
}

/** Works on a server and answers with the state after that. */
async function withServer(
  parts: McpParts,
  { projectId, server: id }: { readonly projectId: ProjectId; readonly server: string },
  work: (server: ConfiguredServer) => Promise<Result<unknown>> | Result<unknown>,
): Promise<Result<McpState>> {
  const server = await parts.service.find(projectId, id);
  if (server === undefined) return fail("not_found");
  const done = await work(server);
  return done.ok ? readState(parts, projectId) : done;
}

/** Makes the commands that list and change servers, and sign in to them. */
function makeServerCommands(parts: McpParts) {
  const { host, file, service, signIns, signal } = parts;
  const finder = makeServerFinder(host.environment, importWorker, signal);
  const values = { secrets: host.store.secrets.in("mcp"), environment: host.environment };
  return {
    "mcp.state": ({ projectId }) => readState(parts, projectId),
    "mcp.find": ({ text }) => findCandidates(finder, values, text),
    async "mcp.add"({ projectId, text, names }) {
      const added = await addServers(file, values, finder, text, names);
      return added.ok ? readState(parts, projectId) : added;
    },
    "mcp.remove": (input) => withServer(parts, input, (server) => service.remove(server)),
    "mcp.set_value": ({ value, name, ...input }) =>
      withServer(parts, input, (server) => storeValue(host.store, server, name, value)),
    "mcp.stop": (input) => withServer(parts, input, async (server) => ok(await service.stop(server))),
    async "mcp.log"({ projectId, server: id }) {
      const server = await service.find(projectId, id);
      if (server === undefined) return fail("not_found");
      return ok({ text: service.servers.log(processKey(server, projectId)).join("\n") });
    },
    async "mcp.sign_in"({ projectId, server: id, launch }) {
      const server = await service.find(projectId, id);
      if (server === undefined) return fail("not_found");
      if (server.launch !== launch) return fail("changed_meanwhile");
      const begun = await signIns.begin(server, projectId, signal);
      return begun.ok ? ok({ address: begun.value.href }) : begun;
    },
    "mcp.finish_sign_in": ({ address }) => finishSignIn(parts, address),
    "mcp.sign_out": (input) =>
      withServer(parts, input, async (server) => {
        signIns.signOut(server, service.configured.rootOf(input.projectId));
        service.failures.delete(server.key);
        return ok(await service.stop(server));
      }),
  } satisfies Partial<HandlerTable>;
}

/** Takes a return address; `page` is the one to show. */
async function finishSignIn(
  { host, service, signIns, signal }: McpParts,
  address: string,
): Promise<Result<{ page: string; error?: AgentError }>> {
  const finished = await signIns.finish(address, signal);
  if (!finished.ok) return finished;
  const { subject, error } = finished.value;
  const server = service.configured.in(subject.projectId).find(({ key }) => key === subject.key);
  if (server === undefined) {
    // Its file was edited meanwhile.
    signIns.forgetMissing(service.configured);
    return fail("not_found");
  }
  service.failures.delete(server.key);
  if (error !== null) service.failures.set(server.key, error);
  // Its next call begins with the token; the failure before the sign-in is over.
  await service.stop(server);
  host.push({ type: "mcp", projectId: subject.projectId });
  return ok({ page: `${toolsPath}#mcp/${subject.projectId}/${server.id}`, ...(error === null ? {} : { error }) });
}

/** Makes the commands for the user's decisions about a server and its tools. */
function makeDecisionCommands(parts: McpParts) {
  const { service, pins, signal } = parts;
  return {
    "mcp.approve": ({ launch, ...input }) =>
      withServer(parts, input, (server) => {
        if (server.launch !== launch) return fail("changed_meanwhile");
        return ok(service.approve(input.projectId, server, signal));
      }),
    "mcp.accept": ({ tools, ...input }) =>
      withServer(parts, input, (server) => service.accept(input.projectId, server, tools)),
    "mcp.set_tool": ({ tool, isOff, isPinned, ...input }) =>
      withServer(parts, input, (server) => service.setTool(input.projectId, server, tool, { isOff, isPinned })),
    "mcp.disable": ({ disabled, ...input }) => withServer(parts, input, (server) => service.disable(server, disabled)),
    async "mcp.pin"({ projectId, server: id, launch }) {
      const server = await service.find(projectId, id);
      if (server === undefined) return fail("not_found");
      if (server.launch !== launch) return fail("changed_meanwhile");
      const version = await pins.pin(projectId, server);
      if (!version.ok) return version;
      const after = await readState(parts, projectId);
      return after.ok ? ok({ version: version.value, state: after.value }) : after;
    },
    "mcp.stop_pin": (input) => withServer(parts, input, (server) => ok(pins.stop(server))),
    "mcp.questions": () => ok({ questions: service.questions.list() }),
    "mcp.answer": ({ question, action, content }) => service.questions.answer(question, action, content ?? {}),
  } satisfies Partial<HandlerTable>;
}

/** Makes the commands for prompts and resources of servers in the composer. */
function makeOfferCommands({ host, service, signal }: McpParts) {
  const { configured, offers } = service;
  return {
    async "mcp.offers"({ projectId }) {
      const opened = await configured.open(projectId);
      return opened.ok ? ok(offers.view(projectId)) : opened;
    },
    async "mcp.prompt"({ projectId, server, prompt, input }) {
      const text = await offers.prompt(projectId, server, prompt, input, signal);
      return text.ok ? ok({ text: text.value }) : text;
    },
    async "mcp.resource"({ projectId, server, uri }) {
      const content = await offers.resource(projectId, server, uri, signal);
      if (!content.ok) return content;
      const images = toOfferImages(content.value);
      if (images?.ok === false) return images;
      if (images !== null)
        return ok({ images: images.value.map(({ bytes, mime }) => ({ blob: host.store.blobs.put(bytes), mime })) });
      const text = toOfferText(content.value);
      return text.ok ? ok({ text: text.value }) : text;
    },
  } satisfies Partial<HandlerTable>;
}
