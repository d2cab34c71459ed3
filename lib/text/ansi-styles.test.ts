import { expect, test } from "vitest";
import { createAnsiStripper, stripAnsi } from "./ansi";
import { maxStyleSpans, type StyleSpan, splitStyledText } from "./ansi-styles";

function styled(
  pieces: readonly string[],
  flushes = false,
): { readonly text: string; readonly spans: readonly StyleSpan[] } {
  const stripper = createAnsiStripper();
  let text = "";
  for (const piece of pieces) text += stripper.push(piece) + (flushes ? stripper.flush() : "");
  text += stripper.end();
  return { text, spans: stripper.styles };
}

/** `red{error}` for each styled piece. */
const shown = (written: string): string => {
  const { text, spans } = styled([written]);
  return splitStyledText(text, spans)
    .map(({ text: piece, style }) => {
      if (style === undefined) return piece;
      const names = [style.color, style.bold && "bold", style.underline && "under"].filter(Boolean).join("+");
      return `${names}{${piece}}`;
    })
    .join("");
};

test.each([
  ["\x1b[31merror\x1b[0m: x", "red{error}: x"],
  ["\x1b[31merror\x1b[m: x", "red{error}: x"],
  ["\x1b[1;32mok\x1b[22m go\x1b[39m on", "green+bold{ok}green{ go} on"],
  ["\x1b[4mu\x1b[24mn", "under{u}n"],
  ["\x1b[4:3mu\x1b[4:0mn", "under{u}n"],
  ["\x1b[91ma\x1b[94mb\x1b[90mc", "red{a}blue{b}muted{c}"],
  ["\x1b[30mblack\x1b[37mwhite\x1b[97mbright", "blackwhitebright"],
  ["\x1b[38;5;196ma\x1b[38;5;46mb\x1b[38;5;244mc\x1b[38;5;255md", "red{a}green{b}muted{c}d"],
  ["\x1b[38;5;1;1ma", "red+bold{a}"],
  ["\x1b[1;38;2;255;255;100;4my\x1b[38:2::80:120:255mb", "yellow+bold+under{y}blue+bold+under{b}"],
  ["\x1b[48;5;1;32mg\x1b[41mg", "green{gg}"],
  ["\x1b[31ma\x1b[31mb\nc\x1b[0m\nd", "red{ab\nc}\nd"],
  ["\x1b[8msecret\x1b[30;40m text", "secret text"],
  ["\x1b[>4;2ma\x1b[?31mb", "ab"],
  ["\x1b[999;38;9;1ma\x1b[38mb", "bold{ab}"],
  // Output of grep --color.
  ["\x1b[35m\x1b[Ka.ts\x1b[m\x1b[K:1", "magenta{a.ts}:1"],
  // An overwritten line has no colours; the next one has.
  ["\x1b[31m50%\r\x1b[32m100%\n\x1b[31mred", "100%\nred{red}"],
])("%j is %s", (written, expected) => {
  expect(shown(written)).toBe(expected);
});

const mixed =
  "a\x1b[1;31mb\x1b[0mcd\n\x1b[38;5;46mlong 😀\x1b[4m line\x1b[0m\n\x1b[36mcyan\r\nx\rz\x1b[34mq\n\x1b]0;t\x07\x1b[32mend";

test("the result does not depend on how the input is split", () => {
  const whole = styled([mixed]);
  expect(whole.text).toBe(stripAnsi(mixed));
  expect(whole.spans.length).toBeGreaterThan(2);
  for (let at = 0; at <= mixed.length; at += 1) expect(styled([mixed.slice(0, at), mixed.slice(at)])).toEqual(whole);
  expect(styled([...mixed])).toEqual(whole);
});

test("spans are ordered and within the text, wherever the unfinished line is flushed", () => {
  for (let at = 0; at <= mixed.length; at += 1) {
    const { text, spans } = styled([mixed.slice(0, at), mixed.slice(at)], true);
    let end = 0;
    for (const span of spans) {
      expect(span.from).toBeGreaterThanOrEqual(end);
      expect(span.to).toBeGreaterThan(span.from);
      end = span.to;
    }
    expect(end).toBeLessThanOrEqual(text.length);
    expect(text.slice(spans[0]?.from, spans[0]?.to)).toBe("b");
  }
});

test("the number of spans is limited, the text is complete", () => {
  const { text, spans } = styled(["\x1b[31mr\x1b[32mg".repeat(5_000)]);
  expect(text).toBe("rg".repeat(5_000));
  expect(spans).toHaveLength(maxStyleSpans);
});
