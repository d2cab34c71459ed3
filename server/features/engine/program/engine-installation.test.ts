/** The offer for a machine with NVIDIA's driver, and the replacement of an older program. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { archiveEntry, packArchive, serveEngineMirror } from "@/e2e/fixtures/engine-mirror";
import type { EngineInstallStep } from "@/lib/models/engine";
import { untilAborted } from "@/server/base/abort";
import { type CheckedProgram, findEngineProgram } from "../engine-program";
import { findInstalledFile, installedFolder } from "./installed-program";
import { type InstallationOptions, makeEngineInstallation } from "./engine-installation";

const never = new AbortController().signal;
const printing = (version: number): string => `#!/bin/sh\necho "version: ${version} (abc)"\n`;

/** `folder` = that of the engine. */
type Release = (signal: AbortSignal, folder: string) => Promise<void>;

/** `release` = called before an older program is replaced. */
async function makeRig(release: Release = () => Promise.resolve()) {
  const root = mkdtempSync(join(tmpdir(), "gopi-offer-"));
  const bin = join(root, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "nvidia-smi"), "#!/bin/sh\necho 580.1\n", { mode: 0o755 });
  const archives: Record<string, Buffer> = {};
  const mirror = await serveEngineMirror(archives);
  onTestFinished(async () => {
    await mirror.close();
    rmSync(root, { recursive: true, force: true });
  });
  const folder = join(root, "engine");
  const environment = { PATH: `${bin}:/usr/bin:/bin`, HOME: root, GOPI_ENGINE_CATALOGUE: join(root, "catalogue.json") };
  const steps: EngineInstallStep["status"][] = [];
  const waiting: (() => void)[] = [];
  let found: CheckedProgram | null = null;
  const look = async (): Promise<void> => {
    const program = await findEngineProgram({ environment, folder, chosen: "" }, never);
    found = program.ok ? program.value : null;
    await installation.look(found, never);
  };
  const options: InstallationOptions = {
    folder,
    environment,
    mirror: () => "",
    onChange() {
      const status = installation.state(found !== null).install?.status;
      if (status === undefined) for (const resolve of waiting.splice(0)) resolve();
      else if (status !== steps.at(-1)) steps.push(status);
    },
    release: (signal) => release(signal, folder),
    installed: look,
  };
  const installation = makeEngineInstallation(options);
  return {
    options,
    folder,
    bin,
    mirror,
    steps,
    installation,
    look,
    program: () => found,
    /** Resolves when nothing is being fetched any more. */
    finished: () => new Promise<void>((resolve) => void waiting.push(resolve)),
    update: () => (found === null ? undefined : installation.update(found)),
    /** The catalogue names builds of this release, whose servers are `script`. */
    publish(tag: string, script: string): void {
      const { platform, arch } = process;
      const archive = packArchive({ [`llama-${tag}/llama-server`]: script });
      const builds = ["cuda13", "cpu"].map((kind) => {
        archives[`${tag}-${kind}.tar.gz`] = archive;
        return { platform, arch, kind, archives: [archiveEntry(`${tag}-${kind}.tar.gz`, archive)] };
      });
      writeFileSync(environment.GOPI_ENGINE_CATALOGUE, JSON.stringify({ tag, base: mirror.base, builds }));
    },
    /** The catalogue has another name for its release, with the same builds. */
    publishAs(tag: string): void {
      const catalogue: object = JSON.parse(readFileSync(environment.GOPI_ENGINE_CATALOGUE, "utf8"));
      writeFileSync(environment.GOPI_ENGINE_CATALOGUE, JSON.stringify({ ...catalogue, tag }));
    },
  };
}

test("the builds for a driver are offered also after a pause and a removal", async () => {
  const { installation, look, publish } = await makeRig();
  publish("b1", printing(1));
  const offered = async (): Promise<readonly string[] | undefined> => {
    await look();
    return installation.state(false).offer?.builds.map(({ kind }) => kind);
  };
  expect(await offered()).toEqual(["cuda13", "cpu"]);
  await installation.pause();
  expect(await offered()).toEqual(["cuda13", "cpu"]);
  expect(await installation.remove(() => Promise.resolve())).toMatchObject({ ok: true });
  expect(await offered()).toEqual(["cuda13", "cpu"]);
});

