/** Downloads of models from a mirror on this machine. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { serveEngineMirror } from "@/e2e/fixtures/engine-mirror";
import { hubFiles } from "@/e2e/fixtures/hub-files";
import { fail, ok, type Result } from "@/lib/events/error";
import { makeModelDownloads, type DownloadedModel, type ModelDownloads } from "./model-downloads";
import { parseModelReference } from "./model-reference";

const model = Buffer.alloc(300_000, "m");
const projector = Buffer.alloc(20_000, "p");
const repository = hubFiles("u/tiny-GGUF", { "tiny-Q4_K_M.gguf": model, "mmproj-F16.gguf": projector });
const reference = "hf:u/tiny-GGUF";

interface Rig {
  readonly downloads: ModelDownloads;
  readonly finished: readonly DownloadedModel[];
  readonly listed: Set<string>;
  /** Resolves when the state of the downloads satisfies the condition. */
  until(condition: (downloads: ModelDownloads) => boolean): Promise<void>;
}

/**
 * `hub` = address, or why there is none; `added` = the result of adding a model to the list, or what gives it; `room` =
 * models that the list can get.
 */
function open(
  folder: string,
  hub: string | Result<never>,
  added: Result<null> | ((rig: Rig, model: DownloadedModel) => Promise<Result<null>>) = ok(null),
  room = 100,
): Rig {
  const finished: DownloadedModel[] = [];
  const listed = new Set<string>();
  const waiting = new Set<() => void>();
  const downloads = makeModelDownloads({
    folder,
    hub: () => (typeof hub === "string" ? ok(hub.replace(/\/$/, "")) : hub),
    isListed: (file) => listed.has(file),
    room: () => room,
    onChange() {
      for (const check of waiting) check();
    },
    async finished(model) {
      finished.push(model);
      return typeof added === "function" ? added(rig, model) : added;
    },
  });
  onTestFinished(() => downloads.close());
  const until = (condition: (downloads: ModelDownloads) => boolean) =>
    new Promise<void>((resolve) => {
      const check = (): void => {
        if (!condition(downloads)) return;
        waiting.delete(check);
        resolve();
      };
      waiting.add(check);
      check();
    });
  const rig: Rig = { downloads, finished, listed, until };
  return rig;
}

