/** `gopi-web init`: sets up a model and a folder by questions in a terminal. A client of the home's server, whose commands it calls. */
import type { ClientId } from "@/lib/events/id";
import { randomId } from "@/server/base/id";
import { type Environment, printable } from "../arguments/options";
import type { InitArguments } from "../arguments/verb-arguments";
import { RunFailure } from "../cli-error-text";
import { testModel } from "../doctor/run-doctor";
import { resolveTestedModel } from "../resolve-model";
import { abortedExitCode, callOrThrow, runInterruptible } from "../server-job";
import { openLink } from "../session-link";
import { findOrStartServer } from "../start-server";
import { chooseChannel } from "./channel-step";
import { chooseDefaultModel } from "./model-step";
import { chooseServer } from "./server-step";
import { PushWaiter, type Setup } from "./setup";
import { SetupLeft, SetupTerminal } from "./setup-terminal";
import type { TrustFinding } from "@/lib/permissions/guard";

const findingTexts: Readonly<Record<TrustFinding["kind"], string>> = {
  git_program: "a git setting that starts a program",
  git_hook: "a git hook, which runs by itself",
  hook_manager: "programs that run on commit",
  extensions: "scripts that can be enabled as extensions",
  mcp: "tools that run as programs",
  editor: "editor settings that start programs",
  instructions: "instructions for agents",
};

/** Step of `gopi-web init`: trust in the folder, with what it would switch on. */
async function chooseTrust({ call, terminal, command }: Setup): Promise<void> {
  const { project, trusted, findings } = await call("project.open", { path: command.cwd });
  const folder = printable(project.path);
  if (trusted) return terminal.say(`${folder} is trusted. To end that: Settings > Permissions.`);
  terminal.say(`${folder} is not trusted. Trust turns on git in it and makes Full access available.`);
  if (findings.length > 0) terminal.say("It has files that start programs or instruct agents:");
  for (const { kind, path, detail } of findings)
    terminal.say(
      `  ${printable(path)}: ${findingTexts[kind]}${detail === undefined ? "" : ` (${printable(detail)})`}`,
      "    ",
    );
  if (!(await terminal.confirm("Trust this folder? Only if you know where it came from."))) return;
  await call("project.trust", { projectId: project.id, trusted: true });
  terminal.say("The folder is trusted.");
}

/** Exit code: 0 done, also when left by Ctrl+D; 1 error, 2 no terminal, 130 left by Ctrl+C. */
export async function runInit(command: InitArguments, environment: Environment): Promise<number> {
  const { stdin, stdout } = process;
  if (!stdin.isTTY || !stdout.isTTY) {
    process.stderr.write(`gopi-web: ${withoutTerminalText}\n`);
    return 2;
  }
  return runInterruptible(async (signal, leave) => {
    const terminal = new SetupTerminal(stdout, environment.TERM !== "dumb", signal);
    try {
      await setUp(command, terminal, signal, leave);
      terminal.say(nextText, nextIndent);
      return 0;
    } catch (error) {
      const isLeft = error instanceof SetupLeft;
      if (!isLeft && !signal.aborted) throw error;
      terminal.say("\nLeft. What you have chosen is kept; go on at any time with: gopi-web init");
      return isLeft ? 0 : abortedExitCode;
    }
  });
}

const withoutTerminalText =
  "init asks its questions in a terminal. Without one, set what it asks for: the model server with gopi-web config set ollama.host ADDRESS or the variable OPENAI_BASE_URL, its model with gopi-web config set ollama.model NAME or --model NAME, and test it with gopi-web doctor";

/** Indent of the texts beside the commands. */
const nextIndent = " ".repeat(19);
const nextText = `
Done. Next:
  gopi-web         open this folder in the browser
  gopi-web chat    talk to the model here
  gopi-web status  see whether all is well
  gopi-web init    change any of this`;

const steps: readonly { readonly title: string; readonly work: (setup: Setup) => Promise<void> }[] = [
  { title: "Model server", work: chooseServer },
  { title: "Model", work: chooseDefaultModel },
  { title: "Test", work: offerTest },
  { title: "Folder", work: chooseTrust },
  { title: "Telegram", work: chooseChannel },
];

async function setUp(
  command: InitArguments,
  terminal: SetupTerminal,
  signal: AbortSignal,
  leave: AbortSignal,
): Promise<void> {
  terminal.say("Sets up gopi-web. Enter skips a question, Ctrl+C leaves; what you have chosen is kept.");
  const server = await findOrStartServer(command.home, command.cwd, signal);
  const pushes = new PushWaiter();
  const listeners = { onEvents: () => {}, onResync: () => {}, onPush: pushes.onPush };
  const link = await openLink(server, randomId<ClientId>("init"), listeners, leave);
  const setup: Setup = {
    ...{ command, terminal, link, pushes, signal, leave },
    call: (name, input) => callOrThrow(link, name, input),
  };
  try {
    for (const [index, { title, work }] of steps.entries()) {
      terminal.say(`\n${index + 1} of ${steps.length}: ${title}`);
      await work(setup).catch((error: unknown) => {
        if (!(error instanceof RunFailure) || signal.aborted) throw error;
        terminal.say(`Skipped: ${error.message}`);
      });
    }
  } finally {
    link.close();
  }
}

async function offerTest({ command, terminal, link, signal, leave }: Setup): Promise<void> {
  const { name } = await resolveTestedModel(link, null);
  if (!(await terminal.confirm(`Test ${printable(name)} now? It takes about a minute.`))) return;
  await testModel({ ...command, model: null, json: false }, signal, leave);
  signal.throwIfAborted();
}
