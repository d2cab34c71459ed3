import { expect, it } from "vitest";
import { lanNotice } from "./lan-notice";

const links = [{ url: "http://192.0.2.2:4674/#token=abc" }, { url: "http://[fd00::2]:4674/#token=abc" }];

it("lists every link and warns about eavesdropping", () => {
  const notice = lanNotice(links, false);
  for (const { url } of links) expect(notice).toContain(`  ${url}\n`);
  expect(notice).toContain("plain http");
  expect(notice).not.toMatch(/[▀▄█]/);
});

it("does not warn about https", () => {
  expect(lanNotice([{ url: "https://box.example:4674/#token=abc" }], false)).not.toContain("plain http");
});

it("draws the first link as a QR code", () => {
  expect(lanNotice(links, true)).toMatch(/[▀▄█]/);
});

it("is empty when no other device can reach the server", () => {
  expect(lanNotice([], true)).toBe("");
});
