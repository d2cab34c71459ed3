/** Choice of the proxy for an address, and requests through one. */
import { createServer } from "node:http";
import type { LookupFunction } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { makeEgress, publicEgressOptions } from "../../egress/egress";
import { nodeFetch, SocketError } from "../node-fetch";
import { findProxy } from "./find-proxy";
import { useProxyVariables, useTestProxy } from "./test-proxy";

const never = new AbortController().signal;
const hostFor = (address: string, environment: Readonly<Record<string, string>>) => {
  const proxy = findProxy(new URL(address), environment);
  if (!proxy.ok) return proxy.error;
  return proxy.value === null ? null : `${proxy.value.url.protocol}//${proxy.value.host}`;
};

describe("the proxy of an address", () => {
  test.each<[address: string, environment: Readonly<Record<string, string>>, proxy: string | null]>([
    ["https://a.example.com/", { HTTPS_PROXY: "http://proxy:3128" }, "http://proxy:3128"],
    ["https://a.example.com/", { https_proxy: "http://proxy:3128" }, "http://proxy:3128"],
    ["https://a.example.com/", { https_proxy: "http://low:1", HTTPS_PROXY: "http://high:2" }, "http://low:1"],
    ["https://a.example.com/", { HTTP_PROXY: "http://proxy:3128" }, null],
    ["http://a.example.com/", { HTTPS_PROXY: "http://proxy:3128" }, null],
    ["http://a.example.com/", { HTTP_PROXY: "proxy.corp" }, "http://proxy.corp:80"],
    ["http://a.example.com/", { http_proxy: "https://proxy.corp/" }, "https://proxy.corp:443"],
    ["http://a.example.com/", { HTTP_PROXY: "" }, null],
    [
      "http://a.example.com/",
      { HTTP_PROXY: "socks5://u:secret@p:1" },
      "the address in HTTP_PROXY must begin with http:// or https://, then the host",
    ],
    ["http://a.example.com/", { HTTP_PROXY: "http://CORP\\me:p@ss/w#rd?@proxy:3128/" }, "http://proxy:3128"],
    ["http://a.example.com/", { HTTP_PROXY: "me:80@[2001:db8::1]:3128" }, "http://[2001:db8::1]:3128"],
    ["http://a.example.com/", {}, null],
  ])("%s with %j is %s", (address, environment, proxy) => {
    expect(hostFor(address, environment)).toBe(proxy);
  });

  test.each([
    "http://localhost:11434/",
    "http://127.0.0.1/",
    "http://[::1]:8080/",
    "http://10.1.2.3/",
    "http://192.168.0.9:1234/",
    "http://[fd00::1]/",
    "http://gpu-box/",
    "http://gpu.local/",
    "http://llm.home.arpa/",
    "http://169.254.169.254/",
  ])("%s has none", (address) => {
    expect(hostFor(address, { HTTP_PROXY: "http://proxy:3128" })).toBe(null);
  });

  test.each<[list: string, address: string, isDirect: boolean]>([
    ["example.com", "http://example.com/", true],
    ["example.com", "http://a.b.example.com/", true],
    ["example.com", "http://badexample.com/", false],
    [".example.com", "http://a.example.com/", true],
    ["*.example.com", "http://a.example.com/", true],
    ["EXAMPLE.com.", "http://a.Example.COM/", true],
    ["other.org, example.com", "http://example.com/", true],
    ["other.org example.com", "http://example.com/", true],
    ["example.com:8080", "http://example.com:8080/", true],
    ["example.com:8080", "http://example.com/", false],
    ["example.com:80", "http://example.com/", true],
    ["*", "http://example.com/", true],
    ["8.8.8.8", "http://8.8.8.8/", true],
    ["8.8.0.0/16", "http://8.8.4.4/", true],
    ["8.8.0.0/16", "http://8.9.4.4/", false],
    ["8.8.0.0/99", "http://8.8.4.4/", false],
    ["2606:4700::/32", "http://[2606:4700::1111]/", true],
    ["[2606:4700::1111]", "http://[2606:4700::1111]/", true],
    ["2606:4700:0:0:0:0:0:1111", "http://[2606:4700::1111]/", true],
    ["2606:4700:0::1111", "http://[2606:4700::1112]/", false],
    ["[2606:4700:0::1111]:80", "http://[2606:4700::1111]/", true],
    ["[2606:4700::1111]:81", "http://[2606:4700::1111]/", false],
    ["8.8.8.8:80", "http://8.8.8.8/", true],
    ["8.8", "http://8.8.8.8/", false],
    ["", "http://example.com/", false],
    [",,", "http://example.com/", false],
  ])("NO_PROXY %j and %s: direct %s", (list, address, isDirect) => {
    for (const name of ["NO_PROXY", "no_proxy"])
      expect(hostFor(address, { HTTP_PROXY: "http://proxy:3128", [name]: list }) === null).toBe(isDirect);
  });
});

const get = { method: "GET", headers: {} };
const answering =
  (...addresses: readonly string[]): LookupFunction =>
  (_name, _options, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: 4 })),
    );
const unknown: LookupFunction = (_name, _options, callback) => {
  callback(Object.assign(new Error("no answer"), { code: "ENOTFOUND" }), []);
};
const isPublic = publicEgressOptions.accepts;

async function textOf(address: string, init: Partial<Parameters<typeof nodeFetch>[1]> = {}): Promise<string> {
  const answer = await nodeFetch(address, { ...get, lookup: unknown, ...init }, never);
  const parts: Uint8Array[] = [];
  for await (const part of answer.body) parts.push(part);
  return Buffer.concat(parts).toString();
}

