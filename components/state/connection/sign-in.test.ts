import { afterEach, expect, test, vi } from "vitest";
import { pageSecret, signIn, parseSignInToken } from "./sign-in";

afterEach(() => vi.unstubAllGlobals());

test.each([
  ["http://localhost:4674/#token=abc-_123", "abc-_123"],
  ["#token=abc", "abc"],
  ["  http://localhost:4674/s/x#a=1&token=a%2Bb \n", "a+b"],
  ["0123456789abcdef0123456789abcdef", "0123456789abcdef0123456789abcdef"],
  ["", null],
  ["#", null],
  ["#token=", null],
  ["#token=%E0%A4%A", null],
  ["hello there", null],
  ["short", null],
  ["http://localhost:4674/", null],
])("%j contains the token %j", (text, token) => {
  expect(parseSignInToken(text)).toBe(token);
});

test("a full storage does not retain an older secret instead of the new one", async () => {
  const stored = new Map([["gopiPage", "old"]]);
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    removeItem: (key: string) => stored.delete(key),
    setItem() {
      throw new Error("full");
    },
  });
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ ok: true, value: { page: "new" } })));
  expect(await signIn("token")).toBe("done");
  expect(pageSecret()).toBe("new");
});

test.each([
  [401, "refused"],
  [403, "wrongOrigin"],
  [429, "throttled"],
])("the status %i of a sign-in is %s", async (status, result) => {
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(null, { status })));
  expect(await signIn("token")).toBe(result);
});
