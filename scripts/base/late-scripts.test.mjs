import { expect, it } from "vitest";
import { startScriptsAfterFirstFrame } from "./late-scripts.mjs";

const page = (head, body = "<p>Text</p>") => `<html><head>${head}</head><body>${body}</body></html>`;
const chunk = '<script src="/a.js" async=""></script>';

it("leaves no external script or preload of one for the parser", () => {
  const late = startScriptsAfterFirstFrame(
    page(
      `<link rel="preload" as="script" fetchPriority="low" href="/main.js"/>${chunk}<script src="/main.js" id="_R_" async=""></script>`,
    ),
  );
  expect(late).not.toMatch(/<script[^>]*\ssrc=/);
  expect(late).not.toContain('as="script"');
  expect(late).toContain('[{"src":"/a.js"},{"src":"/main.js","id":"_R_"}]');
});

it("keeps what is not an async script: styles, fonts, inline scripts and scripts for old browsers", () => {
  const expected =
    '<link rel="stylesheet" href="/a.css"/><link rel="preload" href="/a.woff2" as="font"/><script src="/old.js" noModule=""></script>';
  const late = startScriptsAfterFirstFrame(page(expected + chunk, "<script>first()</script><p>Text</p>"));
  expect(late).toContain(expected);
  expect(late).toContain("<script>first()</script><p>Text</p><script>");
});

it("refuses a page without async scripts, so that a change of the exporter is noticed", () => {
  expect(() => startScriptsAfterFirstFrame(page(""))).toThrow("no async scripts");
});
