/**
 * Input of a pseudo terminal, written without blocking. node-pty writes through a tty stream, for which libuv blocks the
 * process until the program has read everything.
 */
import { writeSync } from "node:fs";

/** Time after which a full buffer of the kernel is tried again, ms. */
const retryMs = 10;
/** Input that waits for the program to read, bytes. */
const maxWaitingBytes = 4_194_304;

export interface PtyMaster {
  /** Descriptor of the master, in non-blocking mode. */
  readonly fd: number;
  readonly _socket: { readonly destroyed: boolean };
}

/** The types of node-pty do not have these members. */
export const isPtyMaster = (child: object): child is PtyMaster =>
  "fd" in child &&
  typeof child.fd === "number" &&
  "_socket" in child &&
  typeof child._socket === "object" &&
  child._socket !== null &&
  "destroyed" in child._socket;

interface PtyInput {
  /** Returns false if too much is waiting already; then nothing of the text is written. */
  write(text: string): boolean;
  /** Discards what waits. */
  close(): void;
}

export function makePtyInput(master: PtyMaster): PtyInput {
  let waiting = Buffer.alloc(0);
  let timer: NodeJS.Timeout | undefined;
  const writeWaiting = (): void => {
    timer = undefined;
    try {
      // The descriptor is closed, and may be that of another file, once its stream is destroyed.
      while (waiting.length > 0 && !master._socket.destroyed) waiting = waiting.subarray(writeSync(master.fd, waiting));
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "EAGAIN")
        timer = setTimeout(writeWaiting, retryMs);
      // The program has closed its terminal: its exit follows.
      else waiting = Buffer.alloc(0);
    }
  };
  return {
    write(text) {
      const bytes = Buffer.from(text);
      if (waiting.length + bytes.length > maxWaitingBytes) return false;
      waiting = Buffer.concat([waiting, bytes]);
      if (timer === undefined) writeWaiting();
      return true;
    },
    close() {
      clearTimeout(timer);
      waiting = Buffer.alloc(0);
    },
  };
}
