/** Checks each route of the server as a browser uses it, through a proxy. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import * as z from "zod/mini";
import { type ProxiedBrowser, sendProxied } from "../../fixtures/proxied-browser";
import type { TestServer } from "../../fixtures/server";

const uiFolder = join(import.meta.dirname, "../../../dist/ui");
const bytes = Buffer.from(Uint8Array.from({ length: 3_000_001 }, (_, index) => index % 251));
/** Its address has more than 8 KB, the limit of nginx. */
const longName = Array.from({ length: 12 }, () => "图".repeat(80)).join("/");
const projectsSchema = z.object({ projects: z.array(z.object({ id: z.string() })) });
const linkSchema = z.object({ url: z.string() });

const exportedFiles = (): readonly string[] =>
  readdirSync(uiFolder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(?:br|gz|html)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(uiFolder.length));

async function expectPage(browser: ProxiedBrowser, path: string): Promise<void> {
  const { status, body, headers } = await browser.send(path);
  expect([path, status, headers["content-security-policy"]]).toEqual([
    path,
    200,
    expect.stringContaining("script-src"),
  ]);
  expect(body.toString()).toContain(`"${browser.prefix}/_next/`);
}

const projectOf = async (browser: ProxiedBrowser): Promise<string> =>
  z.parse(projectsSchema, await browser.call("project.list")).projects[0]?.id ?? "";

async function upload(browser: ProxiedBrowser, name: string): Promise<void> {
  const query = new URLSearchParams({ project: await projectOf(browser), folder: "", name, conflict: "replace" });
  const headers = { "Content-Type": "application/octet-stream" };
  const answer = await browser.send(`/api/file?${query.toString()}`, { method: "POST", headers, body: bytes });
  expect(JSON.parse(answer.body.toString())).toMatchObject({ ok: true, value: { path: name } });
}

type RouteCheck = (browser: ProxiedBrowser, server: TestServer) => Promise<void>;

const postJson = { method: "POST", headers: { "Content-Type": "application/json" } };

/** By the path in the code of the route. */
export const routeChecks: Readonly<Record<string, RouteCheck>> = {
  "/healthz": async (browser) => expect((await browser.send("/healthz")).body.toString()).toBe('{"ok":true}'),
  "/api/health": async (browser) => expect((await browser.send("/api/health")).status).toBe(200),
  "/api/": async (browser) => expect((await browser.send("/api/none", { method: "POST" })).status).toBe(404),
  "/api/sign-in": async (browser) => {
    const answer = await browser.send("/api/sign-in", { ...postJson, body: '{"token":"wrong"}' });
    expect(answer.status).toBe(401);
  },
  "/api/link": async ({ origin, prefix }, { bearer }) => {
    const headers = { Authorization: `Bearer ${bearer}` };
    const answer = await sendProxied(origin, `${prefix}/api/link`, { method: "POST", headers });
    expect(JSON.parse(answer.body.toString())).toMatchObject({ ok: true, value: { token: expect.any(String) } });
  },
  "/api/call": async (browser) =>
    expect(await browser.call("app.welcome")).toMatchObject({ version: expect.any(String) }),
  "/api/import": async (browser) => {
    const headers = { "Content-Type": "application/x-ndjson" };
    const answer = await browser.send("/api/import", { method: "POST", headers, body: "{}\n" });
    expect([answer.status, answer.body.toString()]).toEqual([200, expect.stringContaining("bad_input")]);
  },
  "/api/file": async (browser) => {
    for (const path of ["a +&%图.bin", longName]) {
      await upload(browser, path);
      const input = { projectId: await projectOf(browser), path };
      const { url } = z.parse(linkSchema, await browser.call("files.link", input));
      expect((await browser.send(url)).body.equals(bytes)).toBe(true);
      const { status, body } = await browser.send(url, { headers: { Range: "bytes=5-9" } });
      expect([status, body.equals(bytes.subarray(5, 10))]).toEqual([206, true]);
    }
  },
  "/api/archive": async (browser) => {
    await upload(browser, "b.bin");
    const choice = { projectId: await projectOf(browser), paths: ["b.bin"], hidesDotFiles: false, hidesIgnored: false };
    const { url } = z.parse(linkSchema, await browser.call("files.archive_link", choice));
    expect((await browser.send(url)).body.subarray(0, 2).toString()).toBe("PK");
  },
  "/oauth/callback": async (browser) => {
    const { status, headers } = await browser.send("/oauth/callback?state=none&code=a%2Bb");
    expect([status, headers.location]).toEqual([303, `${browser.prefix}/settings/tools`]);
  },
  "/settings/tools": (browser) => expectPage(browser, "/settings/tools"),
  "/index.html": async (browser) => {
    for (const path of ["/", "/index.html", "/s/abc_-1?x=1"]) await expectPage(browser, path);
  },
  "/_next/": async (browser) => {
    for (const path of exportedFiles()) {
      const { status, body } = await browser.send(encodeURI(path));
      expect([path, status, body.length > 0]).toEqual([path, 200, true]);
    }
  },
  "/_next/static/": async (browser) => {
    // Small files are not compressed.
    const [script = ""] = exportedFiles().filter(
      (path) => /^\/_next\/static\/.*\.js$/.test(path) && existsSync(join(uiFolder, `${path}.br`)),
    );
    const { headers } = await browser.send(script, { headers: { "Accept-Encoding": "br" } });
    expect([headers["content-encoding"], headers["cache-control"]]).toEqual([
      "br",
      expect.stringContaining("immutable"),
    ]);
  },
  "/socket.io/": async (browser) => {
    for (const transport of ["websocket", "polling"] as const)
      expect(await browser.callOverSocket(transport, "app.welcome")).toMatchObject({ ok: true });
  },
};
