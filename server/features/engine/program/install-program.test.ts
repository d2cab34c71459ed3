/** Installations from a real mirror on this machine, with real archives and programs. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { archiveEntry, packArchive, serveEngineMirror } from "@/e2e/fixtures/engine-mirror";
import type { EngineBuildKind, EngineInstallStep } from "@/lib/models/engine";
import type { EngineBuild } from "./engine-builds";
import { installProgram } from "./install-program";
import { findInstalledFile, installedFolder } from "./installed-program";

const printing = (version: string): string => `#!/bin/sh\necho "version: ${version} (abc)"\n`;
const unableToRun = '#!/bin/sh\necho "llama-server: /lib/libm.so.6: version \\`GLIBC_2.38\' not found" >&2\nexit 1\n';
const never = new AbortController().signal;

/** A tar archive with one member for each header; `link` = target of a symbolic link. */
function tarOf(
  ...members: readonly {
    readonly name: string;
    readonly text?: string;
    readonly link?: string;
    readonly type?: string;
  }[]
) {
  const blocks = members.flatMap(({ name, text = "", link, type = link === undefined ? "0" : "2" }) => {
    const header = Buffer.alloc(512);
    const octal = (value: number, length: number): string => `${value.toString(8).padStart(length - 1, "0")}\0`;
    header.write(name, 0);
    header.write(octal(0o755, 8), 100);
    header.write(octal(0, 8) + octal(0, 8), 108);
    header.write(octal(Buffer.byteLength(text), 12) + octal(0, 12), 124);
    header.write(`        ${type}${link ?? ""}`, 148);
    header.write("ustar\x0000", 257);
    header.write(
      `${octal(
        header.reduce((sum, byte) => sum + byte, 0),
        7,
      )} `,
      148,
    );
    const body = Buffer.alloc(Math.ceil(Buffer.byteLength(text) / 512) * 512);
    body.write(text);
    return [header, body];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1_024)]));
}

async function rigWith(archives: Readonly<Record<string, Buffer>>) {
  const root = mkdtempSync(join(tmpdir(), "gopi-install-"));
  const folder = join(root, "engine");
  mkdirSync(folder);
  const mirror = await serveEngineMirror(archives);
  onTestFinished(async () => {
    await mirror.close();
    rmSync(root, { recursive: true, force: true });
  });
  const buildOf = (kind: EngineBuildKind, ...names: readonly string[]): EngineBuild => ({
    platform: process.platform,
    arch: process.arch,
    kind,
    archives: names.map((name) => archiveEntry(name, archives[name] ?? Buffer.alloc(1))),
  });
  const steps: EngineInstallStep[] = [];
  const install = (
    builds: readonly EngineBuild[],
    signal = never,
    onStep?: () => void,
    path = process.env.PATH,
    release = () => Promise.resolve(),
  ) =>
    installProgram(
      builds,
      {
        folder,
        base: mirror.base,
        environment: { PATH: path },
        progress(step) {
          steps.push(step);
          onStep?.();
        },
        release,
      },
      signal,
    );
  return { root, folder, mirror, steps, buildOf, install };
}

test("a build is fetched, unpacked, tried, and replaces an older one", async () => {
  const { folder, steps, buildOf, install } = await rigWith({
    "old.tar.gz": packArchive({ "llama-1/llama-server": printing("1"), "llama-1/old.so": "old" }),
    "new.tar.gz": packArchive({ "build/bin/llama-server": printing("2") }),
  });
  expect(await install([buildOf("cpu", "old.tar.gz")])).toMatchObject({ ok: true, value: { version: "1 (abc)" } });
  const program = join(installedFolder(folder), "build/bin/llama-server");
  expect(await install([buildOf("cpu", "new.tar.gz")])).toEqual({
    ok: true,
    value: { program, arguments: [], version: "2 (abc)", isInstalled: true },
  });
  expect(await findInstalledFile(installedFolder(folder))).toBe(program);
  expect(readdirSync(folder)).toEqual(["program"]);
  expect([...new Set(steps.map(({ status }) => status))]).toEqual(["downloading", "unpacking", "checking"]);
});

