// Refusals of nginx, haproxy and caddy with the files of `deploy`: no header, address or path opens more than without a proxy.
import { mkdirSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { freePort } from "../../bench/server/bench-product";
import { makeCertificate, type TestCertificate } from "../../fixtures/certificate";
import { ProxiedBrowser, type BrowserRequest, requestLinkToken, sendProxied } from "../../fixtures/proxied-browser";
import { missingProgram, proxyPrograms, startProxyProgram } from "../../fixtures/proxy-programs";
import { sendRawRequest } from "../../fixtures/raw-http";
import {
  makeProductEnvironment,
  type ProductEnvironment,
  startProductServer,
  type TestServer,
} from "../../fixtures/server";

const prefix = "/user/x";
const postJson = { method: "POST", headers: { "Content-Type": "application/json" } };

describe.each(["http", "https"] as const)("over %s", (scheme) => {
  let place: ProductEnvironment;
  const other = scheme === "http" ? "https" : "http";
  let port = 0;
  let certificate: TestCertificate;
  let server: TestServer;

  beforeAll(async () => {
    place = makeProductEnvironment();
    mkdirSync(join(place.root, "sockets"), { mode: 0o700 });
    certificate = makeCertificate(place.root, "site");
    port = await freePort();
    server = await startProductServer(place, [
      ...["--public-url", `${scheme}://localhost:${port}${prefix}/`],
      ...["--socket", join(place.root, "sockets/gopi.sock"), "--proxy-user", "X-Forwarded-User=alice"],
    ]);
  });
  afterAll(async () => {
    expect(await server.stop()).toEqual([]);
  });

  const rows = proxyPrograms.flatMap((program) => [false, true].map((strips) => ({ program, strips })));
  test.for(rows)("$program, removes the path: $strips", async ({ program, strips }, { skip }) => {
    const missing = missingProgram(program, "-v");
    skip(missing !== null, missing ?? "");
    const proxy = await startProxyProgram({
      ...{ program, strips, prefix, port, upstream: server.port },
      folder: mkdtempSync(join(place.root, "proxy-")),
      certificate: scheme === "https" ? certificate : null,
    });
    onTestFinished(() => proxy.close());
    const origin = `${scheme}://localhost:${port}`;
    // Over the port only links sign in, not the header.
    const browser = await ProxiedBrowser.signIn(origin, prefix, await requestLinkToken(server));
    const call = (headers: Readonly<Record<string, string>>) =>
      browser.send("/api/call", {
        ...postJson,
        headers: { ...postJson.headers, ...headers },
        body: '{"name":"app.welcome"}',
      });
    const get = (path: string, request: BrowserRequest = {}) => sendProxied(origin, prefix + path, request);

    expect((await call({})).status).toBe(200);
    await refusesOrigins();
    await refusesHosts();
    await ignoresForwardedHeaders();
    await refusesUnsigned();
    if (scheme === "http") await refusesPathTricks();

    async function refusesOrigins(): Promise<void> {
      const foreign = [
        ...["https://evil.example", "null", `${other}://localhost:${port}`, `${scheme}://localhost:${port + 1}`],
        ...[`${scheme}://localhost`, `${scheme}://127.0.0.1:${port}`, `${scheme}://localhost:${port}.evil.example`],
      ];
      for (const foreignOrigin of foreign)
        expect([foreignOrigin, (await call({ Origin: foreignOrigin })).status]).toEqual([foreignOrigin, 403]);
    }

    async function refusesHosts(): Promise<void> {
      const forwarded = {
        "X-Forwarded-Host": `localhost:${port}`,
        Forwarded: `host=localhost:${port};proto=${scheme}`,
      };
      for (const host of ["evil.example", `evil.example:${port}`, `localhost:${port + 1}`, "localhost.evil.example"])
        for (const path of ["/", "/api/health"]) {
          const { status, body } = await get(path, { headers: { Host: host, ...forwarded } });
          // caddy answers with nothing to names that it does not have.
          const isRefused = status === 421 || body.length === 0;
          expect([host, path, status, isRefused]).toEqual([host, path, status, true]);
        }
    }

    async function ignoresForwardedHeaders(): Promise<void> {
      const headers = {
        "X-Forwarded-Host": "evil.example",
        "X-Forwarded-Proto": other,
        "X-Forwarded-Prefix": "/evil",
        "X-Forwarded-Port": "1",
        "X-Original-URL": "/evil",
        "X-Rewrite-URL": "/evil",
        Forwarded: `host=evil.example;proto=${other}`,
      };
      const page = await get("/", { headers });
      expect(page.body.toString()).toContain(`data-base="${prefix}"`);
      expect(page.body.toString()).not.toContain("evil");
      expect((await get("/oauth/callback?state=none", { headers })).headers.location).toBe(`${prefix}/settings/tools`);
      expect((await call({ ...headers, Origin: `${other}://localhost:${port}` })).status).toBe(403);
      const token = await requestLinkToken(server);
      const signedIn = await get("/api/sign-in", {
        method: "POST",
        headers: { ...postJson.headers, ...headers, Origin: origin },
        body: JSON.stringify({ token }),
      });
      expect(/; Secure(;|$)/.test(`${signedIn.headers["set-cookie"]}`)).toBe(scheme === "https");
    }

    async function refusesUnsigned(): Promise<void> {
      const headers = {
        ...postJson.headers,
        Origin: origin,
        "X-Forwarded-User": "alice",
        "X-Forwarded-For": "127.0.0.1",
      };
      expect((await get("/api/sign-in", { method: "POST", headers, body: "{}" })).status).toBe(401);
      expect((await get("/api/call", { method: "POST", headers, body: '{"name":"app.welcome"}' })).status).toBe(401);
      expect((await get("/socket.io/?EIO=4&transport=polling", { headers })).status).toBe(401);
    }

    async function refusesPathTricks(): Promise<void> {
      const targets = [
        ...[`${prefix}//evil.example/`, `${prefix}//api/health`, `/${prefix}/`, `/evil.example/..${prefix}/`],
        ...[`${prefix}/../api/health`, `${prefix}/%2e%2e/api/health`, `${prefix}/..%2fapi/health`, `/%2e${prefix}/`],
        ...[`${prefix}/..//evil.example`, `${prefix}/%2f%2fevil.example`, `${prefix}\\evil.example`, `${prefix}/%00`],
        ...[`${prefix}`, `${prefix}?a`, `${prefix}y/`, `${prefix}%2fapi/health`, "/USER/x/", "/user/", "/"],
        ...[`${prefix}${prefix}/`, `${prefix};/`, `http://evil.example${prefix}/`],
      ];
      for (const target of targets) {
        const { status, headers, body } = await sendRawRequest(port, { target });
        const { location = null } = headers;
        const base = /data-base="([^"]*)"/.exec(body)?.[1] ?? prefix;
        const page = new URL(location ?? `${prefix}/`, origin).href;
        const isHarmless = ![0, 500].includes(status) && base === prefix && page.startsWith(`${origin}${prefix}/`);
        expect([target, status, location, isHarmless]).toEqual([target, status, location, true]);
      }
    }
  });
});
