import { expect, it } from "vitest";
import { lanNotice } from "./lan-notice";

const links = [{ url: "http://192.0.2.2:4674/#token=abc" }, { url: "http://[fd00::2]:4674/#token=abc" }];

it("names every link and says that others can read along", () => {
  const notice = lanNotice(links, false);
  for (const { url } of links) expect(notice).toContain(`  ${url}\n`);
  expect(notice).toContain("plain http");
  expect(notice).not.toMatch(/[▀▄█]/);
});

it("draws the first link for a camera", () => {
  expect(lanNotice(links, true)).toMatch(/[▀▄█]/);
});

it("says nothing when nobody else can reach the server", () => {
  expect(lanNotice([], true)).toBe("");
});
