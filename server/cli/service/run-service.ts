/** `gopi-web serve --install` and `--uninstall`: writes and removes the user's service that starts the server. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { diffLines } from "@/lib/text/diff";
import { formatHunks } from "@/lib/text/format-hunks";
import type { AgentError } from "@/lib/events/error";
import { findServiceManager, type ServiceManager } from "@/server/service/service-manager";
import type { ServiceLaunch } from "@/server/service/service-text";
import { type Environment, printable } from "../arguments/options";
import type { ServiceArguments } from "../arguments/verb-arguments";
import { RunFailure } from "../cli-error-text";
import { discardTyped, readLine } from "../read-line";
import { findServerFile } from "../server-client";
import { runInterruptible } from "../server-job";
import { programPath } from "../start-server";

/** Exit code: 0 done, 1 error, also if a changed service is kept, 130 stopped. */
export const runService = (command: ServiceArguments, environment: Environment): Promise<number> =>
  runInterruptible(async (signal) => {
    const manager = findServiceManager(environment, process.platform);
    if (manager === null) throw new RunFailure(`this system has no systemd and no launchd; ${ownStartText(command)}`);
    return command.action === "install" ? install(manager, command, environment, signal) : uninstall(manager, signal);
  });

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const toLaunch = ({ parameters }: ServiceArguments, { PATH = "" }: Environment): ServiceLaunch => ({
  command: [process.execPath, programPath, "serve", ...parameters],
  path: PATH,
});

async function install(
  manager: ServiceManager,
  command: ServiceArguments,
  environment: Environment,
  signal: AbortSignal,
): Promise<number> {
  const checked = await manager.check(signal);
  if (!checked.ok) throw new RunFailure(`${managerErrorText(manager, checked.error)}; ${ownStartText(command)}`);
  const { file } = manager;
  const text = manager.text(toLaunch(command, environment));
  const before = existsSync(file) ? readFileSync(file, "utf8") : null;
  if (before !== null && before !== text && !(await confirmChange(file, before, text, command, signal))) return 1;
  const isRunning = before !== null && (await manager.isRunning(signal));
  if (before !== text) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { mode: 0o600 });
  }
  if (before !== text || !isRunning) {
    const started = await manager.start(signal);
    if (!started.ok) throw new RunFailure(managerErrorText(manager, started.error));
  }
  say(`${before === text ? "Installed already" : "Installed"}: ${printable(file)}`);
  for (const line of nextLines(manager, command, environment, isRunning)) say(line);
  return 0;
}

/** Returns the lines that the user needs about an installed service. */
function nextLines(
  { name }: ServiceManager,
  { home }: ServiceArguments,
  environment: Environment,
  wasRunning: boolean,
): readonly string[] {
  const other = wasRunning ? null : findServerFile(home);
  const unset = ["OLLAMA_HOST", "OPENAI_BASE_URL", "OPENAI_API_KEY", "OPENAI_API_KEY_FILE"].filter(
    (key) => environment[key],
  );
  return [
    other === null
      ? "The server runs now, and starts when you log in. For a sign-in link, run: gopi-web"
      : `Process ${other.pid} serves ${printable(home)} now; the service takes its place when it ends.`,
    ...(unset.length === 0
      ? []
      : [
          `It doesn't get ${unset.join(", ")} of this shell: set ollama.host with gopi-web config, or add a connection.`,
        ]),
    ...(name === "systemd" ? ["To run it also while you are not logged in: loginctl enable-linger"] : []),
    "To remove it: gopi-web serve --uninstall",
  ];
}

/** Shows what would change, and asks, unless --yes answers. */
async function confirmChange(
  file: string,
  before: string,
  text: string,
  { yes }: ServiceArguments,
  signal: AbortSignal,
): Promise<boolean> {
  say(`The service ${printable(file)} has another content:`);
  say(
    formatHunks(diffLines(before, text).hunks ?? [])
      .split("\n")
      .map(printable)
      .join("\n"),
  );
  if (yes) return true;
  if (!process.stdin.isTTY) {
    process.stderr.write("gopi-web: nothing was changed; to replace the service, pass --yes\n");
    return false;
  }
  await discardTyped();
  process.stdout.write("Replace it? [y/N] ");
  const reply = (await readLine(signal))?.trim().toLowerCase();
  if (reply === "y" || reply === "yes") return true;
  say("Nothing was changed.");
  return false;
}

async function uninstall(manager: ServiceManager, signal: AbortSignal): Promise<number> {
  const { file } = manager;
  if (!existsSync(file)) {
    say("No service is installed.");
    return 0;
  }
  const stopped = await manager.stop(signal);
  rmSync(file);
  await manager.forget(signal);
  say(`Removed: ${printable(file)}`);
  if (stopped.ok) return 0;
  throw new RunFailure(`it may still run: ${managerErrorText(manager, stopped.error)}`);
}

const managerErrorText = ({ name }: ServiceManager, { code, detail = "" }: AgentError): string =>
  code === "not_found" ? `${name} isn't installed here` : `${name} refused (${printable(detail)})`;

/** For another way to start the server with the machine. */
const ownStartText = (command: ServiceArguments): string =>
  `to start the server another way, have it run: ${[...toLaunch(command, {}).command].map(quoteShellWord).join(" ")}`;

const quoteShellWord = (word: string): string =>
  /^[\w./=:-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
