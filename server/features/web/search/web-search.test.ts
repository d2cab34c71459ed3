/** Search engines over real servers of this machine that answer as the engines do. */
import type { IncomingMessage, RequestListener } from "node:http";
import { describe, expect, test } from "vitest";
import { cpuRatio } from "@/lib/testing/test-cpu";
import type { WebProviderId } from "@/lib/tools/web";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import { callTool, makeTestEnvironment } from "@/server/tools/core/test-environment";
import { makeEgress, publicEgressOptions } from "@/server/providers/egress/egress";
import { useWebServers } from "@/server/providers/egress/test-egress";
import { makeSearchTool } from "./search-tool";
import { makeWebSearch, searchProviders, type UsableProvider, type WebSearchOptions } from "./web-search";

const never = new AbortController().signal;
const serve = useWebServers();
const key = "engine-key-123456";

/** A clock that only waiting moves. */
function makeClock() {
  let now = 0;
  const waits: number[] = [];
  const clock: Pick<WebSearchOptions, "now" | "wait"> = {
    now: () => now,
    async wait(ms) {
      waits.push(ms);
      now += ms;
    },
  };
  return { clock, waits, pass: (ms: number) => (now += ms) };
}

const makeSearch = (clock = makeClock().clock) =>
  makeWebSearch({ egress: makeEgress({ ...publicEgressOptions, accepts: () => true }), ...clock });

const at = (id: WebProviderId, port: number): UsableProvider => ({ id, address: `http://127.0.0.1:${port}`, key });

const answer =
  (body: unknown, status = 200, type = "application/json"): RequestListener =>
  (_request, response) =>
    response.writeHead(status, { "Content-Type": type }).end(typeof body === "string" ? body : JSON.stringify(body));

const searchWith = async (id: WebProviderId, listener: RequestListener, query = "foxes") =>
  makeSearch().search(query, [at(id, await serve(listener))], never);

const fox = { title: "About foxes", url: "https://foxes.example/a", snippet: "Foxes are small." };

const ddgResult = (href: string, title = "About <b>foxes</b>", snippet = "Foxes &amp; <b>cubs</b>"): string =>
  `<div class="result results_links results_links_deep web-result"><h2 class="result__title">
   <a rel="nofollow" class="result__a" href="${href}">${title}</a></h2>
   <a class="result__snippet" href="${href}">${snippet}</a></div>`;
const uddg = (url: string): string => `//duckduckgo.com/l/?uddg=${encodeURIComponent(url)}&amp;rut=abc`;

describe("each engine", () => {
  test.each<[WebProviderId, string | object]>([
    ["searxng", { results: [{ title: "About foxes", url: fox.url, content: "Foxes are small." }] }],
    [
      "brave",
      {
        web: {
          results: [
            { title: "About <strong>foxes</strong>", url: fox.url, description: "Foxes are <strong>small</strong>." },
          ],
        },
      },
    ],
    ["tavily", { results: [{ title: "About foxes", url: fox.url, content: "Foxes are small." }] }],
    [
      "bocha",
      {
        code: 200,
        data: { webPages: { value: [{ name: "About foxes", url: fox.url, snippet: "Foxes are small." }] } },
      },
    ],
    ["duckduckgo", ddgResult(uddg(fox.url), "About <b>foxes</b>", "Foxes are small.")],
  ])("%s", async (id, body) => {
    expect(await searchWith(id, answer(body))).toEqual({ provider: id, hits: [fox], failures: [] });
  });

  test.each<[WebProviderId, (request: IncomingMessage) => unknown, unknown]>([
    ["searxng", ({ url }) => url, "/search?q=fox+%26+cub&format=json"],
    [
      "brave",
      ({ url, headers }) => [url, headers["x-subscription-token"]],
      ["/res/v1/web/search?q=fox+%26+cub&count=5", key],
    ],
    [
      "tavily",
      ({ method, url, headers }) => [method, url, headers.authorization],
      ["POST", "/search", `Bearer ${key}`],
    ],
    [
      "bocha",
      ({ method, url, headers }) => [method, url, headers.authorization],
      ["POST", "/v1/web-search", `Bearer ${key}`],
    ],
    ["duckduckgo", ({ url, headers }) => [url, typeof headers.accept], ["/html/?q=fox+%26+cub", "string"]],
  ])("%s gets the words and its own key", async (id, read, expected) => {
    let seen: unknown;
    await searchWith(
      id,
      (request, response) => {
        seen = read(request);
        response.writeHead(500).end();
      },
      "fox & cub",
    );
    expect(seen).toEqual(expected);
  });
});

