/** The bytes of project files over a real server and real sockets. */
import { once } from "node:events";
import { mkdirSync, readdirSync, readlinkSync, realpathSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer, request, type ServerResponse } from "node:http";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { ok } from "@/lib/events/error";
import { fileLinkMs, type RequestedFile } from "@/server/handlers/project/file-access";
import { handleProjectFile, parseByteRange } from "./project-file";
import { listenForTest, owner, serveProject } from "./test-project-server";

test("the owner gets the exact bytes, which cannot run as a page", async () => {
  const bytes = Uint8Array.from({ length: 700_001 }, (_, index) => index % 256);
  const { get, addressOf } = await serveProject({ "a.bin": bytes, "p.html": "<script>1</script>", "i.svg": "<svg/>" });
  const answer = await get(addressOf("a.bin"));
  expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
  expect(answer.headers.get("content-length")).toBe("700001");
  for (const [path, type] of [
    ["a.bin", "application/octet-stream"],
    ["p.html", "application/octet-stream"],
    ["i.svg", "image/svg+xml"],
  ] as const) {
    const { headers } = await get(addressOf(path));
    expect([path, headers.get("content-type")]).toEqual([path, type]);
    expect(headers.get("content-security-policy")).toMatch(/^sandbox; default-src 'none'; (?!.*script)/);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
    expect(headers.get("access-control-allow-origin")).toBeNull();
  }
});

test("a download names the file, also outside ASCII, without breaking the header", async () => {
  const { get, addressOf } = await serveProject({ '报"告\r\nx: y.csv': "1" });
  const shown = await get(addressOf('报"告\r\nx: y.csv'));
  expect(shown.headers.get("content-disposition")).toMatch(/^inline; /);
  const saved = await get(`${addressOf('报"告\r\nx: y.csv')}&download`);
  expect(saved.headers.get("content-disposition")).toBe(
    `attachment; filename="_____x: y.csv"; filename*=UTF-8''%E6%8A%A5%22%E5%91%8A%0D%0Ax%3A%20y.csv`,
  );
  expect(await saved.text()).toBe("1");
});

test("a range has exactly its bytes, and HEAD has none", async () => {
  const { get, addressOf } = await serveProject({ "a.txt": "0123456789", empty: "" });
  const ranged = async (range: string) => {
    const answer = await get(addressOf("a.txt"), { ...owner, range });
    return [answer.status, answer.headers.get("content-range"), await answer.text()];
  };
  expect(await ranged("bytes=2-4")).toEqual([206, "bytes 2-4/10", "234"]);
  expect(await ranged("bytes=8-")).toEqual([206, "bytes 8-9/10", "89"]);
  expect(await ranged("bytes=-3")).toEqual([206, "bytes 7-9/10", "789"]);
  expect(await ranged("bytes=10-")).toEqual([416, "bytes */10", ""]);
  expect(await ranged("bytes=0-1,3-4")).toEqual([200, null, "0123456789"]);
  const head = await get(addressOf("a.txt"), owner, "HEAD");
  expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([200, "10", ""]);
  expect(await (await get(addressOf("empty"))).text()).toBe("");
});

test("a path may be as long as the file system allows", async () => {
  const { folder, get, addressOf } = await serveProject({});
  const path = Array.from({ length: 14 }, () => "文".repeat(80)).join("/");
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), "deep");
  expect(Buffer.byteLength(path)).toBeGreaterThan(3_000);
  expect(await (await get(addressOf(path))).text()).toBe("deep");
  expect((await get(addressOf("a".repeat(20_000)))).status).toBeGreaterThanOrEqual(400);
});