/** Starts the download of the build for the CPU, and halts it after 100 bytes. */
async function haltInstall({ installation, mirror }: Awaited<ReturnType<typeof makeRig>>): Promise<void> {
  mirror.setHalt(100);
  await installation.start("cpu");
  await expect.poll(() => installation.state(true).install?.completed).toBe(100);
}

/** A machine on which the download of a build was paused after 100 bytes. */
async function makePausedRig() {
  const rig = await makeRig();
  rig.publish("b1", printing(1));
  await rig.look();
  await haltInstall(rig);
  await rig.installation.pause();
  return rig;
}

test("what a paused download has left is offered to be continued, also after a restart, and cancelling deletes it", async () => {
  const { installation, folder, options } = await makePausedRig();
  const offered = () => installation.state(false).offer?.builds;
  const bytes = offered()?.[0]?.bytes;
  expect(offered()).toEqual([
    { kind: "cuda13", bytes },
    { kind: "cpu", bytes, received: 100 },
  ]);
  const restarted = makeEngineInstallation(options);
  await restarted.look(null, never);
  expect(restarted.state(false).offer?.builds).toEqual(offered());
  expect(await installation.cancel()).toEqual({ ok: true, value: null });
  expect(offered()).toEqual([
    { kind: "cuda13", bytes },
    { kind: "cpu", bytes },
  ]);
  expect(existsSync(join(folder, "downloads"))).toBe(false);
});

test("a download that was paused before its first byte is continued or cancelled, also after a restart", async () => {
  const { installation, look, publish, mirror, options } = await makeRig();
  publish("b1", printing(1));
  await look();
  mirror.setHalt(0);
  await installation.start("cpu");
  await installation.pause();
  const receivedOf = (one: typeof installation) => one.state(false).offer?.builds.map(({ received }) => received);
  expect(receivedOf(installation)).toEqual([undefined, 0]);
  const restarted = makeEngineInstallation(options);
  await restarted.look(null, never);
  expect(receivedOf(restarted)).toEqual([undefined, 0]);
  await restarted.cancel();
  expect(receivedOf(restarted)).toEqual([undefined, undefined]);
});

test("cancelling a running download leaves nothing of it, and a download that begins meanwhile is whole", async () => {
  const rig = await makeRig();
  const { installation, look, publish, mirror, folder, program, finished } = rig;
  publish("b1", printing(1));
  await look();
  await haltInstall(rig);
  expect(await installation.cancel()).toMatchObject({ ok: true });
  expect(installation.state(false).install).toBeUndefined();
  expect(existsSync(join(folder, "downloads"))).toBe(false);
  await haltInstall(rig);
  mirror.setHalt(null);
  const cancelled = installation.cancel();
  await expect.poll(() => installation.state(false).install).toBeUndefined();
  const end = finished();
  await installation.start("cpu");
  await Promise.all([cancelled, end]);
  expect(mirror.requests).toEqual(["b1-cpu.tar.gz 0", "b1-cpu.tar.gz 0", "b1-cpu.tar.gz 0"]);
  expect(program()?.version).toBe("1 (abc)");
});

test("a program is deleted once its process has ended, and a request for it waits until then", async () => {
  const { installation, look, publish, folder } = await makeRig();
  publish("b1", printing(1));
  await look();
  await installation.start("cpu");
  await installation.settled();
  const events: string[] = [];
  const note = async (event: string): Promise<void> => {
    events.push(`${event} ${existsSync(installedFolder(folder))}`);
  };
  const removed = installation.remove(() => note("ended"));
  const waiting = installation.settled().then(() => note("requested"));
  await Promise.all([removed, waiting]);
  expect(events).toEqual(["ended true", "requested false"]);
});