describe("hostile answers take linear time", () => {
  const mark = 'class="result__a"';
  test.each<[string, WebProviderId, (count: number) => string]>([
    ["links without a tag", "duckduckgo", (count) => mark.repeat(count)],
    ["links without an address", "duckduckgo", (count) => `<a ${mark}>`.repeat(count)],
    ["tags without an end", "duckduckgo", (count) => "<form ".repeat(count)],
    ["a tag of many attributes", "duckduckgo", (count) => `<form ${'class="a b" '.repeat(count)}`],
    ["a long class", "duckduckgo", (count) => `<a class="${"a ".repeat(count)}`],
    ["empty results", "searxng", (count) => JSON.stringify({ results: Array.from({ length: count }, () => ({})) })],
  ])("%s", (_what, id, text) => {
    const read = (count: number) => {
      const page = { status: 200, text: text(count) };
      return () => expect(searchProviders[id].read(page).kind).not.toBe("");
    };
    expect(cpuRatio(read(16_000), read(2_000), 32)).toBeLessThan(32);
  });
});

describe("a failure is named", () => {
  const captcha = '<html><form id="challenge-form"><div class="anomaly-modal__title">Select all ducks</div></form>';
  test.each<[string, WebProviderId, RequestListener, string]>([
    ["a captcha with 202", "duckduckgo", answer(captcha, 202, "text/html"), "blocked"],
    ["a captcha with 200", "duckduckgo", answer(captcha, 200, "text/html"), "blocked"],
    ["202 without a captcha", "duckduckgo", answer("", 202, "text/html"), "blocked"],
    ["403", "duckduckgo", answer("", 403, "text/html"), "blocked"],
    ["a page without results and without a note", "duckduckgo", answer("<html></html>", 200, "text/html"), "blocked"],
    ["JSON is off", "searxng", answer("Forbidden", 403), "no_json"],
    ["HTML in place of JSON", "searxng", answer("<!doctype html>", 200, "text/html"), "no_json"],
    ["its limiter", "searxng", answer("", 429), "blocked"],
    [
      "all of its engines are blocked",
      "searxng",
      answer({ results: [], unresponsive_engines: [["google", "CAPTCHA"]] }),
      "blocked",
    ],
    ["a wrong key", "brave", answer({}, 422), "key"],
    ["a wrong key", "tavily", answer({}, 401), "key"],
    ["a wrong key", "bocha", answer({}, 401), "key"],
    ["no quota", "brave", answer({}, 429), "quota"],
    ["no quota", "tavily", answer({}, 432), "quota"],
    ["no quota", "bocha", answer({}, 403), "quota"],
    ["another form", "brave", answer("[]"), "bad_answer"],
    ["another form", "tavily", answer('{"results": 1}'), "bad_answer"],
    ["not JSON", "bocha", answer("<html>"), "bad_answer"],
    ["a redirect", "searxng", (_request, response) => response.writeHead(301, { Location: "/x" }).end(), "moved"],
  ])("%s: %s", async (_what, id, listener, reason) => {
    expect(await searchWith(id, listener)).toMatchObject({
      provider: null,
      hits: [],
      failures: [{ provider: id, reason }],
    });
  });

  test("a server that is not there", async () => {
    const results = await makeSearch().search("foxes", [at("searxng", 9)], never);
    expect(results.failures).toMatchObject([{ reason: "unreachable", host: "127.0.0.1:9" }]);
  });

  test("without the key, also where the engine repeats it", async () => {
    const results = await searchWith("brave", (_request, response) =>
      response.writeHead(302, { Location: `/login?key=${key}` }).end(),
    );
    expect(JSON.stringify(results)).not.toContain(key);
  });
});

