/** Archives of real folders over a real server, read back by the program `unzip`. */
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer, request, type ServerResponse } from "node:http";
import { dirname, join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { type ErrorCode, fail, ok, type Result } from "@/lib/events/error";
import { fileLinkMs } from "@/server/handlers/project/file-access";
import type { RequestedArchive } from "@/server/handlers/project/file-archives";
import { handleFileArchive } from "./file-archive";
import { listenForTest, serveProject } from "./test-project-server";

const isLinux = process.platform === "linux";

async function serveTree(files: Readonly<Record<string, string | Uint8Array>>, stalledFileMs?: number) {
  const served = await serveProject({}, stalledFileMs === undefined ? {} : { stalledFileMs });
  const at = (path: string): string => join(served.folder, path);
  const put = (path: string, content: string | Uint8Array): void => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), content);
  };
  for (const [path, content] of Object.entries(files)) put(path, content);
  const link = async (...choice: Parameters<typeof served.archiveOf>) => {
    const made = await served.archiveOf(...choice);
    if (!made.ok) throw new Error(made.error.code);
    return made.value;
  };
  let extracted = 0;
  /** Downloads and extracts an archive; returns the folder with its content. */
  const extract = async (...choice: Parameters<typeof served.archiveOf>): Promise<string> => {
    const { url } = await link(...choice);
    const answer = await served.get(url);
    expect(answer.status).toBe(200);
    const to = join(served.folder, `../extracted-${(extracted += 1)}`);
    mkdirSync(to);
    writeFileSync(join(to, "../archive.zip"), Buffer.from(await answer.arrayBuffer()));
    execFileSync("unzip", ["-q", "-o", join(to, "../archive.zip"), "-d", to], {
      env: { ...process.env, LC_ALL: "C.UTF-8" },
    });
    return to;
  };
  return { ...served, at, put, link, extract };
}

/** Follows no link, as the `recursive` of newer Node versions does. */
const listAll = (folder: string, prefix = ""): readonly string[] =>
  readdirSync(join(folder, prefix), { withFileTypes: true })
    .flatMap(({ name }) => {
      const path = prefix + name;
      return lstatSync(join(folder, path)).isDirectory() ? [`${path}/`, ...listAll(folder, `${path}/`)] : [path];
    })
    .sort();

test("a folder arrives with names, contents, empty folders, executable files, times and links", async () => {
  const large = randomBytes(20_000_000);
  const { at, extract, bugs } = await serveTree({
    "src/数据/报告 1.txt": "内容\n",
    "src/empty.txt": "",
    "src/large.bin": large,
    "src/run.sh": "#!/bin/sh\n",
    "src/nested/.env": "KEY=1",
    "src/.git/config": "[core]",
    "src/.gopi-0123456789abcdef01.tmp": "unfinished",
    "secret.txt": "outside the folder",
  });
  mkdirSync(at("src/空"));
  chmodSync(at("src/run.sh"), 0o755);
  chmodSync(at("src/empty.txt"), 0o640);
  utimesSync(at("src/run.sh"), 1_700_000_000, 1_700_000_001);
  symlinkSync("../secret.txt", at("src/link"));
  symlinkSync("/etc", at("src/outside"));
  if (isLinux) execFileSync("mkfifo", [at("src/pipe")]);
  const to = await extract(["src"]);
  expect(listAll(to)).toEqual(
    [
      "src/",
      "src/empty.txt",
      "src/large.bin",
      "src/link",
      "src/nested/",
      "src/nested/.env",
      "src/outside",
      "src/run.sh",
    ]
      .concat(["src/数据/", "src/数据/报告 1.txt", "src/空/"])
      .sort(),
  );
  expect(readFileSync(join(to, "src/数据/报告 1.txt"), "utf8")).toBe("内容\n");
  expect(readFileSync(join(to, "src/large.bin")).equals(large)).toBe(true);
  expect(readFileSync(join(to, "src/empty.txt"))).toHaveLength(0);
  const mode = (path: string): string => (statSync(join(to, path)).mode & 0o777).toString(8);
  expect([mode("src/run.sh"), mode("src/empty.txt")]).toEqual(["755", "640"]);
  expect(statSync(join(to, "src/run.sh")).mtimeMs).toBe(1_700_000_001_000);
  expect(lstatSync(join(to, "src/outside")).isSymbolicLink()).toBe(true);
  expect(readlinkSync(join(to, "src/link"))).toBe("../secret.txt");
  expect(bugs).toEqual([]);
});

