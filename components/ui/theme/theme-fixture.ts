/** Colours of the two themes parsed from globals.css, and their WCAG contrast. For tests. */
type ThemeColours = ReadonlyMap<string, string>;

/** Returns the custom properties of the globals.css block with this selector. */
function parseTheme(css: string, selector: string, below: ThemeColours = new Map()): ThemeColours {
  const start = css.indexOf(`\n${selector} {`);
  const block = css.slice(start, css.indexOf("\n}", start));
  return new Map([
    ...below,
    ...[...block.matchAll(/--([\w-]+): ([^;]+);/g)].map(([, name = "", value = ""]) => [name, value] as const),
  ]);
}

/** Relative luminance of an opaque oklch() colour, by the CSS Color and WCAG formulas. */
function luminance(theme: ThemeColours, name: string): number {
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

/** Parses both themes from the text of globals.css. */
export function parseThemes(css: string): { readonly light: ThemeColours; readonly dark: ThemeColours } {
  const light = parseTheme(css, ":root");
  return { light, dark: parseTheme(css, '[data-theme="dark"]', light) };
}

/** WCAG contrast of two opaque colours given by name, 1 to 21. */
export function contrast(theme: ThemeColours, one: string, other: string): number {
  const [less = 0, more = 0] = [luminance(theme, one), luminance(theme, other)].toSorted((x, y) => x - y);
  return (more + 0.05) / (less + 0.05);
}
