import { describe, expect, test } from "vitest";
import { canOpenBrowser, openerOf } from "./open-browser";
import type { Environment } from "./options";

describe("a browser is opened only where somebody sees it", () => {
  const cases: readonly [environment: Environment, platform: NodeJS.Platform, opens: boolean][] = [
    [{ DISPLAY: ":0" }, "linux", true],
    [{ WAYLAND_DISPLAY: "wayland-0" }, "linux", true],
    [{}, "linux", false],
    [{ DISPLAY: "" }, "linux", false],
    [{ DISPLAY: ":0", CI: "true" }, "linux", false],
    [{}, "darwin", true],
    [{ CI: "1" }, "darwin", false],
    [{}, "win32", true],
  ];
  test.each(cases)("%j on %s: %s", (environment, platform, opens) => {
    expect(canOpenBrowser(environment, platform)).toBe(opens);
  });
  test("by a program of the system, never by a shell", () => {
    expect((["linux", "darwin", "win32"] as const).map((platform) => openerOf(platform)[0])).toEqual([
      "xdg-open",
      "open",
      "rundll32",
    ]);
  });
});
