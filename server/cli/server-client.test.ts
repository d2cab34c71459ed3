/** Requests to the server of a home. */
import { mkdtempSync, rmSync } from "node:fs";
import http, { Agent, createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { machineName } from "@/server/base/machine-name";
import { writeServerFile } from "@/server/store/core/server-file";
import { callServer, findServerFile, isHealthy, requestSignInLink } from "./server-client";

const never = new AbortController().signal;
const ownAgent = http.globalAgent;
afterEach(() => {
  http.globalAgent = ownAgent;
  vi.unstubAllGlobals();
});

const answers = {
  "GET /api/health": { ok: true, version: "1.0.0" },
  "POST /api/link": { ok: true, value: { token: "once" } },
  "POST /api/call": { ok: true, value: [] },
};

/** A server whose answers are these, and the parts of its file. */
async function useServer() {
  const server = createServer(({ method, url, headers }, response) => {
    const found = Object.entries(answers).find(([name]) => name === `${method} ${url}`);
    const isAllowed = method === "GET" || headers.authorization === "Bearer secret";
    response.end(JSON.stringify(isAllowed ? found?.[1] : null));
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { address: "127.0.0.1", port, token: "secret", pid: process.pid, version: "1.0.0" };
}

test("are sent directly where Node uses the proxy of the environment", async () => {
  // NODE_USE_ENV_PROXY changes Node's fetch and its common agent.
  vi.stubGlobal("fetch", () => Promise.reject(new Error("sent to the proxy")));
  http.globalAgent = new Agent({ lookup: () => expect.unreachable() });
  const server = await useServer();
  expect(await isHealthy(server, never)).toBe(true);
  expect(await callServer(server, "project.list", {}, never)).toEqual({ ok: true, value: [] });
  expect(await requestSignInLink(server, [], never)).toBe(`http://localhost:${server.port}/#token=once`);
  const pinning = await requestSignInLink(server, ["a b.md", "x&y"], never);
  expect(pinning).toBe(`http://localhost:${server.port}/?pin=a+b.md&pin=x%26y#token=once`);
});

test.skipIf(machineName() === undefined)(
  "a server of another machine is none of this one, whose processes have the same numbers",
  () => {
    const home = mkdtempSync(join(tmpdir(), "gopi-elsewhere-"));
    onTestFinished(() => rmSync(home, { recursive: true }));
    const server = { address: "127.0.0.1", port: 1, token: "secret", pid: process.pid, version: "1.0.0" };
    for (const machine of [undefined, machineName()]) {
      writeServerFile(home, { ...server, machine });
      expect(findServerFile(home)?.pid).toBe(process.pid);
    }
    writeServerFile(home, { ...server, machine: "node-17" });
    expect(findServerFile(home)).toBeNull();
  },
);

test("fail with connection_lost without a server, and with the reason of the signal", async () => {
  const server = { ...(await useServer()), port: 1 };
  expect(await isHealthy(server, never)).toBe(false);
  expect(await callServer(server, "project.list", {}, never)).toMatchObject({ error: { code: "connection_lost" } });
  const reason = new Error("stopped");
  await expect(callServer(server, "project.list", {}, AbortSignal.abort(reason))).rejects.toBe(reason);
});
