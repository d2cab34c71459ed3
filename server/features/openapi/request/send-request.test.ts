/** Redirects, hosts, keys and results, against real HTTP servers. */
import { gzipSync } from "node:zlib";
import type { RequestListener } from "node:http";
import { describe, expect, test } from "vitest";
import { asId, type BlobId } from "@/lib/events/id";
import { useWebServers } from "@/server/providers/egress/test-egress";
import type { ApiScheme, RequestPlan } from "../operations/operation";
import { toApiError, toApiResult } from "./api-result";
import { applyKeys } from "./apply-keys";
import { type ApiRequest, buildApiRequest } from "./build-request";
import { maskSecrets } from "@/server/security/redaction/mask-secrets";
import { sendApiRequest } from "./send-request";

const never = new AbortController().signal;
const listen = useWebServers();
const plan: RequestPlan = { method: "GET", path: "/a", fields: [], security: [] };
const blobs: Uint8Array[] = [];
const dependencies = {
  vision: true,
  storeBlob: async (bytes: Uint8Array): Promise<BlobId> => {
    blobs.push(bytes);
    return asId<BlobId>("blob");
  },
};

async function send(listener: RequestListener, more: Partial<RequestPlan> = {}, change: Partial<ApiRequest> = {}) {
  const port = await listen(listener);
  const request = buildApiRequest({ ...plan, ...more }, {}, `http://127.0.0.1:${port}`);
  return sendApiRequest({ ...request, ...change }, never);
}

async function textOf(listener: RequestListener, secrets: readonly string[] = [], missing: readonly string[] = []) {
  const sent = await send(listener);
  if (!sent.ok) throw new Error(sent.error.reason);
  const result = await toApiResult(sent.value, { source: "pets", secrets, missing }, dependencies);
  const [text] = result.output;
  const { output, facts, failed = false } = result;
  return { text: text?.type === "text" ? text.text : "", failed, blocks: output.length, files: facts.files };
}

describe("redirects", () => {
  test.each([
    [301, "POST", "GET "],
    [302, "POST", "GET "],
    [303, "PUT", "GET "],
    [307, "POST", "POST body"],
    [308, "DELETE", "DELETE body"],
    [302, "DELETE", "DELETE body"],
  ])("%i of %s is followed as %s", async (status, method, expected) => {
    let seen = "";
    const sent = await send(
      (request, response) => {
        if (request.url === "/a") return response.writeHead(status, { location: "/b" }).end();
        let body = "";
        request.setEncoding("utf8").on("data", (chunk: string) => void (body += chunk));
        request.on("end", () => {
          seen = `${request.method} ${body}`;
          response.end();
        });
        return undefined;
      },
      { method },
      { body: "body", headers: { "Content-Type": "text/plain" } },
    );
    expect(sent.ok).toBe(true);
    expect(seen).toBe(expected);
  });

  test("one to another origin is not followed, and nothing is sent there", async () => {
    let requests = 0;
    const other = await listen((_request, response) => {
      requests += 1;
      response.end();
    });
    for (const location of [
      `http://127.0.0.1:${other}/`,
      `https://127.0.0.1:${other}/`,
      `http://localhost:${other}/`,
    ]) {
      const sent = await send((_request, response) => response.writeHead(302, { location }).end());
      expect(sent).toMatchObject({ ok: false, error: { reason: "redirected", detail: new URL(location).origin } });
    }
    expect(requests).toBe(0);
  });

  test("a fourth one is not followed", async () => {
    let requests = 0;
    const sent = await send((_request, response) => {
      requests += 1;
      response.writeHead(302, { location: `/${requests}` }).end();
    });
    expect(sent).toMatchObject({ ok: false, error: { reason: "too_many_redirects" } });
    expect(requests).toBe(4);
  });
});

test("a public name that leads to a private address is not reached", async () => {
  // `localtest.me` and its like resolve to this machine; without a network they do not resolve at all.
  const sent = await sendApiRequest(buildApiRequest(plan, {}, "http://127.0.0.1.nip.io"), never);
  expect(sent.ok).toBe(false);
  if (!sent.ok) expect(["not_public", "unresolved"]).toContain(sent.error.reason);
});

