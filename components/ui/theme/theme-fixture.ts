/** Colours of the themes parsed from a style sheet, and their WCAG contrast. For tests. */
import type { Settings } from "@/lib/settings/settings";

type ThemeColours = ReadonlyMap<string, string>;

/** A theme with colours of its own. */
type ThemeName = Exclude<Settings["theme"], "system">;

/** Returns the custom properties of all blocks whose selector list ends with this selector, with those of `below`. */
function parseBlock(css: string, selector: string, below: ThemeColours = new Map()): ThemeColours {
  const start = css.indexOf(`\n${selector} {`);
  if (start < 0) return below;
  const block = css.slice(start, css.indexOf("\n}", start));
  return new Map([
    ...below,
    ...[...block.matchAll(/--([\w-]+): ([^;]+);/g)].map(([, name = "", value = ""]) => [name, value] as const),
  ]);
}

/** Linear red, green and blue, 0 to 1, and the opacity. */
interface LinearColour {
  readonly parts: readonly number[];
  readonly alpha: number;
}

const toLinear = (part: number): number => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
const toEncoded = (part: number): number => (part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055);

/**
 * Parses `#rrggbb`, `oklch(l c h)`, `oklch(l c h / a)`, a mix of two colours in sRGB, or the name of a colour, by the CSS
 * Color formulas.
 */
function parseColour(theme: ThemeColours, name: string): LinearColour {
  const value = theme.get(name) ?? name;
  const reference = /^var\(--([\w-]+)\)$/.exec(value)?.[1];
  if (reference !== undefined) return parseColour(theme, reference);
  const mix = /^color-mix\(in srgb, (.+) (\d+)%, (.+)\)$/.exec(value)?.slice(1);
  if (mix !== undefined) {
    const [above = "", share = "", below = ""] = mix;
    const half = { ...parseColour(theme, above), alpha: Number(share) / 100 };
    return { parts: blend(half, parseColour(theme, below).parts), alpha: 1 };
  }
  const hex = /^#([\da-f]{6})$/.exec(value)?.[1];
  if (hex !== undefined)
    return { parts: [0, 2, 4].map((at) => toLinear(Number.parseInt(hex.slice(at, at + 2), 16) / 255)), alpha: 1 };
  const numbers = /^oklch\(([\d.]+) ([\d.]+) ([\d.]+)(?: \/ ([\d.]+))?\)$/.exec(value)?.slice(1);
  if (numbers === undefined) throw new Error(`${name} is no colour`);
  const [light = 0, chroma = 0, degrees = 0, alpha = 1] = numbers.map((text) =>
    text === undefined ? 1 : Number(text),
  );
  const a = chroma * Math.cos((degrees * Math.PI) / 180);
  const b = chroma * Math.sin((degrees * Math.PI) / 180);
  const l = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (light - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const parts = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map((part) => Math.min(1, Math.max(0, part)));
  return { parts, alpha };
}

const luminance = ([red = 0, green = 0, blue = 0]: readonly number[]): number =>
  0.2126 * red + 0.7152 * green + 0.0722 * blue;

/** Draws one colour over another, as browsers do: in encoded sRGB. */
const blend = (above: LinearColour, below: readonly number[]): readonly number[] =>
  above.parts.map((part, index) =>
    toLinear(toEncoded(part) * above.alpha + toEncoded(below[index] ?? 0) * (1 - above.alpha)),
  );

/** Parses the colours of each theme from the text of globals.css, or of the terminal's sheet with its class as `suffix`. */
export function parseThemes(css: string, suffix = ""): Readonly<Record<ThemeName, ThemeColours>> {
  const light = parseBlock(css, suffix === "" ? '[data-theme^="light"]' : suffix.trim());
  const dark = parseBlock(css, `[data-theme^="dark"]${suffix}`, light);
  const theme = (name: ThemeName): ThemeColours =>
    parseBlock(css, `[data-theme="${name}"]${suffix}`, name.startsWith("dark") ? dark : light);
  return {
    light,
    dark,
    "light-contrast": theme("light-contrast"),
    "dark-contrast": theme("dark-contrast"),
    "light-warm": theme("light-warm"),
    "dark-blue": theme("dark-blue"),
  };
}

/** WCAG contrast of two opaque colours given by name or value, 1 to 21; `tints` are translucent colours over the second one. */
export function contrast(theme: ThemeColours, one: string, other: string, ...tints: readonly string[]): number {
  const ground = parseColour(theme, other).parts;
  const below = tints.reduce((parts, tint) => blend(parseColour(theme, tint), parts), ground);
  const pair = [luminance(parseColour(theme, one).parts), luminance(below)];
  const [less = 0, more = 0] = pair.toSorted((x, y) => x - y);
  return (more + 0.05) / (less + 0.05);
}
