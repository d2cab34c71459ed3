import { once } from "node:events";
import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { ann, annPrefix, hubServerToken, startTestHub, type TestHub } from "@/lib/testing/test-hub";
import { parseHubVariables } from "@/server/base/hub-variables";
import { beginMs, begunCookies, begunMost } from "./begun-sign-ins";
import { makeHubClient } from "./hub-client";
import { makeHubFrontDoor } from "./hub-front-door";

/** The front door on a real server, with a real hub: `/begin?PAGE` begins a sign-in. */
async function openFrontDoor() {
  const hub = await startTestHub();
  const variables = parseHubVariables(hub.variables(1), hubServerToken);
  if (typeof variables === "string") throw new Error(variables);
  let elapsed = 0;
  const used: ((device: string) => void)[] = [];
  const devices = new Set(["of an earlier process"]);
  const frontDoor = makeHubFrontDoor({
    hub: variables,
    client: makeHubClient(variables),
    log: () => {},
    elapsed: () => elapsed,
    lookMs: 5,
  });
  const close = frontDoor.begin({
    signIns: {
      freshLinkToken: (whenUsed) =>
        `link-${used.push((device) => {
          devices.add(device);
          whenUsed?.(device);
        })}`,
    },
    devices: () => [...devices],
    revoke: (device) => void devices.delete(device),
    lastUsed: () => 0,
    isWorking: () => false,
  });
  const server = createServer((request, response) => {
    const [path, query = ""] = (request.url ?? "").split("?");
    if (path === "/begin")
      return void response.end(JSON.stringify(frontDoor.signIn(request, decodeURIComponent(query))));
    void frontDoor.answer(request, response, path ?? "").then((isAnswered) => {
      if (!isAnswered) response.writeHead(404).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  onTestFinished(async () => {
    close();
    expect([...devices]).toEqual([]);
    server.close();
    server.closeAllConnections();
    await hub.close();
  });
  const begin = async (page = "/", headers: Record<string, string> = {}) => {
    const answer = await fetch(`${origin}/begin?${encodeURIComponent(page)}`, { headers });
    const begun: { address: string; cookie: string } = await answer.json();
    return { ...begun, pair: begun.cookie.split(";", 1).join("") };
  };
  /** Sends the browser's return and reads the answer. */
  const end = async (address: string, cookie: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${origin}${address.slice(annPrefix.length)}`, {
      headers: { cookie, ...headers },
      redirect: "manual",
    });
    const page = await response.text();
    const text = page.replaceAll(/<style>.*<\/style>|<title>.*<\/title>|<[^>]+>/g, " ").trim();
    const link = /<a href="([^"]*)">/.exec(page)?.[1]?.replace(hub.origin, "");
    const language = /<html lang="([^"]*)">/.exec(page)?.[1];
    return { status: response.status, location: response.headers.get("location"), text, link, language };
  };
  const pass = (ms: number): void => {
    elapsed += ms;
  };
  return { hub, frontDoor, begin, end, used, devices, pass };
}

/** The address to which the hub sends the browser. */
async function goToHub(address: string): Promise<string> {
  const response = await fetch(address, { redirect: "manual" });
  return response.headers.get("location") ?? "";
}

/** Signs in as far as the answer to the browser's return. */
async function signIn({ begin, end }: Awaited<ReturnType<typeof openFrontDoor>>, page = "/") {
  const { address, pair } = await begin(page);
  return end(await goToHub(address), pair);
}

test("the person for whom the server was started returns to the page, with a link that works once", async () => {
  const door = await openFrontDoor();
  const { address, cookie, pair } = await door.begin("/s/abc?x=1");
  expect(cookie).toMatch(/^gopi_hub_\w+=\S+; Path=\/user\/ann\/; HttpOnly; SameSite=Lax; Max-Age=600$/);
  expect(await door.end(await goToHub(address), pair)).toMatchObject({
    status: 303,
    location: "/user/ann/s/abc?x=1#token=link-1",
  });
  door.used[0]?.("device-1");
  expect(await door.frontDoor.admits("device-1")).toBe(true);
});

test("the cookie is for https only where the page is", async () => {
  const { begin } = await openFrontDoor();
  expect((await begin("/", { origin: "https://hub.example.org" })).cookie).toMatch(/; Secure$/);
});

test.each([
  "//evil.example/",
  "https://evil.example/",
  "/a\r\nX: y",
  "/\\evil",
  "",
  "/../x",
  "/?a#token=b",
  `/${"a".repeat(2_048)}`,
])("%j is no page to return to: the first one is", async (page) => {
  expect((await signIn(await openFrontDoor(), page)).location).toBe("/user/ann/#token=link-1");
});

test("a state is valid once, in its browser, for ten minutes, and never without one", async () => {
  const { begin, end, pass, hub } = await openFrontDoor();
  const first = await begin();
  const back = await goToHub(first.address);
  const expired = { status: 400, text: expect.stringContaining("expired, or was begun in another browser") };
  expect(await end(`${annPrefix}/oauth_callback?code=x&state=wrong`, first.pair)).toMatchObject(expired);
  expect(await end(`${annPrefix}/oauth_callback?code=x`, first.pair)).toMatchObject(expired);
  expect(await end(back, "gopi_hub_other=1")).toMatchObject(expired);
  expect(await end(back, first.pair)).toMatchObject(expired);
  const second = await begin();
  const again = await goToHub(second.address);
  expect(await end(again, second.pair)).toMatchObject({ status: 303 });
  expect(await end(again, second.pair)).toMatchObject(expired);
  const third = await begin();
  const late = await goToHub(third.address);
  pass(beginMs);
  expect(await end(late, third.pair)).toMatchObject(expired);
  expect(hub.requests.filter((request) => request.endsWith("/oauth2/token"))).toHaveLength(1);
});

test("tabs that a browser restores at once all sign in", async () => {
  const { begin, end } = await openFrontDoor();
  const pages = Array.from({ length: begunCookies }, (_, at) => `/s/${at}`);
  const tabs = await Promise.all(pages.map((page) => begin(page)));
  // The browser has one cookie of each name, and sends all of them.
  const jar = new Map(tabs.map(({ pair }) => [pair.split("=", 1).join(""), pair]));
  const cookies = [...jar.values()].join("; ");
  const returns = tabs.map(async ({ address }) => (await end(await goToHub(address), cookies)).location?.split("#")[0]);
  expect(await Promise.all(returns)).toEqual(pages.map((page) => `${annPrefix}${page}`));
});

test("many begun sign-ins displace the oldest", async () => {
  const { begin, end } = await openFrontDoor();
  const first = await begin();
  for (let count = 0; count < begunMost; count += 1) await begin();
  expect(await end(await goToHub(first.address), first.pair)).toMatchObject({ status: 400 });
});

test.each([
  ["zh-CN,zh;q=0.9,en;q=0.8", "zh-CN", "这次登录已过期"],
  ["en,zh;q=0.5", "en", "This sign-in has expired"],
])("the page of a failed sign-in for a browser of %s is in %s", async (accepted, language, sentence) => {
  const { end } = await openFrontDoor();
  const refused = await end(`${annPrefix}/oauth_callback?state=x`, "", { "accept-language": accepted });
  expect(refused).toMatchObject({ language, text: expect.stringContaining(sentence) });
});

const faults: readonly (readonly [string, (hub: TestHub) => void, number, string])[] = [
  [
    "another person",
    (hub) => (hub.person = { name: "<b>ob", scopes: ann.scopes }),
    403,
    "This gopi-web belongs to ann. You are signed in to JupyterHub as &lt;b&gt;ob.",
  ],
  ["an admin", (hub) => (hub.person = { name: "root", scopes: ["access:servers"] }), 403, "belongs to ann"],
  [
    "a missing scope",
    (hub) => (hub.person = { name: "ann", scopes: ["access:servers!server=ann/two"] }),
    403,
    "doesn't allow you to use this server",
  ],
  ["a token that the hub refuses", (hub) => hub.faults.set("/user", 403), 403, "doesn't allow you to use this server"],
  ["a code that the hub refuses", (hub) => hub.faults.set("/oauth2/token", 400), 403, "didn't accept this sign-in"],
  ["a hub that fails", (hub) => hub.faults.set("/user", 500), 502, "JupyterHub doesn't answer"],
  ["half an answer", (hub) => hub.faults.set("/user", "half"), 502, "JupyterHub doesn't answer"],
  ["half a token", (hub) => hub.faults.set("/oauth2/token", "half"), 502, "JupyterHub doesn't answer"],
  ["the page of a proxy", (hub) => hub.faults.set("/oauth2/token", "page"), 502, "JupyterHub doesn't answer"],
  ["an answer without an end", (hub) => hub.faults.set("/user", "endless"), 502, "JupyterHub doesn't answer"],
  ["a redirect, which is not followed", (hub) => hub.faults.set("/user", "redirect"), 502, "JupyterHub doesn't answer"],
];
test.each(faults)("%s: nobody is signed in, and the page says why", async (_name, change, status, sentence) => {
  const door = await openFrontDoor();
  change(door.hub);
  expect(await signIn(door, "/s/abc")).toMatchObject({
    status,
    location: null,
    text: expect.stringContaining(sentence.replaceAll("'", "&#39;")),
    // Another attempt helps, or the person's own server.
    link: /belongs to|allow you/.test(sentence) ? "/hub/home" : "/user/ann/s/abc",
  });
  expect(door.used).toEqual([]);
});

test("a sign-in that the hub's page refuses is over", async () => {
  const { begin, end, hub } = await openFrontDoor();
  const { address, pair } = await begin();
  const back = (await goToHub(address)).replace(/code=\w+/, "error=access_denied");
  expect(await end(back, pair)).toMatchObject({ status: 403, text: expect.stringContaining("allow this sign-in") });
  expect(hub.requests).not.toContain("POST /hub/api/oauth2/token");
});

test("a code is exchanged once at the hub", async () => {
  const { begin, end } = await openFrontDoor();
  const one = await begin();
  const used = await goToHub(one.address);
  await end(used, one.pair);
  const two = await begin();
  const code = /code=\w+/.exec(used)?.[0] ?? "";
  expect(await end((await goToHub(two.address)).replace(/code=\w+/, code), two.pair)).toMatchObject({ status: 403 });
});

test("a browser is admitted while the hub accepts its sign-in, and while the hub does not answer", async () => {
  const door = await openFrontDoor();
  const { hub, frontDoor, used, devices } = door;
  expect(devices.size).toBe(0);
  await signIn(door);
  used[0]?.("device-1");
  expect(await frontDoor.admits("not signed in by the hub")).toBe(false);
  for (const fault of [500, "half", "page", "silent"] as const) {
    hub.faults.set("/user", fault);
    expect(await frontDoor.admits("device-1")).toBe(true);
  }
  hub.faults.clear();
  for (const [token] of hub.tokens) hub.tokens.set(token, { name: "ann", scopes: [] });
  expect(await frontDoor.admits("device-1")).toBe(false);
  expect([...devices]).toEqual([]);
});

test("a person who has left the hub is signed out at the next look; a failure of the hub signs no one out", async () => {
  const door = await openFrontDoor();
  const { hub, used, devices } = door;
  for (const device of ["device-1", "device-2"]) {
    await signIn(door);
    used.at(-1)?.(device);
  }
  const looks = (): number => hub.requests.filter((request) => request.endsWith("/user")).length;
  hub.faults.set("/user", 500);
  const before = looks();
  await expect.poll(looks).toBeGreaterThan(before + 4);
  expect([...devices]).toEqual(["device-1", "device-2"]);
  hub.faults.clear();
  const [[first = ""] = []] = hub.tokens;
  hub.tokens.delete(first);
  await expect.poll(() => [...devices]).toEqual(["device-2"]);
});

test("other addresses, and other requests than GET, are not the front door's", async () => {
  const { end, begin } = await openFrontDoor();
  const { pair } = await begin();
  expect(await end(`${annPrefix}/oauth/callback?code=x`, pair)).toMatchObject({ status: 404 });
});