async function place(files: Readonly<Record<string, Buffer>>) {
  const folder = mkdtempSync(join(tmpdir(), "gopi-models-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const mirror = await serveEngineMirror(files);
  onTestFinished(() => mirror.close());
  const at = join(folder, "models", "u--tiny-GGUF");
  return {
    folder,
    mirror,
    hub: mirror.base,
    file: join(at, "tiny-Q4_K_M.gguf"),
    projectorFile: join(at, "mmproj-F16.gguf"),
  };
}

const start = ({ downloads }: Rig, name = reference) => downloads.start(parseModelReference(name)!);
const isIdle = (downloads: ModelDownloads): boolean => downloads.list().length === 0;
const hasStatus =
  (status: string) =>
  (downloads: ModelDownloads): boolean =>
    downloads.list().some((one) => one.status === status);

test("a model arrives with the file that reads images", async () => {
  const { folder, hub, file, projectorFile } = await place(repository);
  const rig = open(folder, hub);
  expect(await start(rig)).toEqual(ok(null));
  expect(rig.downloads.list()).toMatchObject([{ reference, name: "tiny-Q4_K_M", bytes: 320_000 }]);
  await rig.until(isIdle);
  expect(rig.finished).toEqual([{ name: "tiny-Q4_K_M", file, projector: projectorFile }]);
  expect(readFileSync(file).equals(model)).toBe(true);
  expect(readFileSync(projectorFile).equals(projector)).toBe(true);
});

test("a paused download is there after a restart, and continues where it was", async () => {
  const { folder, hub, mirror } = await place(repository);
  const first = open(folder, hub);
  mirror.setHalt(1_000);
  await start(first);
  await first.until((downloads) => downloads.list()[0]?.completed === 1_000);
  await first.downloads.close();
  expect(first.downloads.list()).toMatchObject([{ status: "paused", completed: 1_000 }]);

  const second = open(folder, hub);
  await second.downloads.load();
  expect(second.downloads.list()).toMatchObject([{ reference, status: "paused", completed: 1_000, bytes: 320_000 }]);
  mirror.setHalt(null);
  await start(second);
  await second.until(isIdle);
  expect(second.finished).toHaveLength(1);
  const paths = mirror.requests.map((request) => request.replace(/c{40}/, "COMMIT"));
  expect(paths).toEqual([
    "api/models/u/tiny-GGUF 0",
    "u/tiny-GGUF/resolve/COMMIT/tiny-Q4_K_M.gguf 0",
    "u/tiny-GGUF/resolve/COMMIT/tiny-Q4_K_M.gguf 1000",
    "u/tiny-GGUF/resolve/COMMIT/mmproj-F16.gguf 0",
  ]);
});

test("a download has its speed and its remaining time, until it is paused", async () => {
  const { folder, hub, mirror } = await place(repository);
  const rig = open(folder, hub);
  mirror.setHalt(1_000);
  await start(rig);
  await rig.until((downloads) => downloads.list()[0]?.secondsLeft !== undefined);
  const [running] = rig.downloads.list();
  expect(running?.bytesPerSecond).toBeGreaterThan(0);
  expect(running?.secondsLeft).toBe(Math.ceil(319_000 / (running?.bytesPerSecond ?? 0)));
  await rig.downloads.pause(reference);
  expect(rig.downloads.list()[0]).not.toHaveProperty("bytesPerSecond");
  expect(rig.downloads.list()[0]).not.toHaveProperty("secondsLeft");
});

test("while the connection is tried again, this is the state of a download", async () => {
  const { folder, hub, mirror } = await place(repository);
  const rig = open(folder, hub);
  mirror.setHalt(1_000);
  await start(rig);
  await rig.until((downloads) => downloads.list()[0]?.completed === 1_000);
  await mirror.close();
  await rig.until(hasStatus("retrying"));
  expect(rig.downloads.list()).toMatchObject([{ completed: 1_000 }]);
  expect(rig.downloads.list()[0]).not.toHaveProperty("secondsLeft");
  await rig.downloads.pause(reference);
  expect(rig.downloads.list()).toMatchObject([{ status: "paused", completed: 1_000 }]);
});

test.each(["pause", "cancel"] as const)(
  "a connection that hangs is reported after 10 s, and %s ends it",
  async (action) => {
    const { folder, hub, mirror, file } = await place(repository);
    const rig = open(folder, hub);
    mirror.setHalt(1_000);
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    await start(rig);
    await rig.until((downloads) => downloads.list()[0]?.completed === 1_000);
    vi.advanceTimersByTime(9_000);
    expect(rig.downloads.list()).toMatchObject([{ status: "downloading" }]);
    vi.advanceTimersByTime(1_000);
    expect(rig.downloads.list()).toMatchObject([{ status: "silent", retrySeconds: 50, completed: 1_000 }]);
    vi.advanceTimersByTime(3_000);
    expect(rig.downloads.list()).toMatchObject([{ status: "silent", retrySeconds: 47 }]);
    expect(await rig.downloads[action](reference)).toEqual(ok(null));
    const left = rig.downloads.list().map(({ status, retrySeconds }) => [status, retrySeconds]);
    expect(left).toEqual(action === "pause" ? [["paused", undefined]] : []);
    expect(existsSync(`${file}.part`)).toBe(action === "pause");
  },
);

test("without an address that can be used a download is refused, and one that was paused is kept", async () => {
  const { folder, hub, mirror } = await place(repository);
  const first = open(folder, hub);
  mirror.setHalt(1_000);
  await start(first);
  await first.until((downloads) => downloads.list()[0]?.completed === 1_000);
  await first.downloads.close();
  const { length } = mirror.requests;

  const second = open(folder, fail("bad_input", undefined, { variable: "HF_ENDPOINT" }));
  const error = { code: "bad_input", facts: { variable: "HF_ENDPOINT" } };
  expect(await second.downloads.start({ repository: "u/other" })).toMatchObject({ error });
  await start(second);
  await second.until(hasStatus("failed"));
  expect(second.downloads.list()).toMatchObject([{ completed: 1_000, error }]);
  expect(mirror.requests).toHaveLength(length);
});

test("a download that is given up leaves nothing, except a projector of another model", async () => {
  const { folder, hub, mirror, file, projectorFile } = await place(repository);
  const rig = open(folder, hub);
  mirror.setHalt(1_000);
  await start(rig);
  await rig.until((downloads) => downloads.list()[0]?.completed === 1_000);
  writeFileSync(projectorFile, projector);
  rig.listed.add(projectorFile);
  expect(await rig.downloads.cancel(reference)).toEqual(ok(null));
  expect(existsSync(`${file}.part`)).toBe(false);
  expect(existsSync(projectorFile)).toBe(true);
  expect(rig.downloads.list()).toEqual([]);
  expect(await rig.downloads.cancel(reference)).toMatchObject({ error: { code: "not_found" } });
  const next = open(folder, hub);
  await next.downloads.load();
  expect(next.downloads.list()).toEqual([]);
});

test.each([
  ["pause", [0, 1_000]],
  ["cancel", [0, 0]],
] as const)("a start during a %s begins when that has ended", async (action, positions) => {
  const { folder, hub, mirror, file } = await place(repository);
  const rig = open(folder, hub);
  mirror.setHalt(1_000);
  await start(rig);
  await rig.until((downloads) => downloads.list()[0]?.completed === 1_000);
  mirror.setHalt(null);
  const ended = rig.downloads[action](reference);
  expect(await start(rig)).toEqual(ok(null));
  expect(await ended).toEqual(ok(null));
  await rig.until((downloads) => isIdle(downloads) && rig.finished.length === 1);
  expect(statSync(file).size).toBe(300_000);
  const requests = mirror.requests.filter((request) => request.includes("/tiny-Q4_K_M.gguf"));
  expect(requests.map((request) => Number(request.split(" ")[1]))).toEqual(positions);
});

test("a cancellation during the last step leaves the model that is in the list then", async () => {
  const parts = { "m-00001-of-00002.gguf": model, "m-00002-of-00002.gguf": Buffer.alloc(10_000, "2") };
  const { folder, hub } = await place(hubFiles("u/tiny-GGUF", parts));
  let cancelled: Promise<Result<null>> | undefined;
  const rig = open(folder, hub, async ({ downloads, listed }, { file }) => {
    cancelled = downloads.cancel(reference);
    listed.add(file);
    return ok(null);
  });
  await start(rig);
  await rig.until(isIdle);
  expect(await cancelled).toEqual(ok(null));
  const at = join(folder, "models", "u--tiny-GGUF");
  expect(readdirSync(at).toSorted()).toEqual(Object.keys(parts));
});

test("a file with another checksum is refused, nothing of it is kept, and the download can be repeated", async () => {
  const path = `u/tiny-GGUF/resolve/${"c".repeat(40)}/tiny-Q4_K_M.gguf`;
  const files = { ...repository, [path]: Buffer.alloc(300_000, "x") };
  const { folder, hub, file } = await place(files);
  const rig = open(folder, hub);
  await start(rig);
  await rig.until(hasStatus("failed"));
  expect(rig.downloads.list()).toMatchObject([{ completed: 0, error: { code: "wrong_checksum" } }]);
  expect(existsSync(file) || existsSync(`${file}.part`)).toBe(false);
  files[path] = model;
  await start(rig);
  await rig.until(isIdle);
  expect(statSync(file).size).toBe(300_000);
});

test("a file that is broken on the server is not checked again, also after a restart, until it is deleted", async () => {
  const { folder, hub, mirror, file } = await place(repository);
  const broken = fail("model_file_broken");
  const failed = [{ status: "failed", completed: 320_000, error: { code: "model_file_broken" } }];
  const first = open(folder, hub, broken);
  await start(first);
  await first.until(hasStatus("failed"));
  expect(first.downloads.list()).toMatchObject(failed);
  expect(await start(first)).toEqual(broken);
  expect(first.finished).toHaveLength(1);

  const second = open(folder, hub, broken);
  await second.downloads.load();
  expect(second.downloads.list()).toMatchObject(failed);
  expect(await start(second)).toEqual(broken);
  expect(await second.downloads.cancel(reference)).toEqual(ok(null));
  expect(existsSync(file)).toBe(false);
  expect(second.downloads.list()).toEqual([]);

  const { length } = mirror.requests;
  const third = open(folder, hub);
  expect(await start(third)).toEqual(ok(null));
  await third.until(isIdle);
  expect(mirror.requests.slice(length)).toHaveLength(3);
});

test("a model that had arrived before a kill is added after the restart", async () => {
  const { folder, hub } = await place(repository);
  const first = open(folder, hub, fail("too_many"));
  await start(first);
  await first.until(hasStatus("failed"));
  const second = open(folder, hub);
  await second.downloads.load();
  expect(second.finished).toEqual(first.finished);
  expect(second.downloads.list()).toEqual([]);
  const third = open(folder, hub);
  await third.downloads.load();
  expect(third.downloads.list()).toEqual([]);
});

test.each([
  ["hf:u/other", "not_found", {}],
  ["hf:u/tiny-GGUF:Q8_0", "not_found", { facts: { available: "Q4_K_M" } }],
  ["hf:u/gated", "no_permission", {}],
  ["hf:u/odd", "download_failed", {}],
  ["hf:u/huge", "disk_full", {}],
])("%s fails with %s", async (name, code, rest) => {
  const huge = JSON.parse(String(hubFiles("u/huge", { "m-Q4_0.gguf": model })["api/models/u/huge"]));
  huge.siblings[0].lfs.size = 2 ** 50;
  const { folder, hub, mirror } = await place({
    ...repository,
    ...hubFiles("u/gated", { "m-Q4_0.gguf": model }, { gated: "auto" }),
    "api/models/u/odd": Buffer.from("<html>"),
    "api/models/u/huge": Buffer.from(JSON.stringify(huge)),
  });
  const rig = open(folder, hub);
  expect(await start(rig, name)).toMatchObject({ error: { code, ...rest } });
  expect(rig.downloads.list()).toEqual([]);
  expect(mirror.requests).toHaveLength(1);
});

test("a model that is in the list is not downloaded again", async () => {
  const { folder, hub, file } = await place(repository);
  const rig = open(folder, hub);
  rig.listed.add(file);
  expect(await start(rig)).toMatchObject({ error: { code: "exists" } });
});

test("a model for which the list has no room is refused before its download, and one that was begun is not", async () => {
  const two = hubFiles("u/tiny-GGUF", { "tiny-Q4_K_M.gguf": model, "tiny-Q8_0.gguf": model });
  const { folder, hub, mirror } = await place(two);
  const rig = open(folder, hub, ok(null), 1);
  mirror.setHalt(1_000);
  expect(await start(rig, `${reference}:Q4_K_M`)).toEqual(ok(null));
  const { length } = mirror.requests;
  expect(await start(rig, `${reference}:Q8_0`)).toMatchObject({ error: { code: "too_many" } });
  expect(mirror.requests).toHaveLength(length);
  await rig.downloads.pause(`${reference}:Q4_K_M`);
  expect(await start(rig, `${reference}:Q4_K_M`)).toEqual(ok(null));
});

test("without the hub the download fails and can be tried again", async () => {
  const { folder, hub, mirror } = await place(repository);
  await mirror.close();
  const rig = open(folder, hub);
  expect(await start(rig)).toMatchObject({ error: { code: "download_failed" } });
});

test("two clicks, and both names of a model, give one transfer", async () => {
  const { folder, hub, mirror } = await place(repository);
  const rig = open(folder, hub);
  // Else it could be finished before the last click.
  mirror.setHalt(1_000);
  const names = [reference, reference, `${reference}:Q4_K_M`];
  const started = await Promise.all(names.map((name) => start(rig, name)));
  expect(started).toEqual([ok(null), ok(null), ok(null)]);
  expect(rig.downloads.list()).toHaveLength(1);
  await rig.until((downloads) => downloads.list().every(({ completed }) => completed === 1_000));
  expect(mirror.requests.filter((request) => request.includes("resolve"))).toHaveLength(1);
  mirror.setHalt(null);
  await rig.downloads.pause(reference);
  await start(rig);
  await rig.until(isIdle);
  expect(rig.finished).toHaveLength(1);
});

test("two models share the file that reads images, also if one of them is given up", async () => {
  const two = hubFiles("u/tiny-GGUF", {
    "tiny-Q4_K_M.gguf": model,
    "tiny-Q8_0.gguf": model,
    "mmproj-F16.gguf": projector,
  });
  const { folder, hub, mirror, projectorFile } = await place(two);
  const rig = open(folder, hub);
  mirror.setHalt(1_000);
  await start(rig, `${reference}:Q4_K_M`);
  await start(rig, `${reference}:Q8_0`);
  await rig.until((downloads) => downloads.list().every(({ completed }) => completed === 1_000));
  writeFileSync(projectorFile, projector);
  expect(await rig.downloads.cancel(`${reference}:Q8_0`)).toEqual(ok(null));
  expect(existsSync(projectorFile)).toBe(true);
  await rig.downloads.pause(`${reference}:Q4_K_M`);
  rmSync(projectorFile);
  mirror.setHalt(null);
  await Promise.all([start(rig, `${reference}:Q4_K_M`), start(rig, `${reference}:Q8_0`)]);
  await rig.until(isIdle);
  expect(rig.finished.map(({ projector: file }) => file)).toEqual([projectorFile, projectorFile]);
  expect(mirror.requests.filter((request) => request.includes("mmproj"))).toHaveLength(1);
});

test("files of two subfolders with the same name are two files", async () => {
  const files = hubFiles("u/tiny-GGUF", { "Q4_0/m.gguf": model, "Q8_0/m.gguf": Buffer.alloc(10_000, "8") });
  const { folder, hub } = await place(files);
  const rig = open(folder, hub);
  for (const quantization of ["Q4_0", "Q8_0"])
    expect(await start(rig, `${reference}:${quantization}`)).toEqual(ok(null));
  await rig.until(isIdle);
  expect(rig.finished.map(({ file }) => statSync(file).size).toSorted()).toEqual([10_000, 300_000]);
});

test("a download that was added before a kill is not continued", async () => {
  const { folder, hub, file } = await place(repository);
  const first = open(folder, hub);
  await start(first);
  await first.downloads.close();
  const second = open(folder, hub);
  second.listed.add(file);
  await second.downloads.load();
  expect(second.downloads.list()).toEqual([]);
});

test("a repository with very many files is refused", async () => {
  const names = Array.from({ length: 2_001 }, (_, index) => [`m-${index}.gguf`, Buffer.from("m")] as const);
  const { folder, hub } = await place(hubFiles("u/tiny-GGUF", Object.fromEntries(names)));
  expect(await start(open(folder, hub))).toMatchObject({
    error: { code: "too_many", facts: { repository: "u/tiny-GGUF" } },
  });
});

test("a list of files that is very large is refused without being parsed", async () => {
  const text = String(repository["api/models/u/tiny-GGUF"]);
  const { folder, hub } = await place({ ...repository, "api/models/u/tiny-GGUF": Buffer.from(text.padEnd(2 ** 21)) });
  expect(await start(open(folder, hub))).toMatchObject({ error: { code: "too_many" } });
});