test("a start during a pause continues the download when that has ended", async () => {
  const rig = await makeRig();
  const { installation, look, publish, mirror, program, finished } = rig;
  publish("b1", printing(1));
  await look();
  await haltInstall(rig);
  mirror.setHalt(null);
  const paused = installation.pause();
  expect(await installation.start("cpu")).toMatchObject({ ok: true });
  await paused;
  await finished();
  expect(mirror.requests).toEqual(["b1-cpu.tar.gz 0", "b1-cpu.tar.gz 100"]);
  expect(program()?.version).toBe("1 (abc)");
});

test("a wrong catalogue is the reason why nothing is offered, until it is corrected", async () => {
  const { installation, look, publish, options } = await makeRig();
  writeFileSync(options.environment.GOPI_ENGINE_CATALOGUE ?? "", "{");
  await look();
  expect(installation.state(false)).toMatchObject({ installFailure: { code: "bad_input" } });
  expect(installation.state(false).offer).toBeUndefined();
  publish("b1", printing(1));
  await look();
  expect(installation.state(false)).toMatchObject({ offer: { tag: "b1" } });
  expect(installation.state(false).installFailure).toBeUndefined();
});

test("what an older release has left is deleted, and a part of the current one is not", async () => {
  const { look, publish, folder } = await makePausedRig();
  const left = () => readdirSync(join(folder, "downloads"));
  await look();
  expect(left()).toEqual(["b1-cpu.tar.gz.part"]);
  publish("b2", printing(2));
  await look();
  expect(left()).toEqual([]);
});

test("cancelling after a failure removes the reason", async () => {
  const { options, publish, mirror } = await makeRig();
  publish("b1", printing(1));
  const installation = makeEngineInstallation({ ...options, mirror: () => `${mirror.base}none` });
  await installation.look(null, never);
  await installation.start("cpu");
  await installation.settled();
  expect(installation.state(false).installFailure).toMatchObject({ code: "download_failed", facts: { status: 404 } });
  await installation.cancel();
  expect(installation.state(false).installFailure).toBeUndefined();
});

test("the builds come from the mirror of the settings", async () => {
  const { folder, publish } = await makeRig();
  publish("b1", printing(1));
  const installation = makeEngineInstallation({
    folder,
    environment: { GOPI_ENGINE_CATALOGUE: join(folder, "..", "catalogue.json") },
    mirror: () => "https://mirror.example/llama",
    onChange() {},
    release: () => Promise.resolve(),
    installed: () => Promise.resolve(),
  });
  await installation.look(null, never);
  expect(installation.state(false).offer?.from).toBe("mirror.example");
});

/** A machine with the older program of a release, and the newer one published. `release` = as in `makeRig`. */
async function makeOldRig(newer: string, release?: Release) {
  const rig = await makeRig(release);
  rig.publish("b10", printing(10));
  await rig.look();
  await rig.installation.start("cpu");
  await rig.installation.settled();
  rig.steps.length = 0;
  rig.publish("b11", newer);
  await rig.look();
  return rig;
}

test("an older program is replaced by a newer one of the same kind, and can be used until then", async () => {
  const releases: (string | undefined)[] = [];
  const { installation, publish, look, program, update, steps, finished } = await makeOldRig(
    printing(11),
    async (_signal, folder) => {
      const found = await findInstalledFile(installedFolder(folder));
      releases.push(found === null ? undefined : readFileSync(found, "utf8"));
    },
  );
  expect(releases).toEqual([undefined]);
  expect(update()).toMatchObject({ tag: "b11", builds: [{ kind: "cpu" }] });
  expect(installation.state(true).offer).toBeUndefined();
  expect(await installation.start("cuda13")).toMatchObject({ error: { code: "not_found" } });
  expect(await installation.start("cpu")).toMatchObject({ ok: true });
  await installation.settled();
  expect([installation.state(true).install?.status, program()?.version]).toEqual(["downloading", "10 (abc)"]);
  await finished();
  expect(steps).toEqual(["downloading", "unpacking", "checking", "waiting"]);
  expect(releases).toEqual([undefined, printing(10)]);
  expect(program()?.version).toBe("11 (abc)");
  expect(update()).toBeUndefined();

  publish("b10", printing(10));
  await look();
  expect(update()).toBeUndefined();
});

