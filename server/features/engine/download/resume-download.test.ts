/** Downloads from a real server on this machine that cuts, stalls, redirects and lies. */
import { anyFacts } from "@/lib/events/error";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type DownloadReport, resumeDownload } from "./resume-download";

const content = randomBytes(3_000_000);
const sha256 = createHash("sha256").update(content).digest("hex");
const never = new AbortController().signal;
type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Returns the first byte that a request asks for. */
const firstOf = ({ headers }: IncomingMessage): number => Number(/^bytes=(\d+)-$/.exec(headers.range ?? "")?.[1] ?? 0);

/** Sends the rest of the file from the requested byte on, at most `most` bytes, then breaks the connection. */
const sendRest =
  (most = Number.POSITIVE_INFINITY, bytes = content): Answer =>
  (request, response) => {
    const first = firstOf(request);
    const range = { "content-range": `bytes ${first}-${bytes.length - 1}/${bytes.length}` };
    response.writeHead(first > 0 ? 206 : 200, { "content-length": bytes.length - first, ...(first > 0 ? range : {}) });
    const rest = bytes.subarray(first, first + most);
    if (first + most >= bytes.length) response.end(rest);
    else response.write(rest, () => response.destroy());
  };

/** Serves one answer after the other, the last one again and again. `requested` = the first byte of each request. */
async function serve(...answers: readonly Answer[]) {
  const requested: number[] = [];
  const server = createServer((request, response) => {
    const answer = answers[Math.min(requested.length, answers.length - 1)];
    requested.push(firstOf(request));
    answer?.(request, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { address: `http://127.0.0.1:${port}/engine.tar.gz`, requested };
}

function place() {
  const folder = mkdtempSync(join(tmpdir(), "gopi-download-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const target = join(folder, "engine.tar.gz");
  return { target, part: `${target}.part` };
}

const start = (address: string, target: string, signal = never, progress = (_bytes: number): void => {}) =>
  resumeDownload(
    { address, target, bytes: content.length, sha256 },
    { progress: ({ completed }) => progress(completed), retryMs: 1 },
    signal,
  );

test("a file arrives whole, with its progress, and is not requested again", async () => {
  const { target, part } = place();
  const { address, requested } = await serve(sendRest());
  const progress: number[] = [];
  expect(await start(address, target, never, (bytes) => progress.push(bytes))).toEqual({ ok: true, value: null });
  expect(readFileSync(target).equals(content)).toBe(true);
  expect(existsSync(part)).toBe(false);
  expect(progress[0]).toBe(0);
  expect(progress.at(-1)).toBe(content.length);
  expect(progress).toEqual(progress.toSorted((a, b) => a - b));
  expect(await start(address, target)).toMatchObject({ ok: true });
  expect(requested).toEqual([0]);
});

test("cuts are continued where they happened, as long as bytes arrive", async () => {
  const { target } = place();
  const { address, requested } = await serve(sendRest(300_000));
  expect(await start(address, target)).toMatchObject({ ok: true });
  expect(readFileSync(target).equals(content)).toBe(true);
  expect(requested.length).toBeGreaterThan(5);
  expect(requested).toEqual(requested.toSorted((a, b) => a - b));
});

test("a connection without bytes for a while counts as cut", async () => {
  const { target } = place();
  const stall: Answer = (_request, response) => {
    response.writeHead(200, { "content-length": content.length });
    response.write(content.subarray(0, 100_000));
  };
  const silent: Answer = () => {};
  const { address, requested } = await serve(stall, silent, sendRest());
  const download = { address, target, bytes: content.length, sha256 };
  const options = { progress() {}, stalledMs: 200, retryMs: 1 };
  expect(await resumeDownload(download, options, never)).toMatchObject({ ok: true });
  expect(readFileSync(target).equals(content)).toBe(true);
  // A machine under load may be silent for longer than that, too.
  expect(requested.length).toBeGreaterThanOrEqual(3);
  expect(requested).toEqual(requested.toSorted((a, b) => a - b));
});

test("what arrives is counted once, and while nothing arrives this is reported, too", async () => {
  const { target, part } = place();
  writeFileSync(part, content.subarray(0, 1_000_000));
  let sendLater: (() => void) | null = null;
  const { address } = await serve(sendRest(1_500_000), (request, response) => {
    response.writeHead(206, { "content-range": `bytes ${firstOf(request)}-${content.length - 1}/${content.length}` });
    response.flushHeaders();
    sendLater = () => response.end(content.subarray(firstOf(request)));
  });
  let received = 0;
  let silentReports = 0;
  const progress = (report: DownloadReport): void => {
    received += report.received;
    if (sendLater === null || report.received > 0) return;
    silentReports += 1;
    sendLater();
    sendLater = null;
  };
  const download = { address, target, bytes: content.length, sha256 };
  expect(await resumeDownload(download, { progress, retryMs: 1 }, never)).toMatchObject({ ok: true });
  expect([received, silentReports]).toEqual([2_000_000, 1]);
});

test("an open connection without bytes is reported with the time until it counts as cut, until bytes arrive", async () => {
  const { target } = place();
  let sendLater = (): void => undefined;
  const { address } = await serve((_request, response) => {
    response.writeHead(200, { "content-length": content.length });
    response.write(content.subarray(0, 1_000));
    sendLater = () => response.end(content.subarray(1_000));
  });
  const seen: (number | undefined)[] = [];
  const progress = ({ retryMs }: DownloadReport): void => {
    if (retryMs !== seen.at(-1)) seen.push(retryMs);
    if (retryMs !== undefined) sendLater();
  };
  const download = { address, target, bytes: content.length, sha256 };
  const options = { progress, quietMs: 1_000, stalledMs: 60_000 };
  expect(await resumeDownload(download, options, never)).toMatchObject({ ok: true });
  expect(seen).toEqual([59_000, undefined]);
});

test("a failed connection is reported until bytes arrive again", async () => {
  const { target } = place();
  const drop: Answer = (_request, response) => response.destroy();
  const { address } = await serve(sendRest(300_000), drop, drop, sendRest());
  const seen: string[] = [];
  const progress = ({ completed, received, isRetrying }: DownloadReport): void => {
    const report = `${completed > 0 ? "some" : "none"} ${received > 0 ? "arrives" : "waits"} ${isRetrying}`;
    if (report !== seen.at(-1)) seen.push(report);
  };
  const download = { address, target, bytes: content.length, sha256 };
  expect(await resumeDownload(download, { progress, retryMs: 1 }, never)).toMatchObject({ ok: true });
  expect(seen).toEqual(["none waits false", "some arrives false", "some waits true", "some arrives false"]);
});

test("after an abort the part stays, and the next call continues it", async () => {
  const { target, part } = place();
  const { address, requested } = await serve(sendRest());
  const controller = new AbortController();
  const stop = (bytes: number): void => {
    if (bytes > 0) controller.abort();
  };
  expect(await start(address, target, controller.signal, stop)).toMatchObject({ error: { code: "aborted" } });
  const partial = statSync(part).size;
  expect(partial).toBeGreaterThan(0);
  expect(partial).toBeLessThan(content.length);
  expect(await start(address, target)).toMatchObject({ ok: true });
  expect(requested).toEqual([0, partial]);
  expect(readFileSync(target).equals(content)).toBe(true);
});

test("a server without ranges sends the file from its start", async () => {
  const { target, part } = place();
  writeFileSync(part, content.subarray(0, 1_000));
  const { address } = await serve((_request, response) => response.end(content));
  expect(await start(address, target)).toMatchObject({ ok: true });
  expect(readFileSync(target).equals(content)).toBe(true);
});

test.each([
  ["that is longer than the file", Buffer.alloc(content.length + 1)],
  ["with all its bytes", content],
])("a part %s", async (_title, bytes) => {
  const { target, part } = place();
  writeFileSync(part, bytes);
  const { address } = await serve(sendRest());
  expect(await start(address, target)).toMatchObject({ ok: true });
  expect(readFileSync(target).equals(content)).toBe(true);
});

test("a part that a server cannot continue is received again", async () => {
  const { target, part } = place();
  writeFileSync(part, content.subarray(0, 1_000));
  const { address, requested } = await serve((_request, response) => response.writeHead(416).end(), sendRest());
  expect(await start(address, target)).toMatchObject({ ok: true });
  expect(requested).toEqual([1_000, 0]);
});

test.each([
  ["other bytes", Buffer.alloc(content.length, 7)],
  ["more bytes", Buffer.concat([content, Buffer.from("x")])],
])("%s are deleted, and the file can be received again", async (_title, bytes) => {
  const { target, part } = place();
  // Without a stated length.
  const wrong = await serve((_request, response) => response.write(bytes, () => response.end()));
  expect(await start(wrong.address, target)).toMatchObject({ error: { code: "wrong_checksum" } });
  expect([existsSync(part), existsSync(target)]).toEqual([false, false]);
  const right = await serve(sendRest());
  expect(await start(right.address, target)).toMatchObject({ ok: true });
});

test("an address that refuses is not repeated, one that is overloaded is", async () => {
  const { target } = place();
  const missing = await serve((_request, response) => response.writeHead(404).end());
  const failure = await start(missing.address, target);
  expect(failure).toMatchObject({ error: { code: "download_failed", facts: { status: 404 } } });
  expect(missing.requested).toHaveLength(1);
  const busy = await serve((_request, response) => response.writeHead(503).end(), sendRest());
  expect(await start(busy.address, target)).toMatchObject({ ok: true });
  expect(busy.requested).toHaveLength(2);
});

test("redirects are followed, not without end, and never to an address in the clear", async () => {
  const { target } = place();
  const file = await serve(sendRest());
  const redirect =
    (to: string): Answer =>
    (_request, response) =>
      response.writeHead(302, { location: to }).end();
  const moved = await serve(redirect(file.address));
  const circle = await serve(redirect("/engine.tar.gz"));
  const clear = await serve(redirect("http://example.com/engine.tar.gz"));
  for (const { address } of [circle, clear])
    expect(await start(address, target)).toMatchObject({ error: { code: "download_failed" } });
  expect(clear.requested).toHaveLength(1);
  expect(await start("http://192.0.2.1/engine.tar.gz", target)).toMatchObject({ error: { code: "download_failed" } });
  expect(await start(moved.address, target)).toMatchObject({ ok: true });
});

test("a file that does not fit on the disk is not requested", async () => {
  const { target } = place();
  const { address, requested } = await serve(sendRest());
  const bytes = 1e18;
  const failure = await resumeDownload({ address, target, bytes, sha256 }, { progress: () => {} }, never);
  expect(failure).toMatchObject({ error: { code: "disk_full" } });
  expect(failure.ok ? 0 : anyFacts(failure.error).missingBytes).toBeGreaterThan(0);
  expect(requested).toEqual([]);
});

test.runIf(process.platform === "linux")(
  "a disk that becomes full ends the download, which is not repeated",
  async () => {
    const { target, part } = place();
    // Each write to it fails with ENOSPC.
    symlinkSync("/dev/full", part);
    const { address, requested } = await serve(sendRest());
    expect(await start(address, target)).toMatchObject({ error: { code: "disk_full" } });
    expect(requested).toEqual([0]);
  },
);

test.each<[string, Answer]>([
  ["a page of a proxy", (_request, response) => response.end("<html>Sign in</html>")],
  [
    "a part of another file",
    (_request, response) => {
      const range = { "content-range": `bytes 1000-9999/10000` };
      response.writeHead(206, range).end(Buffer.alloc(9_000));
    },
  ],
  [
    "another part than the requested one",
    (_request, response) => {
      const range = { "content-range": `bytes 0-${content.length - 1}/${content.length}` };
      response.writeHead(206, range).end(content);
    },
  ],
])("%s does not replace what has arrived", async (_title, answer) => {
  const { target, part } = place();
  writeFileSync(part, content.subarray(0, 1_000));
  const wrong = await serve(answer);
  expect(await start(wrong.address, target)).toMatchObject({
    error: { code: "download_failed", facts: { hasOtherFile: true } },
  });
  expect(wrong.requested).toEqual([1_000]);
  expect(statSync(part).size).toBe(1_000);
  const { address, requested } = await serve(sendRest());
  expect(await start(address, target)).toMatchObject({ ok: true });
  expect(requested).toEqual([1_000]);
  expect(readFileSync(target).equals(content)).toBe(true);
});

test("an abort ends the check of the sum, and what has arrived is kept", async () => {
  const { target, part } = place();
  writeFileSync(part, content);
  const controller = new AbortController();
  const ended = start("http://127.0.0.1:1/x", target, controller.signal, () => controller.abort());
  expect(await ended).toMatchObject({ error: { code: "aborted" } });
  expect([statSync(part).size, existsSync(target)]).toEqual([content.length, false]);
});
