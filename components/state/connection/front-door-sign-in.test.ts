import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { signInAtFrontDoor } from "./front-door-sign-in";
import { pageSecret, storeSecret } from "./sign-in";

const replace = vi.fn();
const reload = vi.fn();
const here = "https://ide.example.org/s/s1?a=1#at";
const hub = "https://hub.example.org/hub/api/oauth2/authorize?state=1";

beforeEach(() => {
  const stored = new Map<string, string>();
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  };
  vi.stubGlobal("sessionStorage", storage);
  vi.stubGlobal("localStorage", storage);
  vi.stubGlobal("location", { pathname: "/s/s1", search: "?a=1", href: here, replace, reload });
});
afterEach(() => {
  vi.unstubAllGlobals();
  replace.mockReset();
  reload.mockReset();
});

/** Lets the server give this answer, and records the bodies it gets. */
function answerWith(make: () => Response): string[] {
  const bodies: string[] = [];
  vi.stubGlobal("fetch", (_address: string, { body }: { readonly body: string }) => {
    bodies.push(body);
    return Promise.resolve(make());
  });
  return bodies;
}

test("what the front door let in is signed in", async () => {
  const bodies = answerWith(() => Response.json({ ok: true, value: { page: "secret" } }));
  expect(await signInAtFrontDoor()).toEqual({ kind: "done" });
  expect(pageSecret()).toBe("secret");
  expect(bodies).toEqual([JSON.stringify({ page: "/s/s1?a=1" })]);
});

test("the browser leaves for the hub once, and stays when it is back without a sign-in", async () => {
  answerWith(() => Response.json({ ok: true, value: { signInAt: hub } }));
  expect(await signInAtFrontDoor()).toEqual({ kind: "away", address: hub });
  expect(await signInAtFrontDoor()).toEqual({ kind: "failed", address: hub });
  expect(replace.mock.calls).toEqual([[hub]]);
});

test("after a sign-in it leaves again, however soon that one ends", async () => {
  answerWith(() => Response.json({ ok: true, value: { signInAt: hub } }));
  await signInAtFrontDoor();
  expect(storeSecret({ ok: true, value: { page: `secret of ${Math.random()}` } })).toBe("done");
  expect(await signInAtFrontDoor()).toEqual({ kind: "away", address: hub });
});

test("without storage it stays, since it would leave again and again", async () => {
  vi.stubGlobal("sessionStorage", undefined);
  answerWith(() => Response.json({ ok: true, value: { signInAt: hub } }));
  expect(await signInAtFrontDoor()).toEqual({ kind: "failed", address: hub });
  expect(replace).not.toHaveBeenCalled();
});

test("the sign-in page of a proxy in place of the answer is loaded as a page", async () => {
  answerWith(() => new Response("<html>Sign in</html>"));
  expect(await signInAtFrontDoor()).toEqual({ kind: "away", address: here });
  // With a fragment, its own address in place of the page's loads nothing.
  expect([reload.mock.calls.length, replace.mock.calls]).toEqual([1, []]);
});

test.each([
  [401, "none"],
  [403, "wrongOrigin"],
])("the status %i is %s", async (status, kind) => {
  answerWith(() => Response.json({ ok: false, error: { code: "not_allowed" } }, { status }));
  expect(await signInAtFrontDoor()).toEqual({ kind });
});

test("without a server it is unreachable", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no network")));
  expect(await signInAtFrontDoor()).toEqual({ kind: "unreachable" });
});
