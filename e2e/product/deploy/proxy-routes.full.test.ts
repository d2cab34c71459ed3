// The files of nginx, haproxy and caddy in `deploy`: every route of the server works through the real programs, below a path
// that they keep or remove and without one, over http and https, to the port and to the socket of the server.
import { mkdirSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { freePort } from "../../bench/server/bench-product";
import { makeCertificate, type TestCertificate } from "../../fixtures/certificate";
import { ProxiedBrowser, requestLinkToken } from "../../fixtures/proxied-browser";
import { missingProgram, proxyPrograms, startProxyProgram } from "../../fixtures/proxy-programs";
import {
  makeProductEnvironment,
  type ProductEnvironment,
  startProductServer,
  type TestServer,
} from "../../fixtures/server";
import { routeChecks } from "./route-checks";

describe.each([
  { below: encodeURI("/user/张三@example.org"), strips: false, title: "below a path that the proxy keeps" },
  { below: encodeURI("/user/张三@example.org"), strips: true, title: "below a path that the proxy removes" },
  { below: "", strips: false, title: "without a path" },
])("$title", ({ below, strips }) => {
  let place: ProductEnvironment;
  let socket = "";
  const ports = { http: 0, https: 0 };
  let certificate: TestCertificate;
  let server: TestServer;

  beforeAll(async () => {
    place = makeProductEnvironment();
    mkdirSync(join(place.root, "sockets"), { mode: 0o700 });
    socket = join(place.root, "sockets/gopi.sock");
    certificate = makeCertificate(place.root, "site");
    Object.assign(ports, { http: await freePort(), https: await freePort() });
    const origins = [`http://localhost:${ports.http}${below}/`, `https://localhost:${ports.https}${below}/`];
    server = await startProductServer(place, ["--public-url", origins.join(","), "--socket", socket]);
  });
  afterAll(async () => {
    expect(await server.stop()).toEqual([]);
  });

  const rows = proxyPrograms.flatMap((program) =>
    (["http", "https"] as const).flatMap((scheme) =>
      (["port", "socket"] as const).map((upstream) => ({ program, scheme, upstream })),
    ),
  );
  test.for(rows)("$program, $scheme, to the $upstream", async ({ program, scheme, upstream }, { skip }) => {
    const missing = missingProgram(program, "-v");
    skip(missing !== null, missing ?? "");
    const proxy = await startProxyProgram({
      ...{ program, strips, prefix: below, port: ports[scheme] },
      folder: mkdtempSync(join(place.root, "proxy-")),
      certificate: scheme === "https" ? certificate : null,
      upstream: upstream === "port" ? server.port : socket,
    });
    onTestFinished(() => proxy.close());
    const origin = `${scheme}://localhost:${ports[scheme]}`;
    const browser = await ProxiedBrowser.signIn(origin, below, await requestLinkToken(server));
    for (const check of Object.values(routeChecks)) await check(browser, server);
  });
});
