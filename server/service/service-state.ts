/** Reads whether the user's service that starts the server is installed. */
import { existsSync } from "node:fs";
import type { ServiceState } from "@/lib/protocol/status-report";
import { findServiceManager } from "./service-manager";

/** Runs the service manager only if the file of the service is there. */
export async function readServiceState(
  environment: NodeJS.Dict<string>,
  signal: AbortSignal,
  platform: NodeJS.Platform = process.platform,
): Promise<ServiceState> {
  const manager = findServiceManager(environment, platform);
  if (manager === null) return { status: "unsupported" };
  const { file } = manager;
  if (!existsSync(file)) return { status: "not_installed" };
  return { status: (await manager.isRunning(signal)) ? "running" : "installed", file };
}
