/** Entry point of the program: parses the arguments, then prints, runs as a client, or serves. */
import { type ServeArguments, parseArguments } from "./cli/arguments/parse-arguments";

interface ProcessContext {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

/** Returns the exit code; undefined while a server runs. */
export async function main(argv: readonly string[], { env, cwd }: ProcessContext): Promise<number | undefined> {
  const command = parseArguments(argv, env, cwd);
  switch (command.kind) {
    case "print":
      process.stdout.write(command.text);
      return command.code;
    case "usage":
      process.stderr.write(`${command.text}\n`);
      return command.code;
    case "run": {
      const { runPrompt } = await import("./cli/run/run-prompt");
      return runPrompt(command, env);
    }
    case "doctor": {
      const { runDoctor } = await import("./cli/doctor/run-doctor");
      return runDoctor(command);
    }
    case "eval": {
      const { runEval } = await import("./cli/eval/run-eval");
      return runEval(command);
    }
    case "serve": {
      const { serve } = await import("./serve");
      return serve(command.demo ? await openTour(command) : command, env);
    }
  }
}

/** Creates the folder of the tour, which is deleted when this process exits. */
async function openTour(command: ServeArguments): Promise<ServeArguments> {
  const { makeTourFolder, removeDeadTours } = await import("./tour/tour-folder");
  await removeDeadTours();
  const { home, project, remove } = makeTourFolder();
  process.on("exit", remove);
  process.stderr.write(
    `A tour: the answers are written in advance, everything else is real.\n  Its project: ${project}\n  It is deleted when you stop the tour with Ctrl+C; copy what you want to keep.\n`,
  );
  return { ...command, home, folder: project };
}