test("libraries of a second archive are beside the server", async () => {
  const { folder, buildOf, install, steps } = await rigWith({
    "llama.tar.gz": packArchive({ "llama-1/llama-server": printing("1") }),
    "cudart.tar.gz": packArchive({ "cuda/libcudart.so.13": "library" }),
  });
  const build = buildOf("cuda13", "llama.tar.gz", "cudart.tar.gz");
  expect(await install([build])).toMatchObject({ ok: true });
  expect(readFileSync(join(installedFolder(folder), "llama-1/libcudart.so.13"), "utf8")).toBe("library");
  const bytes = build.archives.reduce((sum, archive) => sum + archive.bytes, 0);
  expect(steps.map(({ completed }) => completed)).toEqual(
    steps.map(({ completed }) => completed).toSorted((one, other) => one - other),
  );
  expect(steps.at(-1)).toEqual({ status: "checking", build: "cuda13", completed: bytes, bytes });
});

test("a build that does not run here is followed by the next one", async () => {
  const { folder, buildOf, install } = await rigWith({
    "vulkan.tar.gz": packArchive({ "llama-server": unableToRun }),
    "cpu.tar.gz": packArchive({ "llama-server": printing("1") }),
  });
  const builds = [buildOf("vulkan", "vulkan.tar.gz"), buildOf("cpu", "cpu.tar.gz")];
  expect(await install(builds.slice(0, 1))).toMatchObject({ error: { code: "engine_incompatible" } });
  expect(readdirSync(folder)).toEqual([]);
  expect(await install(builds)).toMatchObject({ ok: true, value: { version: "1 (abc)" } });
});

test.each<[string, Buffer]>([
  ["a path above the folder", tarOf({ name: "../outside", text: "x" })],
  ["a path above the folder, further inside", tarOf({ name: "llama/../../outside", text: "x" })],
  ["an absolute path", tarOf({ name: "/tmp/gopi-outside", text: "x" })],
  ["a link above the folder", tarOf({ name: "lib", link: "../.." }, { name: "lib/outside", text: "x" })],
  ["an absolute link", tarOf({ name: "lib", link: "/tmp" }, { name: "lib/gopi-outside", text: "x" })],
  ["a link whose name looks like its target", tarOf({ name: "x -> y", link: "/tmp" })],
  ["a link whose name contains the words of a hard link", tarOf({ name: "x link to y", link: "/tmp" })],
  ["a pipe", tarOf({ name: "pipe", type: "6" }, { name: "llama-server", text: printing("1") })],
  ["no server", packArchive({ "readme.txt": "." })],
  ["a cut archive", packArchive({ "llama-server": printing("1") }).subarray(0, 60)],
])("%s is refused, and nothing of it stays", async (_case, archive) => {
  const { root, folder, buildOf, install } = await rigWith({ "a.tar.gz": archive });
  expect(await install([buildOf("cpu", "a.tar.gz")])).toMatchObject({ error: { code: "bad_archive" } });
  expect(readdirSync(folder)).toEqual([]);
  expect(readdirSync(root)).toEqual(["engine"]);
  expect(existsSync("/tmp/gopi-outside")).toBe(false);
});

test("links between files of the archive are kept", async () => {
  const members = [
    { name: "llama-server", text: printing("1") },
    { name: "libllama.so", link: "libllama.so.0" },
  ];
  const { folder, buildOf, install } = await rigWith({ "a.tar.gz": tarOf(...members) });
  expect(await install([buildOf("cpu", "a.tar.gz")])).toMatchObject({ ok: true });
  expect(readdirSync(installedFolder(folder))).toEqual(["gopi-build", "libllama.so", "llama-server"]);
});

