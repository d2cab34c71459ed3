/** The service managers of a user: systemd on Linux, launchd on macOS. */
import { join } from "node:path";
import { fail, ok, type Result } from "@/lib/events/error";
import { runProcess } from "@/server/base/run-process";
import { launchdAgent, serviceName, systemdUnit, type ServiceLaunch } from "./service-text";

export interface ServiceManager {
  readonly name: "systemd" | "launchd";
  /** Absolute path of the file that describes the service. */
  readonly file: string;
  text(launch: ServiceLaunch): string;
  /** Fails with not_found if there is no such manager here, and with tool_failed if it does not work for this user. */
  check(signal: AbortSignal): Promise<Result<null>>;
  isRunning(signal: AbortSignal): Promise<boolean>;
  /** Starts what the file describes, now and with each login; ends what ran before. Fails as `check`. */
  start(signal: AbortSignal): Promise<Result<null>>;
  /** Ends it, also for the next logins; the file is removed afterwards. Fails as `check`. */
  stop(signal: AbortSignal): Promise<Result<null>>;
  /** Called after the file was removed. */
  forget(signal: AbortSignal): Promise<void>;
}

type Environment = NodeJS.Dict<string>;

/** null = this system has none that is supported. */
export function findServiceManager(environment: Environment, platform: NodeJS.Platform): ServiceManager | null {
  const home = environment.HOME ?? "";
  if (home === "") return null;
  if (platform === "linux") return makeSystemd(environment, home);
  return platform === "darwin" ? makeLaunchd(environment, home) : null;
}

function makeSystemd(environment: Environment, home: string): ServiceManager {
  const unit = `${serviceName}.service`;
  const control = (signal: AbortSignal, ...words: readonly string[]) =>
    runManager(environment, "systemctl", ["--user", ...words], signal);
  return {
    name: "systemd",
    file: join(home, ".config", "systemd", "user", unit),
    text: systemdUnit,
    check: async (signal) => toNull(await control(signal, "show", "--property=Version")),
    isRunning: async (signal) => (await control(signal, "is-active", "--quiet", unit)).ok,
    async start(signal) {
      const reloaded = await control(signal, "daemon-reload");
      const enabled = reloaded.ok ? await control(signal, "enable", "--now", unit) : reloaded;
      // A service that runs is not started again by `enable`.
      return toNull(enabled.ok ? await control(signal, "restart", unit) : enabled);
    },
    stop: async (signal) => toNull(await control(signal, "disable", "--now", unit)),
    async forget(signal) {
      await control(signal, "daemon-reload");
    },
  };
}

function makeLaunchd(environment: Environment, home: string): ServiceManager {
  const domain = `gui/${process.getuid?.() ?? 0}`;
  const file = join(home, "Library", "LaunchAgents", `${serviceName}.plist`);
  const control = (signal: AbortSignal, ...words: readonly string[]) =>
    runManager(environment, "launchctl", words, signal);
  const isLoaded = async (signal: AbortSignal): Promise<Result<string>> =>
    control(signal, "print", `${domain}/${serviceName}`);
  const stop = async (signal: AbortSignal): Promise<Result<null>> =>
    (await isLoaded(signal)).ok ? toNull(await control(signal, "bootout", `${domain}/${serviceName}`)) : ok(null);
  return {
    name: "launchd",
    file,
    text: launchdAgent,
    check: async (signal) => toNull(await control(signal, "print", domain)),
    isRunning: async (signal) => {
      const printed = await isLoaded(signal);
      return printed.ok && printed.value.includes("state = running");
    },
    async start(signal) {
      const stopped = await stop(signal);
      return stopped.ok ? toNull(await control(signal, "bootstrap", domain, file)) : stopped;
    },
    stop,
    forget: () => Promise.resolve(),
  };
}

const managerMs = 60_000;
const maxOutputBytes = 1_000_000;

/** Runs a command of the manager; returns its output. Fails with not_found, and with tool_failed and what it printed. */
async function runManager(
  environment: Environment,
  program: string,
  words: readonly string[],
  signal: AbortSignal,
): Promise<Result<string>> {
  let output = "";
  const onOutput = (chunk: Buffer): "more" => {
    output += chunk.toString();
    return "more";
  };
  const options = { program, arguments: words, environment, timeoutMs: managerMs, maxBytes: maxOutputBytes, onOutput };
  const ended = await runProcess(options, signal);
  signal.throwIfAborted();
  if (!ended.ok) return ended;
  if (ended.value.exit === 0) return ok(output);
  return fail("tool_failed", ended.value.errorOutput.trim() || `${program} ${words.join(" ")}`);
}

const toNull = (result: Result<string>): Result<null> => (result.ok ? ok(null) : result);
