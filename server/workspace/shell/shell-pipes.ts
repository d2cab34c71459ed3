/**
 * Creates two named pipes for a shell call: one for its output, one for the state it leaves. Real pipes, because
 * Node's own are sockets, which `/dev/stdout` and `/dev/stderr` cannot open.
 */
import { closeSync, constants, openSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProcess } from "@/server/base/run-process";
import { temporaryPrefix } from "./cleanup-journal";
import { neverAborted } from "@/server/base/abort";

export interface ShellPipes {
  /** Ends when every process that can write has ended and releaseOutput was called. */
  readonly output: Socket;
  /** Descriptor for stdout and stderr of the shell. */
  readonly outputDescriptor: number;
  /** Closes the own write end; call when the shell has inherited it. */
  releaseOutput(): void;
  /** Ends after releaseState. */
  readonly state: Socket;
  readonly statePath: string;
  /** The folder of both pipes. */
  readonly folder: string;
  releaseState(): void;
  /** Deletes the pipes and closes the open descriptors. */
  dispose(): Promise<void>;
}

/**
 * Creates the pipes; `path` is the PATH for mkfifo. Throws an Error with the program's error output and then leaves nothing
 * behind.
 */
export async function makeShellPipes(path: string): Promise<ShellPipes> {
  const folder = await mkdtemp(join(tmpdir(), `${temporaryPrefix}shell-`));
  try {
    const names = [join(folder, "output"), join(folder, "state")] as const;
    const mkfifo = { program: "mkfifo", arguments: ["-m", "600", ...names], environment: { PATH: path } };
    const created = await runProcess(mkfifo, neverAborted);
    if (!created.ok) throw new Error(created.error.detail);
    if (created.value.exit !== 0) throw new Error(created.value.errorOutput);
    const output = openBothEnds(names[0]);
    const state = openBothEnds(names[1]);
    return {
      output: output.reader,
      outputDescriptor: output.writeEnd,
      releaseOutput: output.release,
      state: state.reader,
      statePath: names[1],
      folder,
      releaseState: state.release,
      async dispose() {
        for (const pipe of [output, state]) {
          pipe.release();
          pipe.reader.destroy();
        }
        await rm(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Opens both ends: a pipe without a writer would end before the first writer opens it. */
function openBothEnds(path: string): { readonly reader: Socket; readonly writeEnd: number; release(): void } {
  const readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writeEnd = openSync(path, constants.O_WRONLY);
  const reader = new Socket({ fd: readEnd, readable: true, writable: false });
  // A broken pipe counts as its end.
  reader.on("error", () => {});
  let isOpen = true;
  return {
    reader,
    writeEnd,
    release() {
      if (isOpen) closeSync(writeEnd);
      isOpen = false;
    },
  };
}
