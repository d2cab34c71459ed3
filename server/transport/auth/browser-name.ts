/**
 * Readable name of a browser from its User-Agent: "Firefox, Windows". For lists of devices and viewers; it proves
 * nothing.
 */

const browsers: readonly (readonly [RegExp, string])[] = [
  [/Edg(?:e|A|iOS)?\//, "Edge"],
  [/OPR\/|Opera/, "Opera"],
  [/SamsungBrowser\//, "Samsung Internet"],
  [/Firefox\/|FxiOS\//, "Firefox"],
  [/MicroMessenger\//, "WeChat"],
  [/Chrome\/|CriOS\/|Chromium\//, "Chrome"],
  [/Safari\//, "Safari"],
];
const systems: readonly (readonly [RegExp, string])[] = [
  [/Android/, "Android"],
  [/iPhone|iPod/, "iPhone"],
  [/iPad/, "iPad"],
  [/OpenHarmony|HarmonyOS/, "HarmonyOS"],
  [/Windows/, "Windows"],
  [/CrOS/, "ChromeOS"],
  [/Mac OS X|Macintosh/, "macOS"],
  [/Linux|X11/, "Linux"],
];

/** `userAgent` is the raw header; "" = nothing was recognized. */
export function browserName(userAgent: string | undefined): string {
  const nameIn = (table: typeof browsers): readonly string[] =>
    table
      .filter(([pattern]) => pattern.test(userAgent ?? ""))
      .slice(0, 1)
      .map(([, name]) => name);
  return [...nameIn(browsers), ...nameIn(systems)].join(", ");
}