test("an unchanged file is not sent again, and a range of a changed one becomes the whole", async () => {
  const { folder, get, addressOf } = await serveProject({ "a.txt": "0123456789" });
  const etag = (await get(addressOf("a.txt"))).headers.get("etag") ?? "";
  expect((await get(addressOf("a.txt"), { ...owner, "if-none-match": `W/${etag}` })).status).toBe(304);
  const resumed = { ...owner, range: "bytes=5-", "if-range": etag };
  expect(await (await get(addressOf("a.txt"), resumed)).text()).toBe("56789");
  writeFileSync(join(folder, "a.txt"), "other bytes");
  expect((await get(addressOf("a.txt"), { ...owner, "if-none-match": etag })).status).toBe(200);
  expect(await (await get(addressOf("a.txt"), resumed)).text()).toBe("other bytes");
});

test("only the owner gets bytes, and a link only for its file, its browser and its time", async () => {
  const { get, page, addressOf, linkTo, pass } = await serveProject({ "a.txt": "a", "b.txt": "b" });
  const { cookie } = page;
  const status = async (target: string, headers: Record<string, string>) => (await get(target, headers)).status;
  expect(await status(addressOf("a.txt"), page)).toBe(200);
  expect(await status(addressOf("a.txt"), {})).toBe(401);
  expect(await status(addressOf("a.txt"), { cookie })).toBe(401);
  expect(await status(linkTo("a.txt"), { cookie })).toBe(200);
  expect(await status(`${linkTo("a.txt")}&download`, { cookie })).toBe(200);
  expect(await status(linkTo("a.txt"), {})).toBe(401);
  expect(await status(linkTo("a.txt"), { cookie: cookie.replace(/.$/, "") })).toBe(401);
  expect(await status(linkTo("a.txt"), { cookie, "sec-fetch-site": "same-site" })).toBe(403);
  expect(await status(linkTo("a.txt").replace("a.txt", "b.txt"), { cookie })).toBe(401);
  expect(await status(linkTo("a.txt").replace(/until=\d+/, "until=99999999"), { cookie })).toBe(401);
  const link = linkTo("a.txt");
  pass(fileLinkMs);
  expect(await status(link, { cookie })).toBe(401);
});

