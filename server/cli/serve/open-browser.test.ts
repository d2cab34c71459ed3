import { describe, expect, test } from "vitest";
import { canOpenBrowser, linkOpener } from "./open-browser";
import type { Environment } from "../arguments/options";

describe("opening a browser", () => {
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
  test.each(cases)("with %j on %s: %s", (environment, platform, opens) => {
    expect(canOpenBrowser(environment, platform)).toBe(opens);
  });
  test("uses a system program, never a shell", () => {
    expect((["linux", "darwin", "win32"] as const).map((platform) => linkOpener(platform)[0])).toEqual([
      "xdg-open",
      "open",
      "rundll32",
    ]);
  });
});