test("a pause while the older program answers keeps it, and the update is continued without a download", async () => {
  let request = (): void => {};
  const waits = new Promise<void>((resolve) => (request = resolve));
  let isAnswering = false;
  const rig = await makeOldRig(printing(11), async (signal) => {
    if (!isAnswering) return;
    request();
    await untilAborted(signal);
  });
  isAnswering = true;
  await rig.installation.start("cpu");
  await waits;
  await rig.installation.pause();
  expect(rig.installation.state(true)).toEqual({});
  await rig.look();
  expect(rig.program()?.version).toBe("10 (abc)");
  isAnswering = false;
  const { length } = rig.mirror.requests;
  await rig.installation.start("cpu");
  await rig.finished();
  expect(rig.program()?.version).toBe("11 (abc)");
  expect(rig.mirror.requests).toHaveLength(length);
});

test("cancelling an update keeps the older program", async () => {
  const rig = await makeOldRig(printing(11));
  const { installation, look, program, update } = rig;
  await haltInstall(rig);
  await installation.pause();
  expect(update()).toMatchObject({ tag: "b11", builds: [{ kind: "cpu", received: 100 }] });
  await installation.cancel();
  await look();
  expect(program()?.version).toBe("10 (abc)");
  expect(update()?.builds[0]).not.toHaveProperty("received");
});

test("a newer program that does not run here leaves the older one, which is not exchanged for another kind", async () => {
  const { installation, look, program, update, mirror, finished } = await makeOldRig("#!/bin/sh\nexit 1\n");
  await installation.start("cpu");
  await finished();
  await look();
  expect(program()?.version).toBe("10 (abc)");
  expect(installation.state(true).installFailure).toMatchObject({ code: "engine_ended" });
  expect(update()?.tag).toBe("b11");
  expect(mirror.requests).toEqual(["b10-cpu.tar.gz 0", "b11-cpu.tar.gz 0"]);
});

/** A machine with the program of a release whose name has no number. */
async function makeUnnumberedRig() {
  const rig = await makeRig();
  rig.publish("mine-a", printing(10));
  await rig.look();
  await rig.installation.start("cpu");
  await rig.installation.settled();
  await rig.look();
  return rig;
}

test("a release without a number in a catalogue of one's own is an update if its archives are others", async () => {
  const { installation, publish, look, program, update, finished } = await makeUnnumberedRig();
  expect(update()).toBeUndefined();
  publish("mine-b", printing(9));
  await look();
  expect(update()).toMatchObject({ tag: "mine-b", builds: [{ kind: "cpu" }] });
  await installation.start("cpu");
  await finished();
  expect(program()?.version).toBe("9 (abc)");
  expect(update()).toBeUndefined();
});

test("the same archives under another name of a release are no update", async () => {
  const { publishAs, look, update } = await makeUnnumberedRig();
  publishAs("mine-b");
  await look();
  expect(update()).toBeUndefined();
});

test("a program that was installed before its archives were noted is offered those of one's own catalogue", async () => {
  const { folder, look, update } = await makeUnnumberedRig();
  writeFileSync(join(installedFolder(folder), "gopi-build"), "cpu\n");
  await look();
  expect(update()).toMatchObject({ tag: "mine-a", builds: [{ kind: "cpu" }] });
});

test("a program that was not fetched is not updated", async () => {
  const { look, bin, program, update } = await makeOldRig(printing(11));
  writeFileSync(join(bin, "llama-server"), printing(1), { mode: 0o755 });
  await look();
  expect(program()).toMatchObject({ version: "1 (abc)", isInstalled: false });
  expect(update()).toBeUndefined();
});
