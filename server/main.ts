/** Entry point of the program: parses the arguments, then prints, runs as a client, or serves. */
import { join } from "node:path";
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
    case "init": {
      const { runInit } = await import("./cli/init/run-init");
      return runInit(command, env);
    }
    case "service": {
      const { runService } = await import("./cli/service/run-service");
      return runService(command, env);
    }
    case "run": {
      const { runPrompt } = await import("./cli/run/run-prompt");
      return runPrompt(command, env);
    }
    case "chat": {
      const { runChat } = await import("./cli/chat/run-chat");
      return runChat(command, env);
    }
    case "doctor": {
      const { runDoctor } = await import("./cli/doctor/run-doctor");
      return runDoctor(command);
    }
    case "eval": {
      const { runEval } = await import("./cli/eval/run-eval");
      return runEval(command);
    }
    case "status": {
      const { runStatus } = await import("./cli/status/run-status");
      return runStatus(command, env);
    }
    case "get": {
      const { runGet } = await import("./cli/get/run-get");
      return runGet(command);
    }
    case "config": {
      const { runConfig } = await import("./cli/config/run-config");
      return runConfig(command);
    }
    case "export": {
      const { runExport } = await import("./cli/transfer/run-export");
      return runExport(command);
    }
    case "import": {
      const { runImport } = await import("./cli/transfer/run-import");
      return runImport(command);
    }
    case "serve": {
      const tour = command.demo ? await openTour() : null;
      if (command.demo && tour === null) return 1;
      const { serve } = await import("./serve");
      return tour === null ? serve(command, env) : serve({ ...command, ...tour.served }, { ...env, ...tour.added });
    }
  }
}

interface Tour {
  readonly served: Pick<ServeArguments, "home" | "folder">;
  /** Variables for its programs: the user's shell history has nothing of it. */
  readonly added: NodeJS.Dict<string>;
}

/** Creates the folder of the tour, which is deleted when this process exits. null = it cannot be created; reported. */
async function openTour(): Promise<Tour | null> {
  const { openTourFolder } = await import("./tour/tour-folder");
  const folder = await openTourFolder().catch((error: unknown) => String(error));
  if (typeof folder === "string") {
    process.stderr.write(
      `gopi-web: Couldn't create the tour's project: ${folder}. Set TMPDIR to a folder that you can write to.\n`,
    );
    return null;
  }
  const { home, project, remove } = folder;
  process.on("exit", () => {
    remove();
    process.stderr.write("The tour's project is deleted. Start gopi-web without --demo to work with a model.\n");
  });
  process.stderr.write(
    `A tour: the answers are written in advance, everything else is real.\n  Its project: ${project}\n  It is deleted when you stop the tour with Ctrl+C; copy what you want to keep.\n`,
  );
  return { served: { home, folder: project }, added: { HISTFILE: join(home, "shell-history") } };
}
