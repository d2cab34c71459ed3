import { readFileSync } from "node:fs";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { StyleSpan } from "@/lib/text/ansi-styles";
import { en } from "../../words/en";
import { WordsGiven } from "../../words/words";
import { ConversationActionsContext, readOnlyActions } from "../actions";
import { colorClasses, LinkedOutput } from "./linked-output";

const drawn = (text: string, styles: readonly StyleSpan[], isViewer = false): string =>
  renderToStaticMarkup(
    <WordsGiven words={en}>
      <ConversationActionsContext value={{ ...readOnlyActions, openPath: isViewer ? null : () => undefined }}>
        <LinkedOutput text={text} styles={styles} />
      </ConversationActionsContext>
    </WordsGiven>,
  );
const textIn = (html: string): string => html.replace(/<[^>]*>/g, "");

test.each([true, false])("pieces have their colours, and the text is whole (viewer: %s)", (isViewer) => {
  const styles: readonly StyleSpan[] = [
    { from: 1, to: 4, color: "red", bold: true },
    { from: 5, to: 900, underline: true },
  ];
  const html = drawn("a\nbc\nd.ts:3", styles, isViewer);
  expect(textIn(html)).toBe("a\nbc\nd.ts:3");
  expect(html).toContain(`<span class="${colorClasses.red} font-semibold">`);
  expect(html).toContain('<span class="underline">');
  expect(html.includes("data-link")).toBe(!isViewer);
  expect(drawn("plain", [], isViewer)).not.toContain("font-semibold");
});

test("spans that cross, or lie outside of the text, neither repeat nor lose a character", () => {
  const lines = Array.from({ length: 700 }, (_, index) => `line ${index}`).join("\n");
  const wrong: readonly StyleSpan[] = [
    { from: 3, to: 40, color: "blue" },
    { from: 1, to: 50, color: "cyan" },
    { from: 5_000, to: 4_000, bold: true },
    { from: 6_500, to: 1_000_000, color: "muted" },
  ];
  expect(textIn(drawn(lines, wrong))).toBe(lines);
});

type Theme = ReadonlyMap<string, string>;

/** The variables of a block of globals.css that begins with this selector. */
function themeOf(selector: string, below: Theme = new Map()): Theme {
  const css = readFileSync("app/globals.css", "utf8");
  const start = css.indexOf(`\n${selector} {`);
  const block = css.slice(start, css.indexOf("\n}", start));
  return new Map([
    ...below,
    ...[...block.matchAll(/--([\w-]+): ([^;]+);/g)].map(([, name = "", value = ""]) => [name, value] as const),
  ]);
}

/** Relative luminance of an opaque oklch() colour, by the CSS Color and WCAG formulas. */
function luminance(theme: Theme, name: string): number {
  const numbers = /^oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)$/
    .exec(theme.get(name) ?? "")
    ?.slice(1)
    .map(Number);
  if (numbers === undefined) throw new Error(`${name} is no opaque colour`);
  const [light = 0, chroma = 0, degrees = 0] = numbers;
  const a = chroma * Math.cos((degrees * Math.PI) / 180);
  const b = chroma * Math.sin((degrees * Math.PI) / 180);
  const l = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (light - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map((part) => Math.min(1, Math.max(0, part)));
  return 0.2126 * (linear[0] ?? 0) + 0.7152 * (linear[1] ?? 0) + 0.0722 * (linear[2] ?? 0);
}

const light = themeOf(":root");
const dark = themeOf('[data-theme="dark"]', light);

test.each([
  ["light", light],
  ["dark", dark],
])("every colour has AA contrast on every surface of the %s theme", (_name, theme) => {
  for (const name of Object.values(colorClasses)) {
    const variable = name.replace(/^text-/, "").replace(/^\(--(.*)\)$/, "$1");
    for (const surface of ["canvas", "surface", "raised"]) {
      const [less = 0, more = 0] = [luminance(theme, variable), luminance(theme, surface)].toSorted((x, y) => x - y);
      expect((more + 0.05) / (less + 0.05), `${variable} on ${surface}`).toBeGreaterThanOrEqual(4.5);
    }
  }
});
