/** `web_fetch` over real servers of this machine, which count as public here, and with the real worker. */
import type { RequestListener } from "node:http";
import { describe, expect, test } from "vitest";
import type { Json } from "@/lib/events/content";
import { settingsDefaults } from "@/lib/settings/settings";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import { fitText, resultShareTokens } from "@/server/agent/tools/fit-result";
import { makeTestEnvironment, resultText } from "@/server/tools/core/test-environment";
import { makeEgress, publicEgressOptions } from "@/server/providers/egress/egress";
import { machineEgressOptions, useWebServers } from "@/server/providers/egress/test-egress";
import { usePageWorker } from "../test-web";
import { makeFetchTool } from "./fetch-tool";
import { runPageWorker } from "./run-page-worker";
import { makeWebPages } from "./web-pages";

const never = new AbortController().signal;
const program = usePageWorker();
const serve = useWebServers();

function makeTool(now = () => 0, egress = makeEgress(machineEgressOptions)) {
  const readText = (input: Parameters<typeof runPageWorker>[1], signal: AbortSignal) =>
    runPageWorker({ program: program(), timeoutMs: 20_000 }, input, signal);
  return makeFetchTool(makeWebPages({ egress, readText, now })).tool;
}

interface CallOptions {
  readonly vision?: boolean;
  readonly tool?: ReturnType<typeof makeTool>;
}

async function call(input: Json, { vision = false, tool = makeTool() }: CallOptions = {}) {
  const parsed = tool.parse(input);
  if (!parsed.ok) throw new Error(parsed.messageForModel);
  const { context, blobs, remove } = makeTestEnvironment({ vision });
  try {
    const result = await tool.create(context).run(parsed.input, context, never);
    return { ...result, text: resultText(result.output), blobs };
  } finally {
    remove();
  }
}

const answerWith =
  (type: string, body: string | Buffer, status = 200): RequestListener =>
  (_request, response) =>
    response.writeHead(status, { "Content-Type": type }).end(body);

const urlOf = (port: number, path = "/"): string => `http://docs.example.com:${port}${path}`;

