import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { connect as connectTls } from "node:tls";
import { expect, it, onTestFinished } from "vitest";
import { dayMs } from "@/lib/time/duration";
import { loopbackNames } from "../auth/guard";
import { makeAddressListeners } from "../http/address-listeners";
import { makeHttpServer } from "../http/http";
import { readCertificate } from "./certificate";
import { makeServerTls } from "./server-tls";
import { makeTestCertificate } from "./test-certificate";

/** An address of this machine that represents one on a network. */
const network = "127.0.0.41";

/** A server at 127.0.0.1 and at that address, with the clocks that a test moves. */
async function serve(files = makeTestCertificate(["DNS:box.example", `IP:${network}`]), handshakeMs?: number) {
  const clock = { now: Date.now(), elapsed: 0 };
  const lines: string[] = [];
  const log = (line: string): void => void lines.push(line);
  const tls = makeServerTls({ files, now: () => clock.now, elapsed: () => clock.elapsed, log }, handshakeMs);
  if ("problem" in tls) throw new Error(tls.problem);
  const at = { port: 0, names: [...loopbackNames, network], covers: tls.covers };
  const http = makeHttpServer({
    listenAddress: () => at,
    version: "1.0.0",
    now: () => 0,
    serveStatic: (_request, response) => void response.end("page"),
    reportBug: () => {},
    store: Promise.resolve(),
    core: new Promise(() => {}),
  });
  tls.serve(http);
  await new Promise<void>((resolve) => void http.listen(0, "127.0.0.1", resolve));
  const own = http.address();
  at.port = typeof own === "object" && own !== null ? own.port : 0;
  const lan = makeAddressListeners(http);
  expect(await lan.open([network], at.port)).toEqual([]);
  onTestFinished(() => {
    lan.close();
    http.close();
    http.closeAllConnections();
  });
  return { tls, clock, lines, port: at.port, files };
}

interface TestAnswer {
  readonly status: number | undefined;
  readonly location: string | undefined;
  readonly body: string;
}

const get = (url: string, headers: Readonly<Record<string, string>> = {}): Promise<TestAnswer> =>
  new Promise((resolve, reject) => {
    const request = url.startsWith("https:") ? httpsRequest : httpRequest;
    request(url, { headers, agent: false, rejectUnauthorized: false }, (response) => {
      const { statusCode: status, headers: sent } = response;
      text(response).then((body) => resolve({ status, location: sent.location, body }), reject);
    })
      .on("error", reject)
      .end();
  });

/** Serial number of the certificate that a connection gets. */
const servedSerial = (port: number): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connectTls({ port, host: "127.0.0.1", rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().serialNumber);
      socket.destroy();
    }).on("error", reject);
  });

it("serves https at every address, and plain http on this machine only", async () => {
  const { port } = await serve();
  for (const origin of [`https://127.0.0.1:${port}`, `https://${network}:${port}`, `http://127.0.0.1:${port}`])
    expect(await get(`${origin}/s/1`)).toMatchObject({ status: 200, body: "page" });
  expect(await get(`https://${network}:${port}/`, { host: `box.example:${port}` })).toMatchObject({ status: 200 });
});

it("redirects plain http from a network, without passing the request on", async () => {
  const { port } = await serve();
  const https = `https://${network}:${port}/s/1?a=b`;
  const answer = await get(`http://${network}:${port}/s/1?a=b`);
  expect(answer).toMatchObject({ status: 308, location: https });
  expect(answer.body).toContain(https);
  const named = await get(`http://${network}:${port}/`, { host: `box.example:${port}` });
  expect(named.location).toBe(`https://box.example:${port}/`);
  for (const host of [`evil.example:${port}`, `localhost:${port}1`])
    expect(await get(`http://${network}:${port}/`, { host })).toMatchObject({ status: 421, location: undefined });
  // The name of the certificate does not open plain http on this machine to other pages.
  expect((await get(`http://127.0.0.1:${port}/`, { host: `box.example:${port}` })).status).toBe(421);
});

it("refuses what is neither http nor TLS, and keeps serving", async () => {
  const { port } = await serve();
  const socket = connect(port, "127.0.0.1", () => void socket.write("\u0003\u0000\u0000hello\r\n\r\n"));
  expect(await text(socket)).toContain("400 Bad Request");
  expect((await get(`https://127.0.0.1:${port}/`)).status).toBe(200);
});

