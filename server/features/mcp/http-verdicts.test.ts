import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { asId, type Hash } from "@/lib/events/id";
import { makeHttpVerdicts } from "./http-verdicts";
import type { ServerKey } from "./server-life";
import { makeMcpServers } from "./servers";
import { answerLegacy, httpServer, serveHttp } from "./transport/test-http-server";
import { never } from "./test-mcp";

const key: ServerKey = { project: "p", server: "s", launch: asId<Hash>("one") };
const legacy = { transport: "sse", prior: { kind: "legacy" } } as const;
const dayMs = 86_400_000;

function temporaryFile(): string {
  const home = mkdtempSync(join(tmpdir(), "mcp-verdicts-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  return join(home, "mcp-verdicts.json");
}

test("a verdict is kept for 24 hours, over a restart, for one launch of a server in all projects", () => {
  const path = temporaryFile();
  let now = 1_000;
  const open = () => makeHttpVerdicts(path, () => now);
  open().of(key).write(legacy);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const verdicts = open();
  expect(verdicts.of({ ...key, project: "q" }).read()).toEqual(legacy);
  expect(verdicts.of({ ...key, launch: asId<Hash>("two") }).read()).toBeNull();
  now += dayMs - 1;
  expect(open().of(key).read()).toEqual(legacy);
  now += 1;
  expect(open().of(key).read()).toBeNull();
  // A clock that was set back does not keep it longer.
  now -= 2 * dayMs;
  expect(open().of(key).read()).toBeNull();
});

test("one that was wrong is forgotten; a damaged file has none", () => {
  const path = temporaryFile();
  makeHttpVerdicts(path, () => 0)
    .of(key)
    .write(legacy);
  makeHttpVerdicts(path, () => 0)
    .of(key)
    .write(null);
  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual([]);
  writeFileSync(path, "{");
  expect(
    makeHttpVerdicts(path, () => 0)
      .of(key)
      .read(),
  ).toBeNull();
});

test("after a restart a server of 2025 is not asked for its discovery again", async () => {
  const { origin, requests } = await serveHttp(answerLegacy);
  const path = temporaryFile();
  const methodsOfStart = async (): Promise<readonly unknown[]> => {
    const before = requests.length;
    const servers = makeMcpServers({
      version: "0",
      verdicts: makeHttpVerdicts(path, () => 1_000),
      resolve: async () => ({ ok: true, value: { target: httpServer(`${origin}/mcp`) } }),
      onTools: () => {},
      onState: () => {},
    });
    expect(await servers.test(key, never)).toMatchObject({ ok: true });
    await servers.close();
    return requests.slice(before).map(({ message }) => message.method);
  };
  expect(await methodsOfStart()).toContain("server/discover");
  const again = await methodsOfStart();
  expect(again).toContain("initialize");
  expect(again).not.toContain("server/discover");
});

test("a transport that was configured after the verdict is the one that is used", async () => {
  const { origin, requests } = await serveHttp(answerLegacy);
  let transport: "http" | "sse" | null = null;
  const servers = makeMcpServers({
    version: "0",
    verdicts: makeHttpVerdicts(temporaryFile(), () => 1_000),
    resolve: async () => ({ ok: true, value: { target: httpServer(`${origin}/mcp`, { transport }) } }),
    onTools: () => {},
    onState: () => {},
  });
  onTestFinished(() => servers.close());
  expect(await servers.test(key, never)).toMatchObject({ ok: true });
  transport = "sse";
  requests.length = 0;
  // The server has no SSE.
  expect(await servers.test(key, never)).toMatchObject({ ok: false });
  expect(requests.map(({ method }) => method)).toEqual(["GET"]);
  transport = "http";
  expect(await servers.test(key, never)).toMatchObject({ ok: true });
});
