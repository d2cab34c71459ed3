/**
 * Test rig: models, sessions and the doctor over a real store and a scripted model server, joined as in the product.
 */
import { toToolError } from "@/server/tools/core/to-tool-error";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Script, type ScriptedModel, startScriptedModel } from "@/e2e/fixtures/scripted-model.mjs";
import type { DoctorRun } from "@/lib/models/models";
import type { Push } from "@/lib/protocol/push";
import { type Settings, settingsDefaults } from "@/lib/settings/settings";
import { prepareModelUnderTest } from "@/server/features/doctor/model-under-test";
import { countTokens } from "@/server/agent/context/prompt-size";
import { composeStoredPrompt } from "@/server/agent/context/stored-prompt";
import { type ConfiguredModelAccess, openModelAccess } from "@/server/config/open-model-access";
import { builtInSource } from "@/server/tools/core/built-in-source";
import { makeNoteStorage } from "../access/model-access";
import { type Doctor, makeDoctor } from "@/server/features/doctor/doctor";
import { makeRegistry, type Registry } from "@/server/session/loading/registry";
import { makeSessionService, type SessionService } from "@/server/session/service/session-service";
import { builtInSources } from "@/server/session/context/sources/built-in-sources";
import { makeSessionServices } from "@/server/session/core/session-services";
import { openStore, type Store } from "@/server/store/open-store";
import { makeSandbox, type Sandbox } from "@/server/workspace/shell/sandbox";
import { makeProjects, type Projects } from "@/server/workspace/projects/projects";
import { makeToolEnvironments } from "@/server/workspace/projects/tool-environment";

export interface ModelRig {
  readonly model: ScriptedModel;
  readonly store: Store;
  readonly access: ConfiguredModelAccess;
  readonly sandbox: Sandbox;
  readonly registry: Registry;
  readonly sessions: SessionService;
  readonly projects: Projects;
  readonly doctor: Doctor;
  readonly settings: { current: Settings };
  readonly pushes: readonly Push[];
  readonly logged: readonly string[];
  /** The program's data folder. */
  readonly home: string;
  /** A user's folder. */
  readonly folder: string;
  /** Resolves with the last doctor run when it has ended. */
  doctorResult(): Promise<DoctorRun>;
}

export interface RigOptions {
  /** Variables added to the minimal environment. */
  readonly environment?: (model: ScriptedModel) => Readonly<Record<string, string>>;
  /** --model */
  readonly named?: string;
}

export async function makeModelRig(script: Script = {}, options: RigOptions = {}): Promise<ModelRig> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "gopi-rig-")));
  const folder = join(home, "project");
  mkdirSync(folder);
  const model = await startScriptedModel(script);
  const opened = openStore({ home, now: Date.now });
  if (!opened.ok) throw new Error(opened.error.code);
  const store = opened.value;
  const settings = { current: { ...settingsDefaults, ollamaHost: model.url } };
  const read = (): Settings => settings.current;
  const pushes: Push[] = [];
  const logged: string[] = [];
  const waiting = new Set<() => void>();
  const push = (one: Push): void => {
    pushes.push(one);
    for (const look of [...waiting]) look();
  };
  const log = (line: string): void => void logged.push(line);
  const projects = makeProjects({
    record: (one) => store.projects.open(one, Date.now()),
    find: (id) => store.projects.get(id),
    protectedNames: () => [],
    push,
  });
  const more = options.environment?.(model) ?? {};
  const environment = { ...more, PATH: process.env.PATH, HOME: home, NODE_ENV: "test" } as const;
  const toolEnvironments = makeToolEnvironments({
    store,
    projects,
    home,
    environment,
    settings: read,
    now: Date.now,
    toolError: toToolError,
  });
  const access = openModelAccess({
    environment,
    home,
    model: options.named ?? null,
    notes: makeNoteStorage(store, log),
    store,
    log,
    settings: read,
    push,
    composePrompt: (profile, toolMode) => composeStoredPrompt(profile, toolMode, [builtInSource]),
    countTokens,
    running: () => registry.running().map(({ view }) => view.model),
  });
  const sandbox = makeSandbox({ environment, home, setting: () => null });
  const own = { store, projects, toolEnvironments, access, sandbox, home };
  const sources = { toolSources: () => [builtInSource], contextSources: () => builtInSources, readRoots: () => [] };
  const services = makeSessionServices({ ...own, ...sources, settings: read, now: Date.now, push, log });
  const registry = makeRegistry(services);
  const doctor = makeDoctor({
    prepare: (...asked) => prepareModelUnderTest({ access, services, environment, word: () => "lantern" }, ...asked),
    onRun: (run) => push({ type: "doctor", run }),
    onBug: (error) => log(error instanceof Error ? (error.stack ?? "") : String(error)),
    now: Date.now,
  });
  onTestFinished(async () => {
    await Promise.all([registry.close(), doctor.close()]);
    await Promise.all([access.close(), projects.dispose()]);
    await model.close();
    store.close();
    rmSync(home, { recursive: true, force: true });
  });
  const lastRun = (): DoctorRun | undefined => pushes.flatMap((one) => (one.type === "doctor" ? [one.run] : [])).at(-1);
  return {
    model,
    store,
    access,
    sandbox,
    registry,
    sessions: makeSessionService({ registry, store, projects, access, push, now: Date.now }),
    projects,
    doctor,
    settings,
    pushes,
    logged,
    home,
    folder,
    doctorResult: () =>
      new Promise((resolve) => {
        const look = (): void => {
          const run = lastRun();
          if (run?.report === undefined && run?.cancelled !== true) return;
          waiting.delete(look);
          resolve(run);
        };
        waiting.add(look);
        look();
      }),
  };
}