test("an unexpected archive is not unpacked", async () => {
  const right = packArchive({ "llama-server": printing("1") });
  const wrong = Buffer.from(right);
  wrong[right.length - 1] = 255 - (right.at(-1) ?? 0);
  const { folder, buildOf, install } = await rigWith({ "a.tar.gz": wrong });
  const build = { ...buildOf("cpu"), archives: [archiveEntry("a.tar.gz", right)] };
  expect(await install([build])).toMatchObject({ error: { code: "wrong_checksum" } });
  expect(await findInstalledFile(folder)).toBeNull();
});

test("an aborted download continues where it was", async () => {
  const { mirror, buildOf, install, steps } = await rigWith({
    "a.tar.gz": packArchive({ "llama-server": printing("1"), data: "x".repeat(10_000) }),
  });
  const build = buildOf("cpu", "a.tar.gz");
  mirror.setHalt(100);
  const stop = new AbortController();
  const stopped = await install([build], stop.signal, () => (steps.at(-1)?.completed ?? 0) >= 100 && stop.abort());
  expect(stopped).toMatchObject({ error: { code: "aborted" } });
  mirror.setHalt(null);
  expect(await install([build])).toMatchObject({ ok: true });
  expect(mirror.requests).toEqual(["a.tar.gz 0", "a.tar.gz 100"]);
});

test("a step of the download has its speed and its remaining time", async () => {
  const { mirror, buildOf, install, steps } = await rigWith({
    "a.tar.gz": packArchive({ "llama-server": printing("1"), data: "x".repeat(10_000) }),
  });
  const build = buildOf("cpu", "a.tar.gz");
  mirror.setHalt(100);
  const stop = new AbortController();
  await install([build], stop.signal, () => steps.at(-1)?.secondsLeft !== undefined && stop.abort());
  const [first, last] = [steps[0], steps.at(-1)];
  expect(first).not.toHaveProperty("bytesPerSecond");
  expect(last?.bytesPerSecond).toBeGreaterThan(0);
  expect(last?.secondsLeft).toBe(Math.ceil(((last?.bytes ?? 0) - 100) / (last?.bytesPerSecond ?? 0)));
});

test("while the connection is tried again, this is the step", async () => {
  const { mirror, buildOf, install, steps } = await rigWith({ "a.tar.gz": packArchive({ "llama-server": "" }) });
  await mirror.close();
  const stop = new AbortController();
  await install([buildOf("cpu", "a.tar.gz")], stop.signal, () => steps.at(-1)?.status === "retrying" && stop.abort());
  expect(steps.map(({ status, completed }) => `${status} ${completed}`)).toEqual(["downloading 0", "retrying 0"]);
});

test("without tar the reason is reported, and the archive is kept for the next attempt", async () => {
  const { folder, mirror, buildOf, install } = await rigWith({
    "a.tar.gz": packArchive({ "llama-server": printing("1") }),
  });
  const build = buildOf("cpu", "a.tar.gz");
  const failed = await install([build], never, undefined, "/nowhere");
  expect(failed).toMatchObject({ error: { code: "tool_missing", detail: "tar" } });
  expect(readdirSync(folder)).toEqual(["downloads"]);
  expect(await install([build])).toMatchObject({ ok: true });
  expect(mirror.requests).toEqual(["a.tar.gz 0"]);
  expect(readdirSync(folder)).toEqual(["program"]);
});

test("archives are kept when the disk is full while the build is unpacked", async () => {
  const { folder, mirror, buildOf, install } = await rigWith({
    "a.tar.gz": packArchive({ "llama-server": printing("1") }),
  });
  const build = buildOf("cpu", "a.tar.gz");
  const full = (): Promise<never> => Promise.reject(Object.assign(new Error("full"), { code: "ENOSPC" }));
  expect(await install([build], never, undefined, process.env.PATH, full)).toMatchObject({
    error: { code: "disk_full" },
  });
  expect(readdirSync(folder)).toEqual(["downloads"]);
  expect(await install([build])).toMatchObject({ ok: true });
  expect(mirror.requests).toEqual(["a.tar.gz 0"]);
});