test("no results are only reported where the engine has none", async () => {
  const none = { kind: "no results", provider: "duckduckgo", hits: [], failures: [] };
  const { kind: _kind, ...expected } = none;
  expect(await searchWith("duckduckgo", answer('<div class="no-results">No results.</div>', 200, "text/html"))).toEqual(
    expected,
  );
  expect(await searchWith("searxng", answer({ results: [] }))).toMatchObject({ provider: "searxng", hits: [] });
});

describe("a page of DuckDuckGo with the words of a search", () => {
  const pageFor = (words: string, body: string): string =>
    `<html><head><title>${words} at DuckDuckGo</title></head><body><form id="search_form" action="/html/"><input name="q" value="${words}"></form>${body}</body></html>`;
  const result = (words: string): string => ddgResult(uddg(fox.url), `About ${words}`, `What ${words} means.`);
  const captcha = '<form class="x" id="challenge-form" action="//duckduckgo.com/anomaly.js?sv=html">';
  const words = [
    "foxes",
    "no-results",
    "result--no-result class",
    "anomaly-modal",
    "anomaly.js challenge-form",
    "&lt;form id=&quot;challenge-form&quot;&gt;",
    "&lt;div class=&quot;no-results&quot;&gt;",
  ];
  test.each(
    words.flatMap(
      (one) =>
        [
          [one, "results", 200, result(one), "hits"],
          [one, "results with 202", 202, result(one), "hits"],
          [one, "the note", 200, '<div class="no-results">No results.</div>', "none"],
          [
            one,
            "the note in a result",
            200,
            '<div class="result results_links result--no-result ">No results.</div>',
            "none",
          ],
          [one, "a captcha", 200, captcha, "blocked"],
          [one, "the title of a captcha", 200, '<div class="a anomaly-modal__title">Ducks</div>', "blocked"],
          [one, "the script of a captcha", 200, '<script src="/dist/anomaly.js?2"></script>', "blocked"],
          [one, "neither", 200, `<p>${one}</p>`, "blocked"],
          [one, "nothing with 202", 202, `<p>${one}</p>`, "blocked"],
          [one, "another status", 500, `<p>${one}</p>`, "bad_answer"],
        ] as const,
    ),
  )("%j, %s with status %i", (one, _what, status, body, expected) => {
    const read = searchProviders.duckduckgo.read({ status, text: pageFor(one, body) });
    const found = read.kind === "failed" ? read.reason : read.hits.length === 0 ? "none" : "hits";
    expect(found).toBe(expected);
  });
});

describe("results", () => {
  test("are five at most, each address once, http and https only, without advertisements and markup", async () => {
    const page = [
      ddgResult("https://duckduckgo.com/y.js?ad_domain=shop.example"),
      ddgResult(uddg("https://duckduckgo.com/y.js?ad=1")),
      ddgResult(uddg("javascript:alert(1)")),
      ddgResult(uddg("https://foxes.example/?a=1&b=2"), "Foxes &#38; &lt;cubs&gt;\u200b", "&lt;context about=x&gt;"),
      ...[1, 1, 2, 3, 4, 5, 6].map((number) => ddgResult(uddg(`https://foxes.example/${number}`))),
    ].join("\n");
    const { hits } = await searchWith("duckduckgo", answer(page, 200, "text/html"));
    expect(hits.map(({ url }) => url)).toEqual(
      ["?a=1&b=2", "1", "2", "3", "4"].map((path) => `https://foxes.example/${path}`),
    );
    expect(hits[0]).toMatchObject({ title: "Foxes & <cubs>", snippet: "&lt;context about=x>" });
  });

  test("of a hostile page take no time", async () => {
    const hostile = 'class="result__a" href="<'.repeat(40_000);
    expect(await searchWith("duckduckgo", answer(hostile, 200, "text/html"))).toMatchObject({ provider: null });
  });

  test("are kept for a quarter of an hour, failures are not", async () => {
    const { clock, pass } = makeClock();
    let requests = 0;
    const port = await serve((request, response) => {
      requests += 1;
      answer({ results: requests === 1 ? 0 : [] })(request, response);
    });
    const search = makeSearch(clock);
    const run = () => search.search("foxes", [at("tavily", port)], never);
    expect((await run()).provider).toBeNull();
    expect((await run()).provider).toBe("tavily");
    pass(15 * 60_000 - 2_000);
    await run();
    expect(requests).toBe(2);
    pass(5_000);
    await run();
    expect(requests).toBe(3);
  });
});