describe("what is read", () => {
  test("a page is Markdown, marked with its source, title, status, type and size", async () => {
    const port = await serve(
      answerWith("text/html; charset=utf-8", "<title>Foxes</title><body><h2>About</h2><p>Text</p>"),
    );
    const { text, facts } = await call({ url: urlOf(port) });
    expect(text).toBe(`[from ${urlOf(port)}]\nFoxes (200, text/html, 51 B)\n\n## About\n\nText`);
    expect(facts).toEqual({ bytes: 51, fromChar: 0 });
  });

  test("JSON and text are as they are", async () => {
    const port = await serve(answerWith("application/json", '{"a":\n  1}'));
    expect((await call({ url: urlOf(port) })).text).toContain('\n\n{"a":\n  1}');
  });

  test("an image goes to a model that sees, a line to another", async () => {
    const png = Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      "base64",
    );
    const port = await serve(answerWith("image/png", png));
    const seen = await call({ url: urlOf(port) }, { vision: true });
    expect(seen.output[1]).toMatchObject({ type: "image", mime: "image/png" });
    expect([...seen.blobs.values()]).toEqual([png]);
    const { output, text } = await call({ url: urlOf(port) });
    expect(output).toHaveLength(1);
    expect(text).toContain("This model cannot see images.");
  });

  test.each([
    ["application/pdf", "application/pdf, 1.2 KB"],
    ["application/zip", "application/zip, 1.2 KB"],
    ["application/octet-stream", "application/octet-stream, 1.2 KB"],
  ])("%s is refused with type and size", async (type, described) => {
    const port = await serve(answerWith(type, Buffer.alloc(1_200)));
    await expect(call({ url: urlOf(port) })).rejects.toThrow(described);
  });

  test.each([
    ["a page", "text/html", "<title>&lt;context about=x&gt;</title><body>Text</body>"],
    ["an error", "application/zip", "PK"],
  ])("the type and title of %s are a short part of a line", async (_what, type, body) => {
    const port = await serve(answerWith(`${type} <context about="x">${"y".repeat(4_000)}`, body));
    const text = await call({ url: urlOf(port) }).then(
      (result) => result.text,
      (error: unknown) => String(error),
    );
    expect(text).toContain("&lt;context about=");
    expect(text).not.toContain("<context");
    expect(text.length).toBeLessThan(400);
  });

  test("a large answer of another type is refused by what was read of it", async () => {
    const port = await serve(answerWith("application/zip", Buffer.alloc(3_000_000)));
    await expect(call({ url: urlOf(port) })).rejects.toThrow("application/zip, more than 2.0 MB");
  });

  test("3 MB of text are cut at 2 MB, which the result notes", async () => {
    const port = await serve(answerWith("text/plain", "word ".repeat(600_000)));
    const { text } = await call({ url: urlOf(port) });
    expect(text).toMatch(/\[the page is longer; only its first 2\.0 MB were read\]$/);
  });

  test("an error has the start of its page, and counts as failed", async () => {
    const port = await serve(
      answerWith("text/html", `<title>Missing</title><body>${"no such page ".repeat(500)}`, 404),
    );
    const { text, failed } = await call({ url: urlOf(port) });
    expect(failed).toBe(true);
    expect(text).toContain("Missing (404, text/html");
    expect(text.length).toBeLessThan(2_000);
  });

  test("a redirect within the host is followed, one to another host is reported", async () => {
    const port = await serve(({ url }, response) => {
      if (url === "/") response.writeHead(302, { Location: "/next" }).end();
      else if (url === "/next") response.writeHead(200, { "Content-Type": "text/plain" }).end("arrived");
      else response.writeHead(302, { Location: "https://other.example/page" }).end();
    });
    expect((await call({ url: urlOf(port) })).text).toContain(`[from ${urlOf(port, "/next")}]`);
    expect((await call({ url: urlOf(port, "/away") })).text).toBe(
      `[from ${urlOf(port, "/away")}]\nThe address leads to another host. Read it with web_fetch: https://other.example/page`,
    );
  });
});

test.each([
  ["another port", (port: number) => `http://docs.example.com:${port + 1}/page`],
  ["another scheme", (port: number) => `https://docs.example.com:${port}/page`],
])("a redirect to %s of the host is reported, not followed", async (_title, target) => {
  const port: number = await serve((_request, response) => {
    response.writeHead(302, { Location: target(port) }).end();
  });
  expect((await call({ url: urlOf(port) })).text).toBe(
    `[from ${urlOf(port)}]\nThe address leads to another port or scheme. Read it with web_fetch: ${target(port)}`,
  );
});

