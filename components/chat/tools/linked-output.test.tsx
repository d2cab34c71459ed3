import { readFileSync } from "node:fs";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { StyleSpan } from "@/lib/text/ansi-styles";
import { contrast, parseThemes } from "../../ui/theme/theme-fixture";
import { en } from "../../messages/en";
import { StaticMessages } from "../../messages/messages";
import { ConversationActionsContext, readOnlyActions } from "../actions";
import { colorClasses, LinkedOutput } from "./linked-output";

const { light, dark } = parseThemes(readFileSync("app/globals.css", "utf8"));

const render = (text: string, styles: readonly StyleSpan[], isViewer = false): string =>
  renderToStaticMarkup(
    <StaticMessages messages={en}>
      <ConversationActionsContext value={{ ...readOnlyActions, openPath: isViewer ? null : () => undefined }}>
        <LinkedOutput text={text} styles={styles} />
      </ConversationActionsContext>
    </StaticMessages>,
  );
const textIn = (html: string): string => html.replace(/<[^>]*>/g, "");

test.each([true, false])("styled pieces have their colours, and the text is complete (viewer: %s)", (isViewer) => {
  const styles: readonly StyleSpan[] = [
    { from: 1, to: 4, color: "red", bold: true },
    { from: 5, to: 900, underline: true },
  ];
  const html = render("a\nbc\nd.ts:3", styles, isViewer);
  expect(textIn(html)).toBe("a\nbc\nd.ts:3");
  expect(html).toContain(`<span class="${colorClasses.red} font-semibold">`);
  expect(html).toContain('<span class="underline">');
  expect(html.includes("data-link")).toBe(!isViewer);
  expect(render("plain", [], isViewer)).not.toContain("font-semibold");
});

test("overlapping and out-of-range spans neither repeat nor lose a character", () => {
  const lines = Array.from({ length: 700 }, (_, index) => `line ${index}`).join("\n");
  const wrong: readonly StyleSpan[] = [
    { from: 3, to: 40, color: "blue" },
    { from: 1, to: 50, color: "cyan" },
    { from: 5_000, to: 4_000, bold: true },
    { from: 6_500, to: 1_000_000, color: "muted" },
  ];
  expect(textIn(render(lines, wrong))).toBe(lines);
});

test.each([
  ["light", light],
  ["dark", dark],
])("every colour has AA contrast on every surface of the %s theme", (_name, theme) => {
  for (const name of Object.values(colorClasses)) {
    const variable = name.replace(/^text-/, "").replace(/^\(--(.*)\)$/, "$1");
    for (const surface of ["canvas", "surface", "raised"]) {
      expect(contrast(theme, variable, surface), `${variable} on ${surface}`).toBeGreaterThanOrEqual(4.5);
    }
  }
});