test("what is not a file in the project is refused with a code", async () => {
  const { folder, get, addressOf } = await serveProject({ "a.txt": "a" });
  symlinkSync("/etc/hostname", join(folder, "out"));
  mkdirSync(join(folder, "sub"));
  const refused = async (path: string) => {
    const answer = await get(addressOf(path));
    return [answer.status, await answer.json()];
  };
  expect(await refused("none")).toEqual([404, { ok: false, error: { code: "not_found" } }]);
  expect(await refused("sub")).toEqual([400, { ok: false, error: { code: "is_folder" } }]);
  expect(await refused("")).toEqual([400, { ok: false, error: { code: "is_folder" } }]);
  expect(await refused("a\0")).toMatchObject([400, { error: { code: "bad_path" } }]);
  for (const path of ["out", "../../etc/hostname", "/etc/hostname"])
    expect([path, (await refused(path))[0]]).toEqual([path, 403]);
  expect((await get("/api/file?project=none&path=a.txt")).status).toBe(404);
  expect((await get(addressOf("a.txt"), { ...owner, origin: "x" }, "DELETE")).status).toBe(405);
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

describe("a large file", () => {
  const size = 300_000_000;

  test("is sent as fast as the client reads, and a client that leaves ends it", async () => {
    const { folder, port, get, addressOf, bugs } = await serveProject({ big: "" });
    truncateSync(join(folder, "big"), size);
    const before = process.memoryUsage().rss;
    const sent = request({ port, host: "127.0.0.1", path: addressOf("big"), headers: owner }).end();
    const [answer] = await once(sent, "response");
    await once(answer, "readable");
    answer.destroy();
    await once(answer, "close");
    // The server still answers; what was not read was not loaded.
    expect(await (await get(addressOf("big"), { ...owner, range: `bytes=${size - 2}-` })).text()).toBe("\0\0");
    expect(process.memoryUsage().rss - before).toBeLessThan(size / 3);
    expect(bugs).toEqual([]);
  });

  test.skipIf(process.platform !== "linux")("is closed when the client reads nothing any more", async () => {
    const { folder, port, addressOf, bugs } = await serveProject({ big: "" }, { stalledFileMs: 50 });
    truncateSync(join(folder, "big"), size);
    const isOpen = (): boolean => openPaths().some((path) => path === realpathSync(join(folder, "big")));
    const sent = request({ port, host: "127.0.0.1", path: addressOf("big"), headers: owner }).end();
    const [answer] = await once(sent, "response");
    expect(isOpen()).toBe(true);
    // The client's own buffers take some of the file before it stops reading.
    await vi.waitUntil(() => !isOpen(), { timeout: 30_000, interval: 20 });
    answer.on("error", () => {}).destroy();
    expect(bugs).toEqual([]);
  });

  test("that becomes shorter while it is sent ends the connection, so that it is not taken for whole", async () => {
    const { folder, port, addressOf, bugs } = await serveProject({ big: "" });
    truncateSync(join(folder, "big"), size);
    const sent = request({ port, host: "127.0.0.1", path: addressOf("big"), headers: owner }).end();
    const [answer] = await once(sent, "response");
    truncateSync(join(folder, "big"), 10);
    const [error] = await once(answer.resume(), "error");
    expect(error).toMatchObject({ code: "ECONNRESET" });
    expect(bugs).toEqual([]);
  });
});

/** Serves a file that `read` produces; `rejected` has what the handler rejects with. */
async function serveRead(size: number, read: (response: ServerResponse) => ReturnType<RequestedFile["read"]>) {
  const rejected: unknown[] = [];
  const port = await listenForTest(
    createServer((received, response) => {
      const file = { path: "a.bin", size, version: "1", read: () => read(response) };
      handleProjectFile(received, response, { read: async (_target, work) => ok(await work(file)) }, 60_000).catch(
        (error: unknown) => rejected.push(error),
      );
    }),
  );
  return { rejected, address: `http://127.0.0.1:${port}/api/file?path=a.bin` };
}

test.each([
  Object.assign(new RangeError("out of range"), { code: "ERR_OUT_OF_RANGE" }),
  Object.assign(new Error("i/o error"), { code: "EIO", syscall: "read" }),
])("%s while the file is read is reported, and the download is incomplete", async (error) => {
  const { rejected, address } = await serveRead(10, async function* () {
    yield Buffer.from("first");
    throw error;
  });
  await expect(fetch(address).then((answer) => answer.arrayBuffer())).rejects.toThrow();
  await vi.waitUntil(() => rejected.length > 0);
  expect(rejected).toEqual([error]);
});

test("no timeout runs while the file is read from the disk", async () => {
  // Larger than what a connection takes at once, so that the server waits for the client.
  const large = Buffer.alloc(20_000_000);
  const timeouts: (number | undefined)[] = [];
  const { rejected, address } = await serveRead(2 * large.length, async function* ({ socket }) {
    timeouts.push(socket?.timeout);
    yield large;
    timeouts.push(socket?.timeout);
    yield large;
  });
  expect((await (await fetch(address)).arrayBuffer()).byteLength).toBe(2 * large.length);
  expect(timeouts.map((timeout) => timeout ?? 0)).toEqual([0, 0]);
  expect(rejected).toEqual([]);
});

test.each([
  ["bytes=0-0", { from: 0, to: 1 }],
  ["bytes=5-100", { from: 5, to: 10 }],
  ["bytes=-100", { from: 0, to: 10 }],
  ["bytes=-0", "none"],
  ["bytes=10-10", "none"],
  ["bytes=4-3", null],
  ["bytes=-", null],
  ["items=1-2", null],
  ["bytes=1e3-", null],
  [undefined, null],
] as const)("the range %s of ten bytes", (header, range) => {
  expect(parseByteRange(header, 10)).toEqual(range);
});
