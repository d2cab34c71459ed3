/** The feature over the real store and sessions of the product; only the model is a script, and all names are this machine. */
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Json } from "@/lib/events/content";
import type { Result } from "@/lib/events/error";
import { pathEntries, type SessionView } from "@/lib/view/view";
import { hasReadExternalContent } from "@/server/agent/tools/read-external";
import {
  callAnswer,
  makeTestHarness,
  promptAndWait,
  testCommandId,
  testTab,
  textAnswer,
  waitForCards,
} from "@/server/session/testing/test-harness";
import type { Session } from "@/server/session/core/session-types";
import { makeTestSource } from "@/server/session/runs/test-external-source";
import type { CatalogueSource } from "@/server/tools/toolbox/catalogue";
import { makeEgress } from "@/server/providers/egress/egress";
import { makeWebPages } from "./page/web-pages";
import { makeWebSearch, searchClock } from "./search/web-search";
import { machineEgressOptions, useWebServers } from "@/server/providers/egress/test-egress";
import { makeWebFeature } from "./web-feature";

const serve = useWebServers();

async function succeed<T>(result: Promise<Result<T>> | Result<T> | undefined): Promise<T> {
  const settled = await result;
  if (settled?.ok !== true) throw new Error(settled?.error.code ?? "no result");
  return settled.value;
}

/** `others` = further sources of tools. */
async function makeRig(others: readonly CatalogueSource[] = []) {
  const sources: { current: ReturnType<typeof makeWebFeature>["catalogueSources"] } = { current: [] };
  const harness = await makeTestHarness({ catalogueSources: () => [...sources.current, ...others] });
  const egress = makeEgress(machineEgressOptions);
  const open = () => {
    const feature = makeWebFeature(harness, {
      pages: makeWebPages({
        egress,
        // As the worker does with text.
        readText: async ({ bytes }) => ({ kind: "text", text: { title: "", text: Buffer.from(bytes).toString() } }),
        now: searchClock.now,
      }),
      search: makeWebSearch({ egress, ...searchClock }),
    });
    sources.current = feature.catalogueSources;
    return feature;
  };
  const { commands } = open();
  const port = await serve(({ url = "" }, response) => {
    if (!url.startsWith("/search")) return response.writeHead(200, { "Content-Type": "text/plain" }).end(`page ${url}`);
    const { searchParams } = new URL(url, "http://searxng");
    const query = searchParams.get("q") ?? "";
    return response.end(
      JSON.stringify({ results: [{ title: query, url: `https://foxes.example/?${query}`, content: "Foxes." }] }),
    );
  });
  const names = (): readonly string[] =>
    sources.current.flatMap((source) => source.tools(harness.session("ask").view.projectId).map(({ name }) => name));
  return {
    harness,
    commands,
    port,
    names,
    reopen: open,
    session: harness.session("ask"),
    useSearxng: () =>
      succeed(
        commands["web.set"]({
          isEnabled: true,
          providers: [{ id: "searxng", isEnabled: true }],
          searxngAddress: `http://127.0.0.1:${port}`,
        }),
      ),
  };
}

const callsOf = (view: SessionView) =>
  pathEntries(view).flatMap((entry) => (entry.kind === "message" ? entry.calls : []));

async function answerCard(session: Session, text: string, option: "once" | "always" | "deny") {
  const sent = session.send(text, "prompt", testCommandId());
  if (!sent.ok) throw new Error(sent.error.code);
  const [card] = await waitForCards(session);
  if (card === undefined) throw new Error("no card");
  session.answer(card.approvalId, { option }, testTab);
  await sent.value.done;
  return card;
}

const fetchCall = (url: string) => callAnswer(["toolbox", { tool: "web_fetch", input: { url } }]);

test("a session whose tools have no room in the prompt begins with the web tools among them", async () => {
  const others = makeTestSource(
    "github",
    Array.from({ length: 60 }, (_, at) => `tool_${at}`),
  );
  const { harness, session, useSearxng } = await makeRig([others.source]);
  await useSearxng();
  harness.script(textAnswer("Done."));
  expect(await promptAndWait(session, "hi")).toBe("done");
  expect(harness.requests[0]?.messages[1]?.text).toMatch(/web_search/);
});

