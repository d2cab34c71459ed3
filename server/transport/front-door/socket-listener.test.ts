import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { connect, createServer as createSocketServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeSocketListener } from "./socket-listener";

function makeFolder(mode = 0o700): string {
  const root = mkdtempSync(join(tmpdir(), "gopi-s-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const folder = join(root, "f");
  mkdirSync(folder);
  chmodSync(folder, mode);
  return folder;
}

/** A server that says whether a request came over the socket. */
async function listen(path: string) {
  const lines: string[] = [];
  const listener = makeSocketListener(path, (line) => void lines.push(line));
  const http = createServer(({ socket }, response) => void response.end(String(listener.has(socket))));
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  onTestFinished(() => {
    http.close();
    http.closeAllConnections();
  });
  return { isListening: await listener.listen(http), lines, http };
}

async function get(target: { readonly socketPath: string } | { readonly port: number }): Promise<string> {
  const [answer] = await once(request({ ...target, agent: false }).end(), "response");
  return Buffer.concat(await answer.toArray()).toString();
}

test("only this user may connect, and what comes over the socket is known", async () => {
  const path = join(makeFolder(), "s");
  const { isListening, http } = await listen(path);
  expect(isListening).toBe(true);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(await get({ socketPath: path })).toBe("true");
  const address = http.address();
  expect(await get({ port: typeof address === "object" && address !== null ? address.port : 0 })).toBe("false");
});

test("the socket is removed with the server", async () => {
  const path = join(makeFolder(), "s");
  const { http } = await listen(path);
  http.close();
  await once(http, "close");
  expect(statSync(path, { throwIfNoEntry: false })).toBeUndefined();
});

/** Another program that listens there. */
async function startProgram(path: string) {
  const code = `require("node:net").createServer().listen({ path: ${JSON.stringify(path)}, backlog: 1 }, () => console.log())`;
  const program = spawn(process.execPath, ["-e", code], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void program.kill("SIGKILL"));
  await once(program.stdout, "data");
  return program;
}

test("the socket of a killed server is replaced", async () => {
  const path = join(makeFolder(), "s");
  const killed = await startProgram(path);
  killed.kill("SIGKILL");
  await once(killed, "exit");
  expect(statSync(path).isSocket()).toBe(true);
  expect(await listen(path)).toMatchObject({ isListening: true, lines: [] });
  expect(await get({ socketPath: path })).toBe("true");
});

test("the socket of a server that accepts no connection now is not replaced", async () => {
  const path = join(makeFolder(), "s");
  const stopped = await startProgram(path);
  stopped.kill("SIGSTOP");
  const waiting: Socket[] = [];
  onTestFinished(() => waiting.forEach((socket) => void socket.destroy()));
  const isAccepted = (): Promise<boolean> => {
    const socket = connect(path);
    waiting.push(socket);
    return once(socket, "connect").then(
      () => true,
      () => false,
    );
  };
  while (await isAccepted());
  expect(await listen(path)).toMatchObject({
    isListening: false,
    lines: [expect.stringContaining("another program listens there")],
  });
});

test("a socket in use and a file are not replaced", async () => {
  const folder = makeFolder();
  const path = join(folder, "s");
  const other = createSocketServer();
  other.listen(path);
  await once(other, "listening");
  const used = await listen(path);
  expect([used.isListening, used.lines]).toEqual([false, [expect.stringContaining("another program listens there")]]);
  other.close();
  await once(other, "close");
  symlinkSync(join(folder, "elsewhere"), path);
  expect((await listen(path)).lines).toEqual([expect.stringContaining("there is a file of this name")]);
  writeFileSync(join(folder, "file"), "x");
  const file = await listen(join(folder, "file"));
  expect([file.isListening, file.lines]).toEqual([false, [expect.stringContaining("there is a file of this name")]]);
});

test.each([
  [0o770, "other users can write"],
  [0o777, "other users can write"],
  [0o1777, "other users can write"],
])("in a folder of mode %o it does not listen", async (mode, reason) => {
  const { isListening, lines } = await listen(join(makeFolder(mode), "s"));
  expect([isListening, lines]).toEqual([false, [expect.stringContaining(reason)]]);
});

test("in a folder below one that others can write it does not listen", async () => {
  const folder = join(makeFolder(0o777), "own");
  mkdirSync(folder, { mode: 0o700 });
  expect((await listen(join(folder, "s"))).lines).toEqual([expect.stringContaining("a folder above it")]);
});

test("its folder is created for this user alone, also in one that others may read", async () => {
  const path = join(makeFolder(0o755), "new", "s");
  expect(await listen(path)).toMatchObject({ isListening: true, lines: [] });
  expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
});

test("where no folder can be it does not listen", async () => {
  const path = join(makeFolder(), "file");
  writeFileSync(path, "x");
  expect((await listen(join(path, "s"))).lines).toEqual([expect.stringContaining("its folder can't be used (")]);
});