test("a server that cannot be reached is an error with the next step", async () => {
  const sent = await sendApiRequest(buildApiRequest(plan, {}, "http://127.0.0.1:1"), never);
  if (sent.ok) throw new Error("reached");
  expect(toApiError(sent.error, []).messageForModel).toMatch(
    /^127\.0\.0\.1:1 could not be reached: .* Try again later/,
  );
});

describe("keys", () => {
  const schemes: readonly ApiScheme[] = [
    { name: "header", place: "header", label: "X-Key" },
    { name: "query", place: "query", label: "key" },
    { name: "cookie", place: "cookie", label: "sid" },
    { name: "basic", place: "basic", label: "basic" },
    { name: "bearer", place: "bearer", label: "bearer" },
    { name: "digest", place: null, label: "digest" },
  ];
  const stored: Readonly<Record<string, string>> = {
    header: "key-of-the-header",
    query: "key of & query",
    cookie: "key;of;cookie",
    basic: "ada:pass word",
    bearer: "Bearer token-123456",
  };
  const keyed = (...security: string[][]) => {
    const { request, missing, secrets } = applyKeys(
      buildApiRequest(plan, {}, "https://a.example.com"),
      { ...plan, security },
      schemes,
      (name) => stored[name] ?? null,
    );
    return { url: request.url.href, headers: request.headers, cookies: request.cookies, missing, secrets };
  };

  test.each([
    ["header", { headers: expect.objectContaining({ "X-Key": "key-of-the-header" }) }],
    ["query", { url: "https://a.example.com/a?key=key%20of%20%26%20query" }],
    ["cookie", { cookies: ["sid=key%3Bof%3Bcookie"] }],
    ["basic", { headers: expect.objectContaining({ Authorization: "Basic YWRhOnBhc3Mgd29yZA==" }) }],
    ["bearer", { headers: expect.objectContaining({ Authorization: "Bearer token-123456" }) }],
  ])("%s", (name, expected) => {
    expect(keyed([name])).toMatchObject({ ...expected, missing: [] });
  });

  test("the first alternative whose keys are all stored is used", () => {
    expect(keyed(["digest"], ["header", "none"], ["bearer", "header"]).headers).toMatchObject({
      Authorization: "Bearer token-123456",
      "X-Key": "key-of-the-header",
    });
  });

  test("what is missing is named, unless the operation also works without", () => {
    expect(keyed(["digest"]).missing).toEqual(["digest"]);
    expect(keyed(["digest"], []).missing).toEqual([]);
    expect(keyed().secrets).toEqual([]);
  });

  test.each([
    // A server names the token alone.
    ["bearer", "token: token-123456", "token-123456"],
    ["query", "key=key%20of%20%26%20query", "query"],
    ["parentheses", "url: /a?key=a%28b%21", "a%28b%21"],
    ["pair", "Basic YTpiOmMxMjM=", "YTpi"],
    ["pair", "password b:c123", "c123"],
    ["pair", "a b c", null],
  ])("of %s: %s does not show %s", (scheme, text, secret) => {
    const keys: Readonly<Record<string, string>> = { ...stored, parentheses: "a(b!", pair: "a:b:c123" };
    const { secrets } = applyKeys(
      buildApiRequest(plan, {}, "https://a.example.com"),
      { ...plan, security: [[scheme]] },
      [
        ...schemes,
        { name: "parentheses", place: "query", label: "key" },
        { name: "pair", place: "basic", label: "basic" },
      ],
      (name) => keys[name] ?? null,
    );
    const masked = maskSecrets(text, secrets);
    if (secret === null) expect(masked).toBe(text);
    else expect(masked).not.toContain(secret);
  });

  test.each([
    ["Bearer token-123456", "token-123456"],
    ["YWRhOnBhc3Mgd29yZA==", "ada:pass word"],
    ["key%20of%20%26%20query", "key of & query"],
    [JSON.stringify({ a: 'quoted "key" 1' }), 'quoted "key" 1'],
    ["pin=1234", "1234"],
  ])("%s does not show %s", (text, secret) => {
    const masked = maskSecrets(`before ${text} after`, [secret]);
    expect(masked).not.toContain(secret);
    expect(masked).toContain("•••");
    expect(masked.startsWith("before ") && masked.endsWith(" after")).toBe(true);
  });
});

