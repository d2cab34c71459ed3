/** Entry point of the program: parses the arguments, then prints, runs as a client, or serves. */
import { parseArguments } from "./cli/args";

export interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

/** Returns the exit code; undefined while a server runs. */
export async function main(argv: readonly string[], { env, cwd }: Surroundings): Promise<number | undefined> {
  const command = parseArguments(argv, env, cwd);
  switch (command.kind) {
    case "print":
      process.stdout.write(command.text);
      return command.code;
    case "usage":
      process.stderr.write(`${command.text}\n`);
      return command.code;
    case "run": {
      const { run } = await import("./cli/run");
      return run(command, env);
    }
    case "doctor": {
      const { doctor } = await import("./cli/doctor");
      return doctor(command);
    }
    case "serve": {
      const { serve } = await import("./serve");
      return serve(command, env);
    }
  }
}
