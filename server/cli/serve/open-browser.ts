/** Opens the sign-in link in the user's browser. */
import { spawn } from "node:child_process";
import type { Environment } from "../arguments/options";

/** false in CI and on a Linux without a display. */
export function canOpenBrowser(environment: Environment, platform: NodeJS.Platform): boolean {
  if (environment.CI) return false;
  return platform !== "linux" || Boolean(environment.DISPLAY || environment.WAYLAND_DISPLAY);
}

/** The system's link opener and its arguments, to be started without a shell. */
export function linkOpener(platform: NodeJS.Platform): readonly [command: string, ...before: string[]] {
  if (platform === "darwin") return ["open"];
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  return ["xdg-open"];
}

/** Resolves when the opener was started: null, or a one-line error. Never waits for the browser. */
export function openBrowser(url: string, environment: Environment): Promise<string | null> {
  if (!canOpenBrowser(environment, process.platform)) return Promise.resolve(null);
  const [command, ...before] = linkOpener(process.platform);
  return new Promise((resolve) => {
    const child = spawn(command, [...before, url], { detached: true, stdio: "ignore" });
    child.once("error", ({ message }) => resolve(`No browser could be opened (${message}). Open the link yourself.`));
    child.once("spawn", () => {
      child.unref();
      resolve(null);
    });
  });
}