test("several entries keep their places below the folder that contains them, and each is sent once", async () => {
  const { link, extract } = await serveTree({ "a/x/1.txt": "1", "a/y/1.txt": "2", "a/y/2.txt": "3", "b.txt": "4" });
  expect(listAll(await extract(["a/x", "a/y", "a/y/1.txt", "a/x"]))).toEqual([
    "x/",
    "x/1.txt",
    "y/",
    "y/1.txt",
    "y/2.txt",
  ]);
  expect(listAll(await extract(["a/y/1.txt", "b.txt"]))).toEqual(["a/", "a/y/", "a/y/1.txt", "b.txt"]);
  expect(listAll(await extract(["", "a/x"]))).toEqual(
    ["", "a/", "a/x/", "a/x/1.txt", "a/y/", "a/y/1.txt", "a/y/2.txt", "b.txt"].map((path) => `served/${path}`),
  );
  const names = await Promise.all([["a/x"], ["a/x", "a/y"], ["a", "b.txt"], [""]].map((paths) => link(paths)));
  expect(names.map(({ name }) => name)).toEqual(["x.zip", "a.zip", "served.zip", "served.zip"]);
});

test("it contains what the tree shows, and what was chosen itself", async () => {
  const { extract } = await serveTree({
    ".gitignore": "out/\n*.log\n!keep.log\n",
    "a/.dot/x": "",
    "a/.dot-file": "",
    "a/1.log": "",
    "a/keep.log": "",
    "a/out/2.txt": "",
    "a/b/out/3.txt": "",
    "a/b/4.txt": "",
  });
  const all = ["a/", "a/.dot-file", "a/.dot/", "a/.dot/x", "a/1.log", "a/b/", "a/b/4.txt", "a/b/out/", "a/b/out/3.txt"];
  expect(listAll(await extract(["a"]))).toEqual([...all, "a/keep.log", "a/out/", "a/out/2.txt"]);
  const shown = ["a/", "a/.dot-file", "a/.dot/", "a/.dot/x", "a/b/", "a/b/4.txt", "a/keep.log"];
  expect(listAll(await extract(["a"], { hidesIgnored: true }))).toEqual(shown);
  expect(listAll(await extract(["a"], { hidesIgnored: true, hidesDotFiles: true }))).toEqual(
    shown.filter((path) => !path.includes(".dot")),
  );
  expect(listAll(await extract(["a/out", "a/.dot"], { hidesIgnored: true, hidesDotFiles: true }))).toEqual([
    ".dot/",
    ".dot/x",
    "out/",
    "out/2.txt",
  ]);
});

test("5,000 files arrive, and the event loop runs meanwhile", async () => {
  const { put, extract } = await serveTree({});
  for (let index = 0; index < 5_000; index += 1) put(`many/${index}.txt`, `content ${index}`);
  let turns = 0;
  let isOver = false;
  const countTurn = (): void => {
    turns += 1;
    if (!isOver) setImmediate(countTurn);
  };
  countTurn();
  const to = await extract(["many"]);
  isOver = true;
  expect(readdirSync(join(to, "many"))).toHaveLength(5_000);
  expect(readFileSync(join(to, "many/4999.txt"), "utf8")).toBe("content 4999");
  expect(turns).toBeGreaterThan(5_000);
});

test("only the owner gets it, with a link, for a time", async () => {
  const { get, page, link, pass } = await serveTree({ "a/x": "1" });
  const { url } = await link(["a"]);
  const { cookie } = page;
  const status = async (target: string, headers: Record<string, string>) => (await get(target, headers)).status;
  const answer = await get(url, { cookie });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-disposition")).toBe(`attachment; filename="a.zip"; filename*=UTF-8''a.zip`);
  expect(answer.headers.get("content-type")).toBe("application/zip");
  expect(answer.headers.get("cache-control")).toBe("no-store");
  await answer.arrayBuffer();
  const head = await get(url, { cookie }, "HEAD");
  expect([head.status, await head.text()]).toEqual([200, ""]);
  expect(await status(url, {})).toBe(401);
  expect(await status(url, { cookie: cookie.replace(/.$/, "") })).toBe(401);
  expect(await status(url, { cookie, "sec-fetch-site": "cross-site" })).toBe(403);
  expect(await status("/api/archive?id=none", { cookie })).toBe(404);
  expect(await status("/api/archive", { cookie })).toBe(404);
  pass(fileLinkMs);
  expect(await status(url, { cookie })).toBe(404);
});

test("what is not in the project is refused before the browser is asked to load it", async () => {
  const { at, archiveOf } = await serveTree({ "a/x": "1", ".git/config": "" });
  symlinkSync("/etc", at("out"));
  const code = async (path: string) => {
    const made = await archiveOf(["a", path]);
    return made.ok ? "ok" : made.error.code;
  };
  expect(await Promise.all([code("none"), code("out/hosts"), code(".git"), code("a\0")])).toEqual([
    "not_found",
    "outside",
    "protected",
    "bad_path",
  ]);
});

test("a path that cannot be a name in the archive is refused, also for what is in the project", async () => {
  const { at, archiveOf } = await serveTree({ "a/x": "1", "b/y": "2" });
  const refused = ["a/../b", "../x", "..", "./a", "a/./x", ".", "a/", "a//x", "/a", at("a"), "/"];
  for (const path of refused) {
    expect([path, await archiveOf([path])]).toMatchObject([path, { ok: false, error: { code: "bad_path" } }]);
    expect([path, await archiveOf(["b", path])]).toMatchObject([path, { ok: false, error: { code: "bad_path" } }]);
  }
  expect(await archiveOf(["..a", "a", "b/y"])).toMatchObject({ error: { code: "not_found" } });
});

