/** Permitted and refused requests, over real servers on this machine and scripted names. */
import { createServer, type RequestListener } from "node:http";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { type EgressOptions, type EgressRequest, makeEgress, publicEgressOptions } from "./egress";

const never = new AbortController().signal;
const servers: { close(): void }[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Starts a server on this machine and returns its port. */
async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  servers.push({
    close() {
      server.closeAllConnections();
      server.close();
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** Accepts one address of this machine in place of the public ones. */
const localOptions = (names: Readonly<Record<string, readonly string[]>> = {}): EgressOptions => ({
  resolve: async (name) => {
    const addresses = names[name];
    if (addresses === undefined) throw new Error(`no address of ${name}`);
    return addresses;
  },
  accepts: (address) => address === "127.0.0.1",
});

const get = (url: string, options: EgressOptions, request: Partial<EgressRequest> = {}, signal = never) =>
  makeEgress(options).send(
    { url: new URL(url), headers: {}, maxBytes: 100_000, timeoutMs: 20_000, follows: () => true, ...request },
    signal,
  );

async function getText(url: string, options: EgressOptions, request: Partial<EgressRequest> = {}) {
  const answer = await get(url, options, request);
  if (!answer.ok) throw new Error(`${answer.error.reason}: ${answer.error.detail}`);
  if (answer.value.kind === "redirect") return { to: answer.value.to.href };
  return { text: answer.value.bytes.toString(), isCut: answer.value.isCut, url: answer.value.url.href };
}

const privateAddresses = [
  ["loopback", "127.0.0.1"],
  ["loopback", "127.255.0.1"],
  ["loopback, IPv6", "::1"],
  ["this network", "0.0.0.0"],
  ["this network", "0.1.2.3"],
  ["unspecified, IPv6", "::"],
  ["private", "10.0.0.1"],
  ["private", "172.31.255.255"],
  ["private", "192.168.1.1"],
  ["link-local, metadata of clouds", "169.254.169.254"],
  ["link-local, IPv6", "fe80::1"],
  ["host of a virtual machine of Azure", "168.63.129.16"],
  ["carrier-grade NAT", "100.64.0.1"],
  ["unique local", "fd00::1"],
  ["site-local", "fec0::1"],
  ["mapped loopback", "::ffff:127.0.0.1"],
  ["mapped private", "::ffff:a00:1"],
  ["IPv4-compatible", "::127.0.0.1"],
  ["NAT64 of a private address", "64:ff9b::10.0.0.1"],
  ["NAT64, local prefix", "64:ff9b:1::808:808"],
  ["6to4 of a private address", "2002:a00:1::1"],
  ["Teredo", "2001:0:4136:e378::1"],
  ["multicast", "224.0.0.1"],
  ["multicast, IPv6", "ff02::1"],
  ["broadcast", "255.255.255.255"],
  ["reserved", "240.0.0.1"],
  ["documentation", "192.0.2.1"],
  ["documentation", "198.51.100.7"],
  ["documentation", "203.0.113.9"],
  ["documentation, IPv6", "2001:db8::1"],
  ["benchmarks", "198.18.0.1"],
] as const;

const inUrl = (address: string): string => (address.includes(":") ? `[${address}]` : address);

describe("a host that is not public is refused without a connection", () => {
  test.each(privateAddresses)("%s: %s in the address", async (_kind, address) => {
    const answer = await get(`http://${inUrl(address)}:9/`, publicEgressOptions);
    expect(answer).toMatchObject({ ok: false, error: { reason: "not_public" } });
  });

  test.each(privateAddresses)("%s: a name with %s", async (_kind, address) => {
    const answer = await get("http://pages.example/", { ...publicEgressOptions, resolve: async () => [address] });
    expect(answer).toEqual({ ok: false, error: { reason: "not_public", host: "pages.example", detail: address } });
  });

  test.each(["http://2130706433/", "http://0x7f.1/", "http://0177.0.0.1/", "http://127.1/", "http://１２７.0.0.1/"])(
    "%s is another spelling",
    async (url) => {
      expect(await get(url, publicEgressOptions)).toMatchObject({ error: { reason: "not_public" } });
    },
  );

  test("a public address beside a private one does not help", async () => {
    const answer = await get("http://pages.example/", {
      ...publicEgressOptions,
      resolve: async () => ["8.8.8.8", "10.0.0.1"],
    });
    expect(answer).toMatchObject({ error: { reason: "not_public", detail: "10.0.0.1" } });
  });

  test("localhost resolves to this machine", async () => {
    expect(await get("http://localhost:9/", publicEgressOptions)).toMatchObject({ error: { reason: "not_public" } });
  });
});

test.each(["8.8.8.8", "9.9.9.9", "2606:4700:4700::1111", "64:ff9b::808:808", "::ffff:8.8.8.8"])(
  "%s is public",
  (address) => expect(publicEgressOptions.accepts(address)).toBe(true),
);

test.each(["ftp://pages.example/", "file:///etc/passwd", "http://name:secret@pages.example/", "data:text/plain,a"])(
  "%s is not requested",
  async (url) => {
    expect(await get(url, localOptions())).toMatchObject({ ok: false, error: { reason: "not_http" } });
  },
);

describe("names", () => {
  test("are resolved once: the connection goes to the address that was checked", async () => {
    const port = await serve((request, response) => response.end(request.headers.host));
    let lookups = 0;
    const answer = await getText(`http://pages.example:${port}/`, {
      // As a name server does that gives another address to the second question.
      resolve: async () => (lookups++ === 0 ? ["127.0.0.1"] : ["127.0.0.2"]),
      accepts: (address) => address.startsWith("127.0.0."),
    });
    expect(answer).toMatchObject({ text: `pages.example:${port}` });
    expect(lookups).toBe(1);
  });

  test("are resolved and checked again for a redirect to the same name", async () => {
    const port = await serve((_request, response) => response.writeHead(302, { Location: "/next" }).end());
    let lookups = 0;
    const answer = await get(`http://pages.example:${port}/`, {
      ...localOptions(),
      resolve: async () => (lookups++ === 0 ? ["127.0.0.1"] : ["169.254.169.254"]),
    });
    expect(answer).toMatchObject({ error: { reason: "not_public", detail: "169.254.169.254" } });
  });

  test("without an address are reported", async () => {
    expect(await get("http://missing.example/", localOptions())).toMatchObject({ error: { reason: "unresolved" } });
    const empty = localOptions({ "empty.example": [] });
    expect(await get("http://empty.example/", empty)).toMatchObject({ error: { reason: "unresolved" } });
  });

  test("that are not resolved in time end the request", async () => {
    const options: EgressOptions = { ...localOptions(), resolve: () => new Promise(() => {}) };
    expect(await get("http://slow.example/", options, { timeoutMs: 1 })).toMatchObject({
      error: { reason: "timeout", host: "slow.example" },
    });
  });
});

describe("redirects", () => {
  const redirecting = (to: string) => serve((_request, response) => response.writeHead(302, { Location: to }).end());

  test.each([
    "http://127.0.0.2/",
    "http://169.254.169.254/latest/meta-data/",
    "http://[::1]/",
    "http://[::ffff:10.0.0.1]/",
    "http://inside.example/",
    "//10.0.0.1/",
    "https://192.168.1.1/",
  ])("to %s are refused", async (to) => {
    const port = await redirecting(to);
    const options = localOptions({ "pages.example": ["127.0.0.1"], "inside.example": ["10.1.1.1"] });
    expect(await get(`http://pages.example:${port}/`, options)).toMatchObject({ error: { reason: "not_public" } });
  });

  test.each([
    ["file:///etc/passwd", "not_http"],
    ["ftp://pages.example/", "not_http"],
    ["http://name:secret@pages.example/", "not_http"],
    ["http://[", "bad_answer"],
  ])("to %s are refused", async (to, reason) => {
    const port = await redirecting(to);
    expect(await get(`http://127.0.0.1:${port}/`, localOptions())).toMatchObject({ error: { reason } });
  });

  test("are followed five times", async () => {
    const port = await serve(({ url = "" }, response) => {
      const count = Number(url.slice(1));
      if (count === 0) response.end("arrived");
      else response.writeHead(307, { Location: `/${count - 1}` }).end();
    });
    expect(await getText(`http://127.0.0.1:${port}/5`, localOptions())).toMatchObject({ text: "arrived" });
    expect(await get(`http://127.0.0.1:${port}/6`, localOptions())).toMatchObject({
      error: { reason: "too_many_redirects" },
    });
  });

  test("to another host are reported when they may not be followed", async () => {
    const port = await redirecting("http://other.example/page?a=b");
    const follows = ({ hostname }: URL): boolean => hostname === "127.0.0.1";
    expect(await getText(`http://127.0.0.1:${port}/`, localOptions(), { follows })).toEqual({
      to: "http://other.example/page?a=b",
    });
  });

  test("of a request with a body are not followed", async () => {
    const port = await redirecting("/next");
    expect(await getText(`http://127.0.0.1:${port}/`, localOptions(), { body: "{}" })).toEqual({
      to: `http://127.0.0.1:${port}/next`,
    });
  });

  test("to another origin lose the headers of the request", async () => {
    const target = await serve((request, response) => response.end(JSON.stringify(request.headers)));
    const port = await redirecting(`http://127.0.0.1:${target}/`);
    const headers = { "X-Key": "secret-key", Accept: "text/html" };
    const { text } = await getText(`http://127.0.0.1:${port}/`, localOptions(), { headers });
    expect(text).not.toContain("secret-key");
    expect(text).toContain('"accept":"text/html"');
  });
});

describe("what is sent", () => {
  test("has no cookies and no credentials, also after an answer that set some", async () => {
    const seen: unknown[] = [];
    const port = await serve((request, response) => {
      seen.push(request.headers.cookie, request.headers.authorization, request.headers.referer);
      response.writeHead(request.url === "/" ? 302 : 200, { "Set-Cookie": "id=1", Location: "/next" }).end();
    });
    await getText(`http://127.0.0.1:${port}/`, localOptions());
    expect(seen).toEqual([undefined, undefined, undefined, undefined, undefined, undefined]);
  });
});

describe("answers", () => {
  const text = "unpacked ".repeat(1_000);

  test.each([
    ["gzip", gzipSync(text)],
    ["x-gzip", gzipSync(text)],
    ["br", brotliCompressSync(text)],
    ["deflate", deflateSync(text)],
    ["deflate", deflateRawSync(text)],
    ["identity", Buffer.from(text)],
  ])("packed with %s are unpacked", async (encoding, bytes) => {
    const port = await serve((_request, response) =>
      response.writeHead(200, { "Content-Encoding": encoding }).end(bytes),
    );
    expect(await getText(`http://127.0.0.1:${port}/`, localOptions())).toMatchObject({ text, isCut: false });
  });

  const bomb = Buffer.alloc(50_000_000);
  test.each([
    ["gzip", gzipSync(bomb)],
    ["br", brotliCompressSync(bomb)],
    ["deflate", deflateSync(bomb)],
  ])("that unpack to 50 MB with %s are cut", async (encoding, bytes) => {
    const port = await serve((_request, response) =>
      response.writeHead(200, { "Content-Encoding": encoding }).end(bytes),
    );
    const answer = await get(`http://127.0.0.1:${port}/`, localOptions());
    expect(answer).toMatchObject({ ok: true, value: { isCut: true } });
    expect(answer.ok && answer.value.kind === "answer" && answer.value.bytes.length).toBe(100_000);
  });

  test("without an end are cut", async () => {
    const port = await serve((_request, response) => {
      const more = (): void =>
        void (response.write("x".repeat(10_000)) ? setImmediate(more) : response.once("drain", more));
      response.on("error", () => {});
      more();
    });
    expect(await getText(`http://127.0.0.1:${port}/`, localOptions())).toMatchObject({ isCut: true });
  });

  test.each([
    ["a broken packing", { "Content-Encoding": "gzip" }, Buffer.from("not packed")],
    ["an end in the middle of the packing", { "Content-Encoding": "gzip" }, gzipSync(text).subarray(0, 40)],
    ["an unknown packing", { "Content-Encoding": "zstd" }, Buffer.from("x")],
    ["two packings", { "Content-Encoding": "gzip, gzip" }, gzipSync(gzipSync(text))],
  ])("with %s are refused", async (_what, headers, bytes) => {
    const port = await serve((_request, response) => response.writeHead(200, headers).end(bytes));
    expect(await get(`http://127.0.0.1:${port}/`, localOptions())).toMatchObject({ error: { reason: "bad_answer" } });
  });

  test("with too many headers are refused", async () => {
    const port = await serve((_request, response) => response.writeHead(200, { "X-Long": "x".repeat(17_000) }).end());
    expect(await get(`http://127.0.0.1:${port}/`, localOptions())).toMatchObject({ error: { reason: "unreachable" } });
  });

  test("that do not come in time end the request", async () => {
    const port = await serve((_request, response) => response.write("begin"));
    expect(await get(`http://127.0.0.1:${port}/`, localOptions(), { timeoutMs: 50 })).toMatchObject({
      error: { reason: "timeout" },
    });
  });

  test("of an error keep their status", async () => {
    const port = await serve((_request, response) => response.writeHead(404).end("no such page"));
    expect(await get(`http://127.0.0.1:${port}/`, localOptions())).toMatchObject({ value: { status: 404 } });
  });
});

test("a stop rejects with its reason and closes the connection", async () => {
  const stop = new AbortController();
  const closed = new Promise<void>((resolve) => {
    void serve((request, response) => {
      response.once("close", resolve);
      request.once("close", resolve);
      response.write("begin");
      stop.abort(new Error("stopped by the user"));
    }).then((port) =>
      expect(get(`http://127.0.0.1:${port}/`, localOptions(), {}, stop.signal)).rejects.toThrow("stopped by the user"),
    );
  });
  await closed;
});