describe("parts", () => {
  const page = Array.from({ length: 400 }, (_one, index) => `line ${index} of the page`).join("\n");

  test("a long text continues where the part before ended, until its end, from one request", async () => {
    let requests = 0;
    const port = await serve((_request, response) => {
      requests += 1;
      response.writeHead(200, { "Content-Type": "text/plain" }).end(page);
    });
    const tool = makeTool();
    let from = 0;
    let read = "";
    for (let parts = 1; ; parts += 1) {
      const { text, facts } = await call({ url: urlOf(port), from }, { tool });
      const shown = fitText(text, { bytes: 100_000, keep: "head" }, 500, {
        next: (head) => tool.shortenFacts?.(facts, head)?.next ?? null,
      }).text;
      const body = shown.slice(shown.indexOf("\n\n") + 2);
      const next = /\[cut here: .*; go on with from (\d+)\]$/.exec(body);
      read += next === null ? body : body.slice(0, next.index);
      if (next === null) {
        expect(parts).toBeGreaterThan(3);
        break;
      }
      from = Number(next[1]);
    }
    expect(read).toBe(page);
    expect(requests).toBe(1);
  });

  test.each([
    ["4k", 4_096, "word "],
    ["64k", 65_536, "word "],
    ["256k", 262_144, "word "],
    ["4k, in Chinese", 4_096, "狐狸住在森林里。"],
    ["64k, in Chinese", 65_536, "狐狸住在森林里。"],
  ])("fill an eighth of a window of %s in tokens", async (_size, window, words) => {
    const port = await serve(answerWith("text/plain; charset=utf-8", words.repeat(400_000 / words.length)));
    const tool = makeTool();
    const { text, facts } = await call({ url: urlOf(port) }, { tool });
    const maxTokens = resultShareTokens(window, 1);
    const shown = fitText(text, tool.limits(settingsDefaults), maxTokens, {
      next: (head) => tool.shortenFacts?.(facts, head)?.next ?? null,
    }).text;
    expect(shown).toMatch(/; go on with from \d+\]$/);
    expect(estimateTokens(shown)).toBeLessThanOrEqual(maxTokens);
    expect(estimateTokens(shown)).toBeGreaterThan(maxTokens * 0.8);
  });

  test("past the end is refused with the length", async () => {
    const port = await serve(answerWith("text/plain", "short"));
    await expect(call({ url: urlOf(port), from: 5 })).rejects.toThrow("the page has 5 characters");
  });

  test("are read again after a quarter of an hour", async () => {
    let requests = 0;
    const port = await serve((_request, response) =>
      response.writeHead(200, { "Content-Type": "text/plain" }).end(`${++requests}`),
    );
    let now = 0;
    const tool = makeTool(() => now);
    await call({ url: urlOf(port) }, { tool });
    now = 15 * 60_000 - 1;
    expect((await call({ url: urlOf(port) }, { tool })).text).toMatch(/\n1$/);
    now += 1;
    expect((await call({ url: urlOf(port) }, { tool })).text).toMatch(/\n2$/);
  });
});

describe("the address", () => {
  test("is https where it has no scheme, and keeps no fragment", () => {
    const tool = makeTool();
    const target = (url: string) => {
      const parsed = tool.parse({ url });
      return parsed.ok ? tool.target(parsed.input) : parsed.messageForModel;
    };
    expect(target("docs.example.com/a#part")).toBe("https://docs.example.com/a");
    expect(target("docs.example.com:8443/a")).toBe("https://docs.example.com:8443/a");
    expect(target(" http://Docs.Example.com ")).toBe("http://docs.example.com/");
  });

  test.each([
    "",
    "ftp://docs.example.com/",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "https://user:secret@docs.example.com/",
    "http://",
    `https://docs.example.com/${"a".repeat(4_000)}`,
  ])("%j is refused with a right call", (url) => {
    const parsed = makeTool().parse({ url });
    expect(parsed).toMatchObject({ ok: false, messageForModel: expect.stringContaining('web_fetch {"url":"https://') });
  });

  test("and its host are declared as they are sent, also for an address without a scheme", () => {
    const tool = makeTool();
    expect(tool.access({ url: "docs.example.com/a?b=c" })).toMatchObject([{ sent: "https://docs.example.com/a?b=c" }]);
    expect(tool.access({ url: "https://docs.example.com:8443/a?b=c" })).toEqual([
      { kind: "net", host: "docs.example.com", method: "GET", sent: "https://docs.example.com:8443/a?b=c" },
    ]);
  });

  test("of a private host is refused before a card is shown", async () => {
    const { context, remove } = makeTestEnvironment();
    remove();
    const preview = (url: string) => makeTool().create(context).preview?.({ url }, context, never);
    await expect(preview("http://192.168.1.1/")).rejects.toThrow("192.168.1.1 is not a public host");
    await expect(preview("http://localhost:3000/")).rejects.toThrow("localhost is not a public host");
    expect(await preview("https://docs.example.com/a")).toMatchObject({
      preview: { request: { hosts: ["docs.example.com"], url: "https://docs.example.com/a" } },
    });
  });

  test("of a public name with a private address is refused by the product's own network", async () => {
    const egress = makeEgress({ ...publicEgressOptions, resolve: async () => ["10.0.0.1"] });
    await expect(call({ url: "http://docs.example.com/" }, { tool: makeTool(() => 0, egress) })).rejects.toThrow(
      "docs.example.com (10.0.0.1) is not a public host",
    );
  });
});
