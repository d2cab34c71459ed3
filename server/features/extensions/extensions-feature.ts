/** The commands of extensions; their tools, gates and listeners. Nothing is read before it is needed. */
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type ErrorCode, fail, ok, type Result } from "@/lib/events/error";
import type { ProjectId } from "@/lib/events/id";
import { type ExtensionTemplate, isExtensionName, type ExtensionsState } from "@/lib/tools/extensions";
import { untilAborted } from "@/server/base/abort";
import { errnoName, writeErrorCodes } from "@/server/base/system-errors";
import { secretValues } from "@/server/security/redaction/redact";
import { makePrivateFolder } from "@/server/store/core/private-file";
import { ownSourceIds } from "@/lib/tools/own-sources";
import type { Feature, FeatureHost } from "../feature";
import { makeChange, makeEnabling } from "./enabling";
import { makeApprovals } from "./approvals";
import { makeEnabledFiles } from "./enabled-files";
import { homeFolder, makeExtensions, type StatedExtension } from "./extensions";
import { makeExtensionIds } from "./extension-ids";
import { makeGates } from "./gates";
import { makeListeners } from "./listeners";
import { makeRunLogs } from "./run-logs";
import { makeScriptCopies } from "./script-copies";
import { makeScriptRuns } from "./script-runs";
import { makeScriptSources } from "./script-tools";
import { makeSlashCommands } from "./slash-commands";
import { templateFiles } from "./templates";
import { makeShownFiles } from "./show-file";
import { viewExtensions } from "./view-extensions";

type ExtensionsHost = Pick<
  FeatureHost,
  | "home"
  | "environment"
  | "projects"
  | "leftovers"
  | "settings"
  | "now"
  | "store"
  | "access"
  | "bearer"
  | "reportBug"
  | "push"
> & {
  readonly sessions: Pick<FeatureHost["sessions"], "get">;
  readonly services: Pick<FeatureHost["services"], "catalogue">;
};

export function extensionsFeature(host: ExtensionsHost) {
  const { home, environment, services } = host;
  const stop = new AbortController();
  const approvals = makeApprovals(join(home, "extensions.json"));
  const ids = makeExtensionIds(host);
  const secrets = (): readonly string[] => [...secretValues(environment), ...host.store.secrets.all()];
  const logs = makeRunLogs({ now: host.now, secrets });
  const extensions = makeExtensions({
    ...host,
    approvals,
    ids,
    onRead(projectId, read) {
      listeners.update(projectId, read);
      runs.endDisabled();
    },
    stop: stop.signal,
  });
  const copies = makeScriptCopies(join(home, "script-copies"));
  const runs = makeScriptRuns({ ...host, extensions, logs, copies });
  const listeners = makeListeners({
    ...host,
    extensions: () => extensions,
    runs,
    logs,
    stop: stop.signal,
    redactor: async () => (await import("@/server/session/share/secret-redactor")).makeSecretRedactor(host)(),
  });
  const enabled = makeEnabledFiles(join(home, "enabled-extensions"));
  const shown = makeShownFiles({ enabled, approvals, extensions, signal: stop.signal });
  const sources = makeScriptSources(extensions, runs);
  const slash = makeSlashCommands({ home, extensions, runs, stop: stop.signal });
  const list = async (projectId: ProjectId): Promise<Result<ExtensionsState>> => {
    const read = await extensions.refresh(projectId, stop.signal);
    if (!read.ok) return read;
    sources.add(projectId);
    const { tools } = services.catalogue(projectId);
    const isReached = ({ name, status }: StatedExtension, tool: string): boolean =>
      status !== "on" || tools.find((one) => one.name === tool)?.source === name;
    const enabledFiles = await shown.readAll(read.value);
    return ok(viewExtensions({ read: read.value, environment, enabledFiles, isReached }));
  };
  const change = makeChange(extensions, list, stop.signal);
  return {
    commands: {
      "extensions.list": ({ projectId }) => list(projectId),
      ...makeEnabling({ approvals, ids, enabled, extensions, change, signal: stop.signal }),
      "extensions.create": makeCreate(home, list),
      "extensions.file": shown.read,
      "extensions.log": ({ extension }) => Promise.resolve(ok({ text: logs.read(extension) })),
      async "extensions.commands"({ projectId }) {
        const commands = await slash.list(projectId);
        return commands.ok ? ok({ commands: commands.value }) : commands;
      },
      async "extensions.expand"({ projectId, name, arguments: text, sessionId }) {
        const expanded = await slash.expand(projectId, name, text, sessionId ?? null);
        return expanded.ok ? ok({ text: expanded.value }) : expanded;
      },
      "extensions.stop": ({ projectId }) => {
        slash.stop(projectId);
        return Promise.resolve(ok(null));
      },
    },
    get catalogueSources() {
      return sources.sources();
    },
    trustWithdrawn(projectId) {
      // Listeners of the home are started again in another folder.
      listeners.end(projectId);
      runs.endDisabled();
    },
    askGates: makeGates(extensions, runs),
    sessionListener: { event: listeners.event },
    async start(signal) {
      await untilAborted(signal);
      stop.abort();
      await listeners.close();
    },
  } satisfies Feature;
}

type List = (projectId: ProjectId) => Promise<Result<ExtensionsState>>;

const makeCreate =
  (home: string, list: List) =>
  async ({ projectId, name, template }: CreateInput) => {
    const written = await writeTemplate(homeFolder(home), name, template);
    if (!written.ok) return written;
    const state = await list(projectId);
    return state.ok ? ok({ path: written.value, state: state.value }) : state;
  };

interface CreateInput {
  readonly projectId: ProjectId;
  readonly name: string;
  readonly template: ExtensionTemplate;
}

const createErrorCodes: Readonly<Record<string, ErrorCode>> = { ...writeErrorCodes, EEXIST: "exists" };

/** Writes the files of a new extension; returns its folder. */
async function writeTemplate(place: string, name: string, template: ExtensionTemplate): Promise<Result<string>> {
  const reserved: readonly string[] = Object.values(ownSourceIds);
  if (!isExtensionName(name) || reserved.includes(name)) return fail("bad_path", undefined, { name });
  const folder = join(place, name);
  try {
    makePrivateFolder(place);
    await mkdir(folder, { mode: 0o700 });
    for (const { path, text, isExecutable } of templateFiles(template)) {
      const file = join(folder, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text, { mode: 0o600, flag: "wx" });
      if (isExecutable) await chmod(file, 0o700);
    }
  } catch (error) {
    const code = errnoName(error);
    return fail(createErrorCodes[code] ?? "internal", code, { path: folder });
  }
  return ok(folder);
}
