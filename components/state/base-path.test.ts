// @vitest-environment happy-dom
/** The module reads the prefix once, so each case loads it again. */
import { afterEach, expect, test, vi } from "vitest";

async function loadBelow(prefix: string | null) {
  if (prefix === null) delete document.documentElement.dataset.base;
  else document.documentElement.dataset.base = prefix;
  vi.resetModules();
  return import("./base-path");
}
afterEach(() => {
  delete document.documentElement.dataset.base;
  vi.resetModules();
});

test.each([
  [null, "/s/s1", "/s/s1"],
  ["/user/x", "/s/s1", "/user/x/s/s1"],
  ["/user/x", "/", "/user/x/"],
])("below %s the path %s has the address %s", async (prefix, path, address) => {
  const { withBasePath, toAppPath } = await loadBelow(prefix);
  expect([withBasePath(path), toAppPath(address)]).toEqual([address, path]);
});

test("an address outside of the prefix is no page of the application", async () => {
  const { toAppPath } = await loadBelow("/user/x");
  for (const other of ["/", "/user/x", "/user/xy/", "/user/y/s/s1"]) expect(toAppPath(other)).toBeNull();
});
