/** A second start, tested by its output: with a real home, lock and server, and different running versions. */
import { makeServerLog } from "@/server/base/server-log";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openHome } from "@/server/home";
import { readServerFile, writeServerFile } from "@/server/store/core/server-file";
import { type HttpCore, makeHttpServer } from "@/server/transport/http/http";
import { loopbackNames } from "@/server/transport/auth/guard";
import type { ServeArguments } from "../arguments/parse-arguments";
import { forwardToRunningServer } from "./forward-to-running-server";

/** Nothing listens on the discard port. */
const environment = { ...process.env, OLLAMA_HOST: "http://127.0.0.1:9" };

/**
 * Starts a server in a new home; the returned function runs a second start, given the running build and the new one.
 */
async function running() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "gopi-hand-over-")));
  const home = join(folder, "home");
  const listenAddress = { port: 0, names: loopbackNames };
  let ready = (_core: HttpCore): void => {};
  const core = new Promise<HttpCore>((resolve) => {
    ready = resolve;
  });
  const http = makeHttpServer({
    listenAddress: () => listenAddress,
    version: "1.0.0",
    now: () => performance.now(),
    serveStatic: (_request, response) => void response.end(),
    reportBug: () => {},
    store: Promise.resolve(),
    core,
  });
  await new Promise<void>((resolve) => void http.listen(0, "127.0.0.1", resolve));
  const address = http.address();
  listenAddress.port = typeof address === "object" && address !== null ? address.port : 0;
  const command: ServeArguments & { readonly folder: string } = {
    kind: "serve",
    folder,
    port: null,
    host: "127.0.0.1",
    network: [],
    model: null,
    files: [],
    home,
    open: false,
    json: false,
    demo: false,
    background: false,
  };
  const place = { http, listenAddress: () => listenAddress, lan: null, ui: folder };
  const serverLog = makeServerLog(() => {}, Date.now);
  const opened = await openHome({ command, environment, ...place, onStoreOpen: () => {}, serverLog, log: () => {} });
  if (opened.kind !== "open") throw new Error(opened.kind);
  ready(opened.core);
  await opened.projectOpen;
  onTestFinished(async () => {
    await opened.end();
    http.closeAllConnections();
    rmSync(folder, { recursive: true, force: true });
  });
  const file = readServerFile(home);
  if (file === undefined) throw new Error("no server.json");
  return async (
    running: {
      readonly version: string;
      readonly build?: string;
      readonly origin?: string;
      readonly machine?: string;
      readonly socket?: string;
      readonly isOfHub?: boolean;
    },
    { publicAddress, socket, ...now }: typeof running & Pick<ServeArguments, "publicAddress" | "socket">,
  ) => {
    const { build: _, ...serverFile } = file;
    writeServerFile(home, { ...serverFile, ...running });
    const output: string[] = [];
    const warned: string[] = [];
    const options = {
      arguments: { ...command, publicAddress, socket },
      version: now.version,
      build: now.build,
      environment,
    };
    const end = await forwardToRunningServer(
      { ...options, writeOutput: (line) => output.push(line), writeError: (line) => warned.push(line) },
      new AbortController().signal,
    );
    return { end, said: output, warned };
  };
}

test("an older running program is reported in one line, with its process and how to end it; the folder opens there", async () => {
  const start = await running();
  const hint = `(process ${process.pid}). To use this one, stop it (Ctrl+C in its terminal, or kill ${process.pid}) and start again.`;
  const opens = { end: 0, said: [expect.stringMatching(/^Opened in .*http:\/\/localhost:\d+\/#token=/)] };
  expect(await start({ version: "1.0.0", build: "a" }, { version: "1.0.0", build: "b" })).toEqual({
    ...opens,
    warned: [`An older build of 1.0.0 is running ${hint}`],
  });
  // Older versions write no build to the server file.
  expect((await start({ version: "1.0.0" }, { version: "1.0.0", build: "b" })).warned).toHaveLength(1);
  expect(await start({ version: "0.9.0\u001b[2J", build: "a" }, { version: "1.0.0", build: "b" })).toEqual({
    ...opens,
    warned: [expect.stringMatching(/^Version 0\.9\.0[^\u001b]* is running; this is 1\.0\.0 \(process \d+\)\./)],
  });
});

test("the same version is not reported", async () => {
  const start = await running();
  const same = { version: "1.0.0", build: "a" };
  expect((await start(same, same)).warned).toEqual([]);
  expect((await start({ version: "1.0.0" }, { version: "1.0.0" })).warned).toEqual([]);
});

test("a server on another machine is named with that machine; nothing is sent to its address here", async () => {
  const start = await running();
  const ended = await start({ version: "1.0.0", machine: "node-17" }, { version: "1.0.0" });
  expect(ended).toEqual({
    end: 1,
    said: [],
    warned: [expect.stringMatching(/^gopi-web: gopi-web 1\.0\.0 \(process \d+ on node-17\) is using \S+\. Stop it, /)],
  });
});

test("the page of a hub's server is named without a link, which would sign no one in", async () => {
  const start = await running();
  const server = { version: "1.0.0", origin: "http://localhost:1/user/ann", isOfHub: true };
  expect(await start(server, { version: "1.0.0" })).toEqual({
    end: 0,
    said: ["Opened in the running gopi-web: /user/ann/ at JupyterHub"],
    warned: [],
  });
});

test("another public address is not taken, which is reported with how to use it", async () => {
  const start = await running();
  const publicAddress = { origins: ["https://ide.example.org", "http://box"], prefix: "/alice" };
  const now = { version: "1.0.0", publicAddress };
  expect((await start({ version: "1.0.0" }, now)).warned).toEqual([
    expect.stringMatching(
      /^Already running at http:\/\/localhost:\d+; --public-url was ignored\. Stop it .* start again\.$/,
    ),
  ]);
  const published = { version: "1.0.0", origin: "https://ide.example.org/alice" };
  expect(await start(published, now)).toMatchObject({
    said: [expect.stringContaining("https://ide.example.org/alice/#token=")],
    warned: [],
  });
});

test("another socket is not listened on, which is reported", async () => {
  const start = await running();
  const now = { version: "1.0.0", socket: "/home/x/s" };
  expect((await start({ version: "1.0.0" }, now)).warned).toEqual([
    expect.stringMatching(/^Already running without this socket; --socket was ignored\. Stop it .* start again\.$/),
  ]);
  expect((await start(now, now)).warned).toEqual([]);
});
