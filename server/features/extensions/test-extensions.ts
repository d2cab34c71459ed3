/** Extensions in temporary folders, and the feature over sessions of the product whose model is a script. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { fail } from "@/lib/events/error";
import type { Mode } from "@/lib/permissions/policy";
import type { ExtensionsState, ExtensionView } from "@/lib/tools/extensions";
import { pathEntries, type SessionView } from "@/lib/view/view";
import type { Session } from "@/server/session/core/session-types";
import { makeTestHarness, type TestHarnessOptions } from "@/server/session/testing/test-harness";
import { makeCleanupJournal } from "@/server/workspace/shell/cleanup-journal";
import { extensionsFeature } from "./extensions-feature";

/** Writes a file with its folders; scripts are executable. Returns its path. */
export function writeExtensionFile(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  if (text.startsWith("#!")) chmodSync(path, 0o755);
  return path;
}

/** Writes the files of an extension into a folder of extensions; returns its folder. */
export function writeExtension(place: string, name: string, files: { readonly [path: string]: string }): string {
  for (const [path, text] of Object.entries(files)) writeExtensionFile(join(place, name, path), text);
  return join(place, name);
}

export const bashScript = (text: string): string => `#!/usr/bin/env bash\n${text}\n`;
export const nodeScript = (text: string): string =>
  `#!/usr/bin/env node\nimport { readFileSync } from "node:fs";\nconst call = JSON.parse(readFileSync(0, "utf8"));\n${text}\n`;
export const pythonScript = (text: string): string =>
  `#!/usr/bin/env python3\nimport json, sys\ncall = json.loads(sys.stdin.readline())\n${text}\n`;

/** Returns the value; throws the error. */
export function valueOf<T>(
  result: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown },
): T {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

export async function makeExtensionsRig({
  environment = {},
  ...options
}: Pick<TestHarnessOptions, "tools" | "seesImages" | "prompt" | "textPrompt"> & {
  readonly environment?: { readonly [name: string]: string };
} = {}) {
  let feature: ReturnType<typeof extensionsFeature> | null = null;
  const harness = await makeTestHarness({
    ...options,
    catalogueSources: () => feature?.catalogueSources ?? [],
    askGates: (call, signal) => feature?.askGates(call, signal) ?? Promise.resolve({ kind: "pass" }),
  });
  const { store, services, home } = harness;
  const bugs: unknown[] = [];
  const stop = new AbortController();
  const make = () =>
    extensionsFeature({
      store,
      home,
      projects: services().projects,
      services: services().services,
      access: services().access,
      sessions: {
        get: (id) => (harness.registry().get(id) === undefined ? fail("not_found") : harness.sessions().get(id)),
      },
      environment: { PATH: process.env.PATH, HOME: harness.userHome, NODE_ENV: "test", ...environment },
      leftovers: makeCleanupJournal(home, () => false),
      settings: () => harness.settings.current,
      now: Date.now,
      push: () => {},
      bearer: "bearer-secret-of-the-test",
      reportBug: (_name, error) => void bugs.push(error),
    });
  const made = make();
  feature = made;
  const stopped = made.start(stop.signal);
  const close = async (): Promise<void> => {
    stop.abort();
    await stopped;
  };
  onTestFinished(close);
  const unsubscribe = harness.registry().subscribe(made.sessionListener.event);
  onTestFinished(unsubscribe);
  const session = harness.session("full");
  const { projectId } = session.view;
  const state = async (): Promise<ExtensionsState> =>
    valueOf(await (feature ?? made).commands["extensions.list"]({ projectId }));
  const find = async (name: string): Promise<ExtensionView> => {
    const { places } = await state();
    const found = places.flatMap(({ extensions }) => extensions).find((one) => one.name === name);
    if (found === undefined) throw new Error(`no extension ${name}`);
    return found;
  };
  return {
    harness,
    session,
    projectId,
    commands: made.commands,
    feature: made,
    /** The feature of another process with the same home, whose gates and tools are used from now on. */
    reopen() {
      feature = make();
      return feature;
    },
    bugs,
    close,
    state,
    find,
    place: join(home, "extensions"),
    /** Enables an extension as it is now. */
    async enable(name: string): Promise<ExtensionView> {
      const { path, hash } = await find(name);
      if (hash === null) throw new Error(`${name} has no hash`);
      valueOf(await (feature ?? made).commands["extensions.enable"]({ projectId, extension: path, hash }));
      return find(name);
    },
    newSession: (mode: Mode): Session => harness.session(mode),
    log: async (name: string): Promise<string> =>
      valueOf(await made.commands["extensions.log"]({ projectId, extension: (await find(name)).path })).text,
  };
}

export type ExtensionsRig = Awaited<ReturnType<typeof makeExtensionsRig>>;

export const listCalls = (view: SessionView) =>
  pathEntries(view).flatMap((entry) => (entry.kind === "message" ? entry.calls : []));

/** The text of the last call's output. */
export const lastOutput = (view: SessionView): string =>
  (listCalls(view).at(-1)?.output ?? []).flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");

/** Whether the process exists and has not ended. */
export const isAlive = (pid: number): boolean => {
  try {
    return !readFileSync(`/proc/${pid}/stat`, "latin1").includes(") Z ");
  } catch {
    return false;
  }
};