describe("the order", () => {
  test("decides: the next engine is requested when one fails, and none after the first that answers", async () => {
    const requested: string[] = [];
    const engine = (id: string, body: unknown, status = 200) =>
      serve((request, response) => {
        requested.push(id);
        answer(body, status)(request, response);
      });
    const providers = [
      at("searxng", await engine("searxng", "", 403)),
      at("brave", await engine("brave", {}, 429)),
      at("tavily", await engine("tavily", { results: [{ title: "About foxes", url: fox.url, content: "x" }] })),
      at("bocha", await engine("bocha", {})),
    ];
    const results = await makeSearch().search("foxes", providers, never);
    expect(requested).toEqual(["searxng", "brave", "tavily"]);
    expect(results).toMatchObject({ provider: "tavily", failures: [{ reason: "no_json" }, { reason: "quota" }] });
  });

  test("leaves a second between two requests to one engine, five to DuckDuckGo", async () => {
    const { clock, waits } = makeClock();
    const search = makeSearch(clock);
    const tavily = at("tavily", await serve(answer({ results: [] })));
    const duckduckgo = at("duckduckgo", await serve(answer('<div class="no-results">', 200, "text/html")));
    for (const query of ["a", "b", "c"]) await search.search(query, [tavily], never);
    for (const query of ["a", "b"]) await search.search(query, [duckduckgo], never);
    expect(waits).toEqual([1_000, 1_000, 5_000]);
  });
});

describe("the turns of an engine", () => {
  const empty = answer('<div class="no-results">', 200, "text/html");

  test("are not taken by a search that ends while it waits", async () => {
    const { clock, waits } = makeClock();
    const stop = new AbortController();
    const wait = async (ms: number): Promise<void> => {
      if (stop.signal.aborted) return clock.wait(ms, stop.signal).then(() => undefined);
      waits.push(ms);
      stop.abort(new Error("stopped"));
    };
    const search = makeSearch({ ...clock, wait });
    const duckduckgo = at("duckduckgo", await serve(empty));
    await search.search("a", [duckduckgo], never);
    await expect(search.search("b", [duckduckgo], stop.signal)).rejects.toThrow("stopped");
    await search.search("c", [duckduckgo], never);
    expect(waits).toEqual([5_000, 5_000]);
  });

  test("come one after the other", async () => {
    const { clock, waits } = makeClock();
    const search = makeSearch(clock);
    const duckduckgo = at("duckduckgo", await serve(empty));
    await Promise.all(["a", "b", "c"].map((query) => search.search(query, [duckduckgo], never)));
    expect(waits).toEqual([5_000, 5_000]);
  });
});

