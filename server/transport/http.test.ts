import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { asId, type SessionId } from "@/lib/id";
import { openStore } from "../store/open-store";
import { loopbackNames } from "./guard";
import { makeHttpServer } from "./http";
import { makeSignIns } from "./sign-in";

/** The door with a page that is one word, and what it asked the sessions to prepare. */
async function openDoor() {
  const home = mkdtempSync(join(tmpdir(), "gopi-http-"));
  const opened = openStore({ home, now: Date.now });
  if (!opened.ok) throw new Error(opened.error.code);
  const store = opened.value;
  const prepared: SessionId[] = [];
  const bugs: string[] = [];
  let port = 0;
  const signIns = makeSignIns({ store: store.signIns, port: () => port, bearer: "b".repeat(32), now: Date.now });
  const http = makeHttpServer({
    door: () => ({ port, names: loopbackNames }),
    version: "1",
    now: () => 0,
    serveStatic: (_request, response) => void response.end("page"),
    bug: (what, error) => void bugs.push(`${what}: ${String(error)}`),
    store: Promise.resolve(),
    core: Promise.resolve({
      signIns,
      registry: { prepare: (id: SessionId) => void prepared.push(id) },
      freshLinkToken: signIns.freshLinkToken,
      call: (name) =>
        name === "fails" ? Promise.reject(new Error("broken")) : Promise.resolve({ ok: true, value: null }),
    }),
  });
  await new Promise<void>((resolve) => void http.listen(0, "127.0.0.1", resolve));
  const address = http.address();
  port = typeof address === "object" && address !== null ? address.port : 0;
  onTestFinished(() => {
    http.close();
    http.closeAllConnections();
    store.close();
    rmSync(home, { recursive: true });
  });
  const cookie = String(signIns.exchange(signIns.freshLinkToken(), "x", "192.0.2.7"))
    .split(";", 1)
    .join("");
  const get = async (path: string, headers: Record<string, string>): Promise<string> =>
    (await fetch(`http://127.0.0.1:${port}${path}`, { headers })).text();
  return { prepared, bugs, cookie, get, port };
}

it("the page of a session has its log read, for who is signed in", async () => {
  const { prepared, cookie, get } = await openDoor();
  expect(await get("/s/sabc123", { cookie })).toBe("page");
  expect(prepared).toEqual([asId<SessionId>("sabc123")]);
});

it("nobody else has a log read, and no other page has", async () => {
  const { prepared, cookie, get } = await openDoor();
  expect(await get("/s/sabc123", {})).toBe("page");
  expect(await get("/s/sabc123", { cookie: "gopi=no" })).toBe("page");
  for (const path of ["/", "/s", "/s/", "/s/a/b", "/history", "/s/a.b"]) await get(path, { cookie });
  expect(prepared).toEqual([]);
});

it("an exception in a request is answered with 500 and logged with its path, without the query", async () => {
  const { bugs, port } = await openDoor();
  const response = await fetch(`http://127.0.0.1:${port}/api/call?secret`, {
    method: "POST",
    headers: { authorization: `Bearer ${"b".repeat(32)}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "fails", input: {} }),
  });
  expect(response.status).toBe(500);
  expect(await response.json()).toMatchObject({ error: { code: "internal" } });
  expect(bugs).toEqual(["POST /api/call: Error: broken"]);
});
