// @vitest-environment happy-dom
import { readFileSync } from "node:fs";
import { runInThisContext } from "node:vm";
import { waitFor } from "@testing-library/react";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { settingsDefaults } from "@/lib/settings/settings";
import { markedColour } from "../code/code-line";
import { applyLook, lookBoot } from "./theme";
import { contrast, parseThemes } from "./theme-fixture";

const page = parseThemes(readFileSync("app/globals.css", "utf8"));
const terminals = new Map(
  Object.entries(parseThemes(readFileSync("components/terminal/terminal.css", "utf8"), " .terminal-screen")),
);
const surfaces = ["canvas", "surface", "raised"];
const texts = ["ink", "ink-muted", "ink-faint", "accent", "ask", "danger", "added", "removed"];
const tokens = ["keyword", "string", "function", "constant", "parameter", "punctuation", "comment", "link"].map(
  (token) => `code-token-${token}`,
);
const ansi = ["red", "green", "yellow", "blue", "magenta", "cyan"].flatMap((name) => [
  name,
  `bright${name.slice(0, 1).toUpperCase()}${name.slice(1)}`,
]);

describe.each(Object.entries(page))("the theme %s", (name, theme) => {
  const isHigh = name.endsWith("-contrast");
  const least = isHigh ? 7 : 4.5;

  test("has the contrast of WCAG for text and code on every surface", () => {
    for (const surface of surfaces)
      for (const text of [...texts, ...tokens])
        expect(contrast(theme, text, surface), `${text} on ${surface}`).toBeGreaterThanOrEqual(least);
    expect(contrast(theme, "accent-ink", "accent")).toBeGreaterThanOrEqual(least);
    expect(contrast(theme, "ink", "segment")).toBeGreaterThanOrEqual(least);
    expect(contrast(theme, "ink-muted", "segment-track")).toBeGreaterThanOrEqual(least);
  });

  test("has it for changed lines and words of a diff", () => {
    for (const kind of ["added", "removed"]) {
      // Comments have another colour there.
      for (const text of ["ink", "ink-muted", ...tokens.filter((token) => !token.endsWith("comment"))])
        expect(contrast(theme, text, "canvas", `${kind}-line`), `${text} on ${kind}`).toBeGreaterThanOrEqual(4.5);
      for (const text of ["ink", ...[...tokens, "ink-muted"].map((token) => markedColour(`var(--${token})`))])
        expect(
          contrast(theme, text, "canvas", `${kind}-line`, `${kind}-word`),
          `${text} on the words of ${kind}`,
        ).toBeGreaterThanOrEqual(4.5);
    }
  });

  test("has it for text on a tint of its own colour", () => {
    for (const surface of surfaces)
      for (const text of ["accent", "ask", "danger"])
        expect(contrast(theme, text, surface, `${text}-soft`), `${text} on ${surface}`).toBeGreaterThanOrEqual(4.5);
  });

  test("has it for the marks that carry a meaning", () => {
    for (const surface of surfaces)
      for (const mark of ["accent", "ask-edge", "danger", "added", "removed", ...(isHigh ? ["line"] : [])])
        expect(contrast(theme, mark, surface), `${mark} on ${surface}`).toBeGreaterThanOrEqual(3);
    if (isHigh || name.startsWith("dark"))
      expect(contrast(theme, "segment-edge", "segment-track")).toBeGreaterThanOrEqual(3);
  });

  test("has it for the colours of the terminal", () => {
    const colours = ["terminal-foreground", "ansi-brightBlack", ...ansi.map((colour) => `ansi-${colour}`)];
    const terminal = terminals.get(name) ?? new Map();
    for (const colour of colours)
      expect(contrast(terminal, colour, "terminal-background"), colour).toBeGreaterThanOrEqual(least);
  });
});

const root = document.documentElement;

function boot(prefersDark: boolean): void {
  vi.stubGlobal("matchMedia", () => ({ matches: prefersDark, addEventListener: () => undefined }));
  onTestFinished(() => {
    vi.unstubAllGlobals();
    localStorage.clear();
    for (const { name } of [...root.attributes]) root.removeAttribute(name);
  });
  runInThisContext(lookBoot);
}

test("the look is applied at once and, on the next visit, before the first paint", async () => {
  boot(true);
  expect(root.dataset.theme).toBe("dark");
  const look = { theme: "light-warm", textSize: "large", density: "compact", codeFont: "Fira Code" } as const;
  applyLook({ ...settingsDefaults, ...look });
  const expectLook = (): void => {
    expect({ ...root.dataset }).toMatchObject({ theme: "light-warm", textSize: "large", density: "compact" });
    expect(root.style.getPropertyValue("--code-font")).toBe('"Fira Code"');
  };
  await waitFor(expectLook);
  for (const { name } of [...root.attributes]) root.removeAttribute(name);
  runInThisContext(lookBoot);
  expectLook();
});

test.each([true, false])("the theme of the system is used without another (dark: %s)", async (prefersDark) => {
  boot(prefersDark);
  applyLook({ ...settingsDefaults, codeFont: "Hack" });
  await waitFor(() => expect(root.style.getPropertyValue("--code-font")).toBe('"Hack"'));
  applyLook(settingsDefaults);
  await waitFor(() => expect(root.style.getPropertyValue("--code-font")).toBe(""));
  expect(root.dataset.theme).toBe(prefersDark ? "dark" : "light");
});