/** Paths of the open files of this process. */
const openPaths = (): readonly string[] =>
  readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      // The descriptor of the list itself is gone.
      return [];
    }
  });

describe.skipIf(!isLinux)("a client that does not read to the end", () => {
  const begin = async (stalledFileMs?: number) => {
    const tree = await serveTree({ "a/1.bin": randomBytes(40_000_000), "a/2.txt": "2" }, stalledFileMs);
    const { url } = await tree.link(["a"]);
    const { cookie } = tree.page;
    const sent = request({ port: tree.port, host: "127.0.0.1", path: url, headers: { cookie } }).end();
    const [answer] = await once(sent, "response");
    answer.on("error", () => {});
    const isOpen = (): boolean => openPaths().some((path) => path.startsWith(tree.folder));
    await vi.waitUntil(isOpen, { timeout: 30_000, interval: 5 });
    return { ...tree, answer, isOpen };
  };

  test("and leaves ends the walk and closes every file", async () => {
    const { answer, isOpen, bugs } = await begin();
    await once(answer, "readable");
    answer.destroy();
    await vi.waitUntil(() => !isOpen(), { timeout: 30_000, interval: 20 });
    expect(bugs).toEqual([]);
  });

  test("and stays is disconnected", async () => {
    const { answer, isOpen, bugs } = await begin(100);
    await vi.waitUntil(() => !isOpen(), { timeout: 30_000, interval: 20 });
    answer.destroy();
    expect(bugs).toEqual([]);
  });
});

/** Serves an archive that `write` produces; `rejected` has what the handler rejects with. */
async function serveWritten(
  write: (send: Parameters<RequestedArchive["write"]>[0], response: ServerResponse) => Promise<void>,
  stalledMs = 60_000,
  refusal?: Result<never>,
) {
  const rejected: unknown[] = [];
  const port = await listenForTest(
    createServer((received, response) => {
      const open = async () =>
        refusal ?? ok({ name: "a.zip", write: (send: Parameters<typeof write>[0]) => write(send, response) });
      handleFileArchive(received, response, { open }, stalledMs).catch((error: unknown) => rejected.push(error));
    }),
  );
  return { rejected, port, address: `http://127.0.0.1:${port}/api/archive?id=1` };
}

test.each([
  Object.assign(new RangeError("out of range"), { code: "ERR_OUT_OF_RANGE" }),
  Object.assign(new Error("i/o error"), { code: "EIO", syscall: "read" }),
])("%s while the archive is written is reported, and the download is incomplete", async (error) => {
  const { rejected, address } = await serveWritten(async (send) => {
    await send(Buffer.from("first"));
    throw error;
  });
  const download = fetch(address).then((answer) => answer.arrayBuffer());
  await expect(download).rejects.toThrow();
  await vi.waitUntil(() => rejected.length > 0);
  expect(rejected).toEqual([error]);
});

test.each([
  ["not_found", 404],
  ["bad_path", 400],
  ["outside", 403],
  ["busy", 503],
  ["internal", 500],
] as const)("the failure %s has the status %d", async (code: ErrorCode, status) => {
  const { address } = await serveWritten(async () => {}, 60_000, fail(code));
  const answer = await fetch(address);
  expect([answer.status, await answer.json()]).toEqual([status, { ok: false, error: { code } }]);
});

test("no timeout runs while the server has nothing to send", async () => {
  const large = Buffer.alloc(20_000_000);
  const timeouts: (number | undefined)[] = [];
  const { rejected, address } = await serveWritten(async (send, { socket }) => {
    timeouts.push(socket?.timeout);
    // Larger than what a connection takes at once, so that the server waits for the client.
    const sending = send(large);
    timeouts.push(socket?.timeout);
    await sending;
    timeouts.push(socket?.timeout);
  });
  expect((await (await fetch(address)).arrayBuffer()).byteLength).toBe(large.length);
  expect(timeouts.map((timeout) => timeout ?? 0)).toEqual([0, 60_000, 0]);
  expect(rejected).toEqual([]);
});

test("a client that does not read the last bytes is disconnected", async () => {
  let isClosed = false;
  let waitingBytes = 0;
  const { rejected, port } = await serveWritten(async (send, response) => {
    response.once("close", () => (isClosed = true));
    // The last piece waits for the client, but is too small for the writer to wait.
    while (response.writableLength === 0) {
      await send(Buffer.alloc(4_000));
      await new Promise(setImmediate);
    }
    waitingBytes = response.writableLength;
  }, 100);
  const sent = request({ port, host: "127.0.0.1", path: "/api/archive" }).end();
  const [answer] = await once(sent, "response");
  answer.on("error", () => {});
  await vi.waitUntil(() => isClosed, { timeout: 30_000 });
  expect(waitingBytes).toBeGreaterThan(0);
  expect(rejected).toEqual([]);
  answer.destroy();
});