test("a tool that was switched off says so, and is not offered to the next session", async () => {
  const { harness, session, useSearxng } = await makeRig();
  await useSearxng();
  harness.script(textAnswer("Done."));
  expect(await promptAndWait(session, "hi")).toBe("done");
  expect(JSON.stringify(harness.requests[0])).toContain("web_fetch");
  harness.settings.current = { ...harness.settings.current, disabledTools: ["web_fetch"] };
  harness.script(fetchCall("https://foxes.example/"), textAnswer("Done."));
  expect(await promptAndWait(session, "read it")).toBe("done");
  const [call] = callsOf(session.view);
  expect(call).toMatchObject({ state: "error", approvals: [], facts: { code: "tool_off" } });
  expect(JSON.stringify(call?.output)).toContain("the user can switch it on in Settings > Tools");
  const next = harness.session("ask");
  harness.script(textAnswer("Done."));
  expect(await promptAndWait(next, "hi")).toBe("done");
  expect(JSON.stringify(harness.requests.at(-1))).not.toContain("web_fetch");
  expect(JSON.stringify(harness.requests.at(-1))).toContain("web_search");
});

test("a page that the user names is read as a model would get it, only while the web is on", async () => {
  const { commands, port } = await makeRig();
  const read = (address: string) => commands["web.page"]({ address });
  const page = `http://foxes.example:${port}/red`;
  expect(await read(page)).toMatchObject({ error: { code: "tool_off" } });
  await succeed(commands["web.set"]({ isEnabled: true }));
  expect((await succeed(read(page))).text).toMatch(/^\[from http:\/\/foxes.example.*\n.*200.*\n\npage \/red$/);
  expect(await read("http://127.0.0.1:80/")).toMatchObject({
    error: { code: "tool_failed", facts: { webFailure: "not_public", host: "127.0.0.1" } },
  });
  expect(await read("https://user:secret@foxes.example/")).toMatchObject({ error: { code: "bad_input" } });
});

describe("the settings", () => {
  test("offer nothing until the web is switched on, and no search without an engine", async () => {
    const { commands, names } = await makeRig();
    expect(names()).toEqual([]);
    await succeed(commands["web.set"]({ isEnabled: true }));
    expect(names()).toEqual(["web_fetch", "web_search"]);
    await succeed(commands["web.set"]({ providers: [{ id: "brave", isEnabled: true }] }));
    expect(names()).toEqual(["web_fetch"]);
    await succeed(commands["web.set_key"]({ provider: "brave", key: "brave-key-123456" }));
    expect(names()).toEqual(["web_fetch", "web_search"]);
    await succeed(commands["web.set"]({ isEnabled: false }));
    expect(names()).toEqual([]);
  });

  test("keep order and address over a restart, in a file for the owner alone", async () => {
    const { commands, harness, reopen } = await makeRig();
    const set = await succeed(
      commands["web.set"]({
        isEnabled: true,
        providers: [
          { id: "tavily", isEnabled: true },
          { id: "searxng", isEnabled: true },
        ],
        searxngAddress: " search.lan:8080/sx/ ",
      }),
    );
    expect(set.providers.map(({ id, isEnabled }) => [id, isEnabled])).toEqual([
      ["tavily", true],
      ["searxng", true],
      ["brave", false],
      ["bocha", false],
      ["duckduckgo", false],
    ]);
    expect(set.providers[1]).toMatchObject({ address: "http://search.lan:8080/sx", host: "search.lan:8080" });
    expect(statSync(join(harness.home, "web.json")).mode & 0o777).toBe(0o600);
    expect(await succeed(reopen().commands["web.state"]())).toEqual(set);
  });

  test("are those of the first start where the file is damaged, which is said and not overwritten", async () => {
    const { harness, reopen } = await makeRig();
    const path = join(harness.home, "web.json");
    const texts = [
      "{",
      "[]",
      '{"isEnabled":true,"searxngAddress":"http://search.l',
      '{"isEnabled":true,"providers":{"brave":true}}',
      '{"isEnabled":"yes"}',
      '{"isEnabled":true,"searxngAddress":["http://search.lan"]}',
    ];
    for (const text of texts) {
      writeFileSync(path, text);
      const { commands } = reopen();
      const { isEnabled, providers, problem } = await succeed(commands["web.state"]());
      expect(isEnabled).toBe(false);
      expect(providers.every(({ address }) => address === "")).toBe(true);
      expect(problem).toMatchObject({ code: "unreadable_file", facts: { path } });
      expect(await commands["web.set"]({ isEnabled: true })).toMatchObject({ error: { code: "unreadable_file" } });
      expect(await commands["web.set_key"]({ provider: "brave", key: "brave-key-123456" })).toMatchObject({
        error: { code: "unreadable_file" },
      });
      expect(readFileSync(path, "utf8")).toBe(text);
    }
    writeFileSync(path, '{"isEnabled":true}');
    expect(await succeed(reopen().commands["web.state"]())).toMatchObject({ isEnabled: true });
  });

  test("leave out only the entries that are damaged, which stay in the file", async () => {
    const { harness, reopen } = await makeRig();
    const path = join(harness.home, "web.json");
    writeFileSync(
      path,
      '{"isEnabled":false,"providers":[{"id":"none"},{"id":"brave","isEnabled":true},7],"searxngAddress":"file:///etc"}',
    );
    const { commands } = reopen();
    const { isEnabled, providers, problem } = await succeed(commands["web.state"]());
    expect([isEnabled, problem]).toEqual([false, undefined]);
    expect(providers[0]).toMatchObject({ id: "brave", isEnabled: true });
    expect(providers.every(({ address }) => address === "")).toBe(true);
    await succeed(commands["web.set"]({ isEnabled: true }));
    const written: { readonly isEnabled: Json; readonly providers: readonly Json[] } = JSON.parse(
      readFileSync(path, "utf8"),
    );
    expect(written.isEnabled).toBe(true);
    expect(written.providers).toHaveLength(providers.length + 2);
    expect(written.providers).toEqual(expect.arrayContaining([{ id: "none" }, 7]));
  });

  test("refuse an address that is none", async () => {
    const { commands } = await makeRig();
    for (const searxngAddress of ["ftp://search.lan", "http://user:secret@search.lan", "http://", "a b"])
      expect(await commands["web.set"]({ searxngAddress })).toMatchObject({ error: { code: "bad_input" } });
  });

  test("switch an engine on with its first key or address, and leave it as it is with the next one", async () => {
    const { commands } = await makeRig();
    const isOn = async (id: string): Promise<boolean | undefined> =>
      (await succeed(commands["web.state"]())).providers.find((one) => one.id === id)?.isEnabled;
    await succeed(commands["web.set"]({ searxngAddress: "search.lan" }));
    await succeed(commands["web.set_key"]({ provider: "brave", key: "brave-key-123456" }));
    expect([await isOn("searxng"), await isOn("brave")]).toEqual([true, true]);
    await succeed(commands["web.set"]({ providers: [{ id: "searxng", isEnabled: false }] }));
    await succeed(commands["web.set"]({ searxngAddress: "other.lan" }));
    await succeed(commands["web.set_key"]({ provider: "brave", key: "brave-key-654321" }));
    expect([await isOn("searxng"), await isOn("brave")]).toEqual([false, false]);
  });

  test("show that a key is stored, never the key", async () => {
    const { commands, harness } = await makeRig();
    const key = "tavily-key-123456";
    const state = await succeed(commands["web.set_key"]({ provider: "tavily", key }));
    expect(state.providers.find(({ id }) => id === "tavily")).toMatchObject({ hasKey: true, needs: "key" });
    expect(JSON.stringify(state)).not.toContain(key);
    expect(JSON.parse(readFileSync(join(harness.home, "keys.json"), "utf8"))).toEqual({ "web:tavily": key });
    const removed = await succeed(commands["web.set_key"]({ provider: "tavily", key: "" }));
    expect(removed.providers.find(({ id }) => id === "tavily")?.hasKey).toBe(false);
  });

  test("test one engine, also while it is off; without its address there is nothing to test", async () => {
    const { commands, port } = await makeRig();
    expect(await commands["web.test"]({ provider: "searxng" })).toMatchObject({ error: { code: "bad_input" } });
    await succeed(commands["web.set"]({ searxngAddress: `http://127.0.0.1:${port}` }));
    expect(await succeed(commands["web.test"]({ provider: "searxng" }))).toMatchObject({ ok: true, hits: 1 });
    await succeed(commands["web.set"]({ searxngAddress: "http://127.0.0.1:9" }));
    expect(await succeed(commands["web.test"]({ provider: "searxng" }))).toMatchObject({
      ok: false,
      failure: { provider: "searxng", reason: "unreachable" },
    });
  });
});

describe("a session", () => {
  test("asks once for a host of a search; always allows it from then on", async () => {
    const { harness, session, useSearxng } = await makeRig();
    await useSearxng();
    const search = callAnswer(["toolbox", { tool: "web_search", input: { query: "fox" } }]);
    harness.script(search, textAnswer("Found."), search, textAnswer("Found again."));
    const card = await answerCard(session, "search foxes", "always");
    expect(card).toMatchObject({
      options: ["once", "always", "deny"],
      rule: { tool: "net", host: "127.0.0.1" },
      preview: { kind: "external", tool: "web_search", request: { hosts: ["127.0.0.1"] }, why: "new_host" },
    });
    await promptAndWait(session, "again");
    expect(callsOf(session.view)).toMatchObject([
      { name: "web_search", target: "fox", state: "ok" },
      { name: "web_search", target: "fox", state: "ok", approvals: [] },
    ]);
  });

  test("reads a page whose host the owner allowed, and asks with the whole address for another", async () => {
    const { harness, session, useSearxng, port } = await makeRig();
    await useSearxng();
    const url = `http://docs.example.com:${port}/a?b=c`;
    harness.script(fetchCall(url), textAnswer("Read."), fetchCall(`${url}d`), textAnswer("Read."));
    const card = await answerCard(session, "read it", "always");
    expect(card).toMatchObject({
      rule: { tool: "net", host: "docs.example.com" },
      preview: { request: { hosts: ["docs.example.com"], url }, why: "new_host" },
    });
    await promptAndWait(session, "the next");
    expect(callsOf(session.view)).toMatchObject([
      { name: "web_fetch", target: url, state: "ok" },
      { state: "ok", approvals: [] },
    ]);
    harness.script(fetchCall("http://other.example.com/"), textAnswer("Not read."));
    expect(await answerCard(session, "another", "deny")).toMatchObject({ rule: { host: "other.example.com" } });
  });

  test("asks for a long query that only the model wrote, not for one of the user or of a result", async () => {
    const { harness, session, useSearxng, port } = await makeRig();
    await useSearxng();
    const urlWith = (letter: string) => `http://docs.example.com:${port}/find?q=${letter.repeat(120)}`;
    harness.script(fetchCall(`http://docs.example.com:${port}/`), textAnswer("Read."));
    await answerCard(session, "read it", "always");

    harness.script(fetchCall(urlWith("a")), textAnswer("Read."));
    await promptAndWait(session, `read ${urlWith("a")} please`);
    expect(callsOf(session.view).at(-1)).toMatchObject({ state: "ok", approvals: [] });

    // The result of the first, denied call has the address; it does not count.
    for (const option of ["deny", "once"] as const) {
      harness.script(fetchCall(urlWith("b")), textAnswer("Done."));
      expect(await answerCard(session, "go on", option)).toMatchObject({
        options: ["once", "deny"],
        preview: { why: "unseen_url", request: { url: urlWith("b") } },
      });
    }
  });

  test("asks for a long query that a file of the model has, not for one of the project's own", async () => {
    const { harness, useSearxng, port } = await makeRig();
    await useSearxng();
    const session = harness.session("full");
    const urlWith = (letter: string) => `http://docs.example.com:${port}/find?q=${letter.repeat(120)}`;
    writeFileSync(join(harness.root, "README.md"), `See ${urlWith("a")}\n`);
    harness.script(fetchCall(`http://docs.example.com:${port}/`), textAnswer("Read."));
    await answerCard(session, "read it", "always");

    harness.script(callAnswer(["read", { path: "README.md" }]), fetchCall(urlWith("a")), textAnswer("Read."));
    await promptAndWait(session, "read what the project names");
    expect(callsOf(session.view).at(-1)).toMatchObject({ name: "web_fetch", state: "ok", approvals: [] });

    const half = urlWith("b").slice(0, -60);
    harness.script(
      callAnswer(["write", { path: "notes.md", content: `${half}\n` }]),
      callAnswer(["edit", { path: "notes.md", old_text: half, new_text: half + "b".repeat(60) }]),
      callAnswer(["read", { path: "notes.md" }]),
      callAnswer(["bash", { command: "cat notes.md" }]),
      fetchCall(urlWith("b")),
      textAnswer("Not read."),
    );
    expect(await answerCard(session, "go on", "deny")).toMatchObject({ preview: { why: "unseen_url" } });
    expect(callsOf(session.view).map(({ state }) => state)).toEqual([
      "ok",
      "ok",
      "ok",
      "ok",
      "ok",
      "ok",
      "ok",
      "denied",
    ]);
  });

  test("asks for an address or a search with a stored secret, whatever rule there is", async () => {
    const { harness, session, useSearxng, commands, port } = await makeRig();
    await useSearxng();
    await succeed(commands["web.set_key"]({ provider: "brave", key: "brave-key-123456" }));
    const secret = `http://docs.example.com:${port}/?k=brave-key-123456`;
    harness.script(fetchCall(`http://docs.example.com:${port}/`), textAnswer("Read."));
    await answerCard(session, "read it", "always");
    harness.script(fetchCall(secret), textAnswer("Read."));
    expect(await answerCard(session, "go on", "deny")).toMatchObject({ preview: { why: "holds_secret" } });
    harness.script(
      callAnswer(["toolbox", { tool: "web_search", input: { query: "who has brave-key-123456" } }]),
      textAnswer("Done."),
    );
    expect(await answerCard(session, "search", "deny")).toMatchObject({
      options: ["once", "deny"],
      preview: { why: "holds_secret" },
    });
  });

  test("has read content of others after a page or a search, not after a call that was denied", async () => {
    const { harness, useSearxng, port } = await makeRig();
    await useSearxng();
    const fetched = fetchCall(`http://docs.example.com:${port}/`);
    const searched = callAnswer(["toolbox", { tool: "web_search", input: { query: "fox" } }]);
    for (const [call, option, expected] of [
      [fetched, "deny", false],
      [fetched, "once", true],
      [searched, "once", true],
    ] as const) {
      const session = harness.session("ask");
      harness.script(call, textAnswer("Done."));
      await answerCard(session, "go", option);
      const catalogue = harness.services().services.catalogue(session.view.projectId);
      expect(await hasReadExternalContent(session.view, catalogue)).toBe(expected);
    }
  });

  test("runs a call by the bare name, and reports tools that were switched off", async () => {
    const { harness, session, useSearxng, commands } = await makeRig();
    await useSearxng();
    harness.script(callAnswer(["web_search", { query: "fox" }]), textAnswer("Found."));
    await answerCard(session, "search foxes", "once");
    expect(callsOf(session.view)).toMatchObject([{ name: "web_search", state: "ok" }]);
    await succeed(commands["web.set"]({ isEnabled: false }));
    harness.script(callAnswer(["toolbox", { tool: "web_search", input: { query: "fox" } }]), textAnswer("No."));
    await promptAndWait(session, "again");
    expect(callsOf(session.view).at(-1)).toMatchObject({ state: "error" });
  });
});
