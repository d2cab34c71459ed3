/** A program on a pseudo terminal. The native module is optional and loaded with the first terminal. */
import type { IPty } from "@lydell/node-pty";
import { fail, ok, type Result, thrownText } from "@/lib/events/error";
import { endRemainingProcesses, hasForegroundGroup, processStartTicks } from "@/server/workspace/shell/process-group";
import type { TerminalExit } from "@/lib/terminal/terminal";
import { isPtyMaster, makePtyInput, type PtyMaster } from "./pty-input";

interface PtyOptions {
  /** Absolute path of the shell. */
  readonly program: string;
  readonly arguments: readonly string[];
  /** Absolute folder. */
  readonly cwd: string;
  /** The whole environment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly columns: number;
  readonly rows: number;
  onOutput(text: string): void;
  /** Called once, after all output. */
  onExit(exit: TerminalExit): void;
}

export interface Pty {
  /** Returns false if the program does not read and too much is waiting. */
  write(text: string): boolean;
  resize(columns: number, rows: number): void;
  /** Whether a command of the shell runs in the foreground; false on systems without /proc. */
  hasForegroundCommand(): boolean;
  /** Stops reading its output; a program that writes waits. */
  pause(): void;
  resume(): void;
  /**
   * Hangs up, and ends with SIGTERM, `hangUpMs` later with SIGKILL, what is left of the session. Resolves when no process
   * of it is left.
   */
  close(): Promise<void>;
}

/** Time that shell and programs have to exit after the hang-up, ms. */
const hangUpMs = 1_000;

/** Fails with terminal_unavailable if the module cannot be loaded, with bad_shell if the program cannot start. */
export async function openPty(options: PtyOptions): Promise<Result<Pty>> {
  const { columns: cols, rows, cwd, program, environment } = options;
  let module: typeof import("@lydell/node-pty");
  try {
    module = await import("@lydell/node-pty");
  } catch (error) {
    return fail("terminal_unavailable", thrownText(error));
  }
  try {
    const spawnOptions = { name: "xterm-256color", cols, rows, cwd, env: environment };
    const child = module.spawn(program, [...options.arguments], spawnOptions);
    return isPtyMaster(child) ? ok(adaptPty(child, options)) : fail("terminal_unavailable", "no descriptor");
  } catch (error) {
    return fail("bad_shell", thrownText(error));
  }
}

function adaptPty(child: IPty & PtyMaster, options: PtyOptions): Pty {
  const input = makePtyInput(child);
  // Without a marker: a daemon that left the session, as a tmux server, was meant to survive.
  const group = { group: child.pid, marker: null, startTicks: processStartTicks(child.pid) };
  let hasExited = false;
  const exited = new Promise<void>((resolve) => {
    child.onExit(({ exitCode, signal = 0 }) => {
      hasExited = true;
      input.close();
      flush();
      options.onExit(signal === 0 ? { code: exitCode, signal: null } : { code: null, signal });
      resolve();
    });
  });
  // A program that prints fast is read in pieces of 4 KB, several of them in one turn of the event loop.
  let waiting = "";
  const flush = (): void => {
    const text = waiting;
    waiting = "";
    if (text !== "") options.onOutput(text);
  };
  child.onData((text) => {
    if (waiting === "") setImmediate(flush);
    waiting += text;
  });
  return {
    write: (text) => hasExited || input.write(text),
    resize(columns, rows) {
      if (hasExited) return;
      try {
        child.resize(columns, rows);
      } catch {
        // Its descriptor is closed a moment before the exit is reported.
      }
    },
    hasForegroundCommand: () => !hasExited && hasForegroundGroup(child.pid),
    pause: () => child.pause(),
    resume: () => child.resume(),
    async close() {
      if (!hasExited) child.kill("SIGHUP");
      child.resume();
      await endRemainingProcesses(group, hangUpMs);
      await exited;
    },
  };
}