describe("a request", () => {
  test.each([
    ["me:p%40ss@", "me:p@ss"],
    ["CORP\\me:p@s:s/w#rd%@", "CORP\\me:p@s:s/w#rd%"],
    ["me@", "me:"],
    [":key@", ":key"],
  ])("over http names the whole address to the proxy, and its password %s in a header only", async (user, pair) => {
    const proxy = await useTestProxy({ user });
    const address = "http://a.example.com:8080/v1?q=1";
    expect(await textOf(address, { method: "POST", body: "{}", headers: { "X-Own": "1" } })).toBe(`proxied ${address}`);
    const [request] = proxy.requests;
    expect(request).toMatchObject({ method: "POST", target: address });
    expect(request?.headers).toMatchObject({
      host: "a.example.com:8080",
      "x-own": "1",
      "content-length": "2",
      "proxy-authorization": `Basic ${Buffer.from(pair).toString("base64")}`,
    });
  });

  test.each([200, 204])(
    "over https is sent in a tunnel (%d), with TLS to the name, the password outside",
    async (opens) => {
      const proxy = await useTestProxy({ user: "me:secret@", opens });
      const failure = textOf("https://a.example.com/v1", { headers: { Authorization: "Bearer key" } });
      await expect(failure).rejects.toThrow(`proxy ${proxy.host}: `);
      expect(proxy.requests).toMatchObject([{ method: "CONNECT", target: "a.example.com:443" }]);
      expect(proxy.requests[0]?.headers).toHaveProperty("proxy-authorization");
      expect(JSON.stringify(proxy.requests)).not.toContain("Bearer key");
      const [hello] = proxy.tunnels;
      // A handshake of TLS that names the server.
      expect(hello?.[0]).toBe(0x16);
      expect(hello?.includes("a.example.com")).toBe(true);
    },
  );

  test.each(["http", "https"])(
    "over %s that the proxy refuses fails with the proxy's name and status",
    async (scheme) => {
      const proxy = await useTestProxy({ refuses: 407 });
      const failure = textOf(`${scheme}://a.example.com/`);
      await expect(failure).rejects.toThrow(new RegExp(`^proxy ${proxy.host}: 407 `));
      await expect(failure).rejects.toMatchObject({ connected: false, proxy: proxy.host });
    },
  );

  test.each(["http", "https"])("over %s fails with the name of a proxy that is not there", async (scheme) => {
    useProxyVariables({ HTTP_PROXY: "http://u:secret@127.0.0.1:1", HTTPS_PROXY: "http://u:secret@127.0.0.1:1" });
    const failure = textOf(`${scheme}://a.example.com/`);
    await expect(failure).rejects.toBeInstanceOf(SocketError);
    await expect(failure).rejects.toThrow(/^proxy 127\.0\.0\.1:1: (?!.*secret)/);
  });

  test("to this machine, and to a name of a private network, is sent directly", async () => {
    const proxy = await useTestProxy();
    const server = createServer((_request, response) => response.end("direct")).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once("listening", resolve));
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    expect(await textOf(`http://127.0.0.1:${port}/`)).toBe("direct");
    const inside: LookupFunction = (_name, { all }, callback) =>
      all === true ? callback(null, [{ address: "127.0.0.1", family: 4 }]) : callback(null, "127.0.0.1", 4);
    expect(await textOf(`http://llm.example.com:${port}/`, { lookup: inside })).toBe("direct");
    expect(proxy.requests).toEqual([]);
  });

  test("ends with its signal while the proxy does not answer", async () => {
    const stop = new AbortController();
    const reason = new Error("stopped");
    const silent = createServer()
      .on("connect", () => stop.abort(reason))
      .listen(0, "127.0.0.1");
    onTestFinished(() => silent.closeAllConnections());
    await new Promise((resolve) => silent.once("listening", resolve));
    const address = silent.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    useProxyVariables({ HTTPS_PROXY: `http://127.0.0.1:${port}` });
    const request = nodeFetch("https://a.example.com/", { ...get, lookup: unknown }, stop.signal);
    await expect(request).rejects.toBe(reason);
  });
});

describe("a request whose address is checked", () => {
  test.each<[address: string, lookup: LookupFunction, isSent: boolean]>([
    ["http://a.example.com/", answering("93.184.216.34"), true],
    ["http://a.example.com/", answering("93.184.216.34", "10.0.0.1"), false],
    ["http://a.example.com/", answering("198.51.100.1"), false],
    ["http://a.example.com/", unknown, true],
    ["http://a.example.com:8080/", answering("93.184.216.34"), true],
    ["http://a.example.com:8080/", unknown, false],
  ])("%s, %#: is sent through the proxy: %s", async (address, lookup, isSent) => {
    const proxy = await useTestProxy();
    const sent = textOf(address, { accepts: isPublic, lookup });
    if (isSent) expect(await sent).toBe(`proxied ${address}`);
    else await expect(sent).rejects.toThrow(`proxy ${proxy.host}: `);
    expect(proxy.requests.length).toBe(isSent ? 1 : 0);
  });

  test.each([
    ["http://a.example.com/", "answer"],
    ["http://a.example.com:8080/", "unresolved"],
    ["http://10.0.0.1/", "not_public"],
    ["http://gpu.local/", "unresolved"],
  ])("that a model chose, %s, and whose name has no address here: %s", async (address, outcome) => {
    const proxy = await useTestProxy();
    const egress = makeEgress({ resolve: () => Promise.reject(new Error("no answer")), accepts: isPublic });
    const request = { url: new URL(address), headers: {}, maxBytes: 1_000, timeoutMs: 20_000, follows: () => false };
    const sent = await egress.send(request, never);
    expect(sent.ok ? sent.value.kind : sent.error.reason).toBe(outcome);
    expect(proxy.requests.length).toBe(outcome === "answer" ? 1 : 0);
  });
});