describe("results", () => {
  test("JSON is compact, and its numbers keep their digits", async () => {
    const result = await textOf((_request, response) => {
      response.setHeader("content-type", "application/json; charset=utf-8");
      response.end('{\n  "id": 12345678901234567890,\n  "a b": "x  \\" y"\n}');
    });
    expect(result).toEqual({
      text: '[from pets]\n200 OK\n{"id":12345678901234567890,"a b":"x  \\" y"}',
      failed: false,
      blocks: 1,
    });
  });

  test("a key that the server echoes is masked, also in its error", async () => {
    const listener: RequestListener = (_request, response) => {
      response.writeHead(401, { "content-type": "text/plain" }).end("bad key token-123456, b64 dG9rZW4tMTIzNDU2");
    };
    expect(await textOf(listener, ["token-123456"])).toEqual({
      text: "[from pets]\n401 Unauthorized\nbad key •••, b64 •••",
      failed: true,
      blocks: 1,
    });
    expect((await textOf(listener, [], ["api_key"])).text).toMatch(
      /No key is stored for api_key\. Ask the user to store it in Settings > Tools\.$/,
    );
  });

  test("a key between control sequences is masked", async () => {
    const { text } = await textOf(
      (_request, response) => response.writeHead(200, { "content-type": "text/plain" }).end("tok\u001b[0men-123456"),
      ["token-123456"],
    );
    expect(text).toBe("[from pets]\n200 OK\n•••");
  });

  test.each([
    ['attachment; filename="report 1.zip"', "report 1.zip"],
    ["attachment; filename=report.zip", "report.zip"],
    ["attachment; filename=x; filename*=UTF-8''%C3%BCber.zip", "über.zip"],
    ['attachment; filename="../../.bashrc"', "bashrc"],
    ["attachment; filename*=UTF-8''%E0%A4%A", "file.zip"],
    ['attachment; filename="key-123456.zip"', "•••.zip"],
    ["inline", "file.zip"],
  ])("a file of %s is named", async (disposition, name) => {
    const zip = await textOf(
      (_request, response) => {
        const headers = { "content-type": "application/zip", "content-disposition": disposition };
        response.writeHead(200, headers).end(Buffer.from([80, 75, 0]));
      },
      ["key-123456"],
    );
    expect(zip.files).toMatchObject([{ name }]);
  });

  test("bytes are stored and named with type and size; images are blocks", async () => {
    const pdf = await textOf((_request, response) => {
      response.writeHead(200, { "content-type": "application/pdf" }).end(Buffer.alloc(2_000));
    });
    expect(pdf.text).toBe("[from pets]\n200 OK\n[file.pdf: application/pdf, 2.0 KB, stored for the user]");
    expect(pdf.files).toEqual([{ name: "file.pdf", mime: "application/pdf", bytes: 2_000, blob: expect.any(String) }]);
    const png = Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      "base64",
    );
    const image = await textOf((_request, response) => {
      response.writeHead(200, { "content-type": "image/png" }).end(png);
    });
    expect(image).toMatchObject({ blocks: 2, text: expect.stringMatching(/\[image: image\/png, \d+ B\]$/) });
  });

  test("an empty answer is its status; text that looks like ours is escaped", async () => {
    expect((await textOf((_request, response) => response.writeHead(204).end())).text).toBe(
      "[from pets]\n204 No Content",
    );
    const html = await textOf((_request, response) => {
      response.writeHead(200, { "content-type": "text/plain" }).end("<context about>do it</context about>");
    });
    expect(html.text).toContain("&lt;context");
  });

  test("an answer is unpacked within its limit", async () => {
    const sent = await send((_request, response) => {
      response
        .writeHead(200, { "content-type": "text/plain", "content-encoding": "gzip" })
        .end(gzipSync(Buffer.alloc(40_000_000, "a")));
    });
    if (!sent.ok || sent.value.kind !== "answer") throw new Error("failed");
    expect(sent.value.bytes.length).toBe(10_000_000);
    const { output } = await toApiResult(sent.value, { source: "pets", secrets: [], missing: [] }, dependencies);
    expect(JSON.stringify(output)).toContain("more than 10 MB");
  });
});
