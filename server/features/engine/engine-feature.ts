/** The commands of the built-in engine, and its connection from the start on. */
import { ok } from "@/lib/events/error";
import { untilAborted } from "@/server/base/abort";
import type { Feature } from "../feature";
import { type EngineOptions, makeEngine } from "./engine";

export function engineFeature(options: EngineOptions) {
  const engine = makeEngine(options);
  let opening: Promise<void> | null = null;
  const open = (): Promise<void> => (opening ??= engine.open());
  return {
    commands: {
      "engine.state": async () => ok(await engine.state()),
      "engine.find": async () => ok({ models: await engine.find() }),
      "engine.add": (input) => engine.add(input),
      "engine.remove": ({ model }) => engine.remove(model),
      "engine.download": ({ model }) => engine.download(model),
      "engine.preview": ({ model }) => engine.preview(model),
      "engine.pauseDownload": ({ model }) => engine.pauseDownload(model),
      "engine.cancelDownload": ({ model }) => engine.cancelDownload(model),
      "engine.install": ({ build }) => engine.install(build),
      "engine.pauseInstall": async () => ok(await engine.pauseInstall()),
      "engine.cancelInstall": () => engine.cancelInstall(),
      "engine.uninstall": () => engine.uninstall(),
      "engine.load": ({ model }) => engine.load(model),
      "engine.unload": async () => ok(await engine.unload()),
      async "engine.ready"() {
        await open();
        return ok({});
      },
    },
    async start(signal) {
      await open();
      await untilAborted(signal);
      await engine.close();
    },
  } satisfies Feature;
}