it("closes a connection that does not finish its handshake", async () => {
  const { port } = await serve(undefined, 20);
  const socket = connect(port, "127.0.0.1", () => void socket.write("\u0016"));
  socket.on("error", () => {}).resume();
  await new Promise((resolve) => void socket.once("close", resolve));
});

it("uses a changed certificate for new connections, and keeps the old one while the files do not match", async () => {
  const { port, clock, files, tls, lines } = await serve();
  const first = await servedSerial(port);
  const next = makeTestCertificate(["DNS:localhost"], 200);
  copyFileSync(next.cert, files.cert);
  clock.elapsed += 10_000;
  expect(await servedSerial(port)).toBe(first);
  expect(tls.status().problem).toBe("other_key");
  expect(lines).toEqual([expect.stringContaining("belongs to another certificate")]);
  copyFileSync(next.key, files.key);
  clock.elapsed += 10_000;
  expect(await servedSerial(port)).not.toBe(first);
  expect(tls.status()).toMatchObject({ problem: undefined, file: files.cert });
  expect(tls.covers("localhost")).toBe(true);
});

it("uses a certificate that was written with the time of the previous one, as copies of backups are", async () => {
  const { port, clock, files } = await serve();
  const first = await servedSerial(port);
  const { atime, mtime } = statSync(files.cert);
  const keyTimes = statSync(files.key);
  const next = makeTestCertificate(["DNS:box.example", `IP:${network}`]);
  copyFileSync(next.cert, files.cert);
  copyFileSync(next.key, files.key);
  utimesSync(files.cert, atime, mtime);
  utimesSync(files.key, keyTimes.atime, keyTimes.mtime);
  clock.elapsed += 10_000;
  expect(await servedSerial(port)).not.toBe(first);
});

it("keeps serving when a file has become a pipe, a device or a huge file", async () => {
  const { port, clock, files, tls } = await serve();
  for (const replace of [
    () => void execFileSync("mkfifo", [files.key]),
    () => symlinkSync("/dev/zero", files.key),
    () => {
      writeFileSync(files.key, "");
      truncateSync(files.key, 2 ** 31);
    },
  ]) {
    rmSync(files.key);
    replace();
    clock.elapsed += 10_000;
    expect((await get(`https://127.0.0.1:${port}/`)).status).toBe(200);
    expect(tls.status().problem).toBe("unreadable");
  }
});

it("reports an end that is near once a day, from 14 days before", async () => {
  const { port, clock, lines } = await serve();
  const look = async (days: number): Promise<number> => {
    clock.now += days * dayMs;
    clock.elapsed += days * dayMs;
    await servedSerial(port);
    return lines.length;
  };
  expect(await look(85)).toBe(0);
  expect(await look(2)).toBe(1);
  expect(lines[0]).toMatch(/expires in 12 days/);
  expect(await look(0.5)).toBe(1);
  expect(await look(1)).toBe(2);
});

it("names the file that cannot be used, and why", () => {
  const files = makeTestCertificate(["DNS:localhost"]);
  const other = makeTestCertificate(["DNS:localhost"]);
  const tell = (changed: Partial<typeof files>, now = Date.now()): unknown => {
    const read = readCertificate({ ...files, ...changed }, now);
    return read.ok ? "ok" : read.failure;
  };
  expect(tell({})).toBe("ok");
  expect(tell({ key: other.key })).toEqual({ problem: "other_key", file: other.key });
  expect(tell({ key: files.cert })).toEqual({ problem: "not_key", file: files.cert });
  expect(tell({ cert: files.key })).toEqual({ problem: "not_certificate", file: files.key });
  expect(tell({}, Date.now() + 101 * dayMs)).toEqual({ problem: "expired", file: files.cert });
  writeFileSync(other.cert, readFileSync(other.cert, "utf8").slice(0, 100));
  expect(tell({ cert: other.cert })).toEqual({ problem: "not_certificate", file: other.cert });
  rmSync(other.key);
  expect(tell({ key: other.key })).toEqual({ problem: "missing", file: other.key });
});