describe("the tool", () => {
  const callSearch = async (providers: readonly UsableProvider[], query = "foxes") => {
    const { context, remove } = makeTestEnvironment();
    remove();
    return callTool(makeSearchTool(makeSearch(), () => providers).tool, { query }, context);
  };

  test("gives results that are marked with their engine, within 400 tokens", async () => {
    const long = Array.from({ length: 9 }, (_one, index) => ({
      title: "fox ".repeat(40),
      url: `https://foxes.example/${index}/${"path/".repeat(40)}`,
      content: "wordy ".repeat(100),
    }));
    const { text } = await callSearch([at("tavily", await serve(answer({ results: long })))]);
    expect(text).toMatch(/^\[from Tavily\]\n1\. fox fox/);
    expect(estimateTokens(text)).toBeLessThanOrEqual(400);
    const short = await callSearch([
      at("tavily", await serve(answer({ results: [{ title: "Foxes", url: fox.url, content: "Small." }] }))),
    ]);
    expect(short.text).toBe(`[from Tavily]\n1. Foxes\n${fox.url}\nSmall.`);
  });

  test.each([
    ["long addresses", "fox ".repeat(40), `https://foxes.example/${"Ab1-".repeat(45)}`, "wordy ".repeat(60)],
    ["Chinese", "狐狸".repeat(90), `https://foxes.example/${"a/b-".repeat(40)}`, "住在森林里".repeat(60)],
    ["rare characters", "\u2603".repeat(200), `https://foxes.example/${"a1".repeat(100)}`, "\u2603".repeat(300)],
  ])("has at most 400 tokens with %s, also after failures", async (_what, title, url, content) => {
    const hits = Array.from({ length: 5 }, (_one, index) => ({ title, url: `${url}${index}`, content }));
    const failing = await serve((_request, response) => {
      response.writeHead(301, { Location: `https://other.example/${"x1".repeat(2_000)}` }).end();
    });
    const found = await serve(answer({ results: hits }));
    const engines = [at("searxng", failing), at("brave", failing), at("bocha", failing), at("tavily", found)];
    for (const providers of [engines, engines.slice(-1)]) {
      const { text } = await callSearch(providers);
      expect(text).toContain(new URL(`${url}0`).href);
      expect(estimateTokens(text)).toBeLessThanOrEqual(400);
    }
  });

  test("a result whose address alone has more is left out", async () => {
    const url = `https://foxes.example/?${"%E7%8B%90".repeat(50)}`;
    const results = [
      { title: "Foxes", url, content: "Small." },
      { title: "Cubs", url: fox.url, content: "Smaller." },
    ];
    const { text } = await callSearch([at("tavily", await serve(answer({ results })))]);
    expect(text).toBe(`[from Tavily]\n1. Cubs\n${fox.url}\nSmaller.`);
  });

  test("escapes and shortens what an engine says of a failure", async () => {
    const engines = [["google", `<context about="x">${"blocked ".repeat(100)}`]];
    const provider = at("searxng", await serve(answer({ results: [], unresponsive_engines: engines })));
    const { text } = await callSearch([provider]);
    expect(text).toContain("google: &lt;context about");
    expect(text).not.toContain("<context");
    expect(text.length).toBeLessThan(400);
  });

  test("tells a block from no results, with the remedy", async () => {
    const blocked = await callSearch([at("duckduckgo", await serve(answer("", 202)))]);
    expect(blocked).toMatchObject({ code: "tool_failed", text: expect.stringContaining("not the same as no results") });
    expect(blocked.text).toContain("Settings > Web");
    const none = await callSearch([at("tavily", await serve(answer({ results: [] })))]);
    expect(none.text).toBe('[from Tavily]\nNo results for "foxes".');
  });

  test("declares the hosts of all engines it may ask; the rule is proposed for the first", () => {
    const providers = [at("searxng", 1), { ...at("brave", 1), address: "https://api.search.brave.com" }];
    const { tool } = makeSearchTool(makeSearch(), () => providers);
    expect(tool.access({ query: "foxes" })).toEqual([
      { kind: "net", host: "api.search.brave.com", method: "GET", sent: "foxes" },
      { kind: "net", host: "127.0.0.1", method: "GET", sent: "foxes" },
    ]);
  });

  test("refuses an empty query", async () => {
    expect(await callSearch([at("tavily", 1)], "  ")).toMatchObject({ code: "bad_input" });
  });
});
