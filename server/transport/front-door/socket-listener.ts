/** Listens on a Unix socket that only programs of this user can connect to. */
import { lstatSync, mkdirSync, realpathSync, rmSync, statSync } from "node:fs";
import type { Server as HttpServer } from "node:http";
import { connect, createServer, type Server, type Socket } from "node:net";
import { basename, dirname, join } from "node:path";
import { errnoName } from "@/server/base/system-errors";

interface SocketListener {
  /** Whether a connection was made to this socket. */
  has(socket: Pick<Socket, "localAddress">): boolean;
  /**
   * Listens for `http` until it closes; creates the folder. A socket that a killed server left is replaced. false = it cannot;
   * logged.
   */
  listen(http: HttpServer): Promise<boolean>;
}

/** `path` is absolute. */
export function makeSocketListener(path: string, log: (line: string) => void): SocketListener {
  const connections = new WeakSet<object>();
  return {
    has: (socket) => connections.has(socket),
    async listen(http) {
      const listener = createServer((socket) => {
        connections.add(socket);
        http.emit("connection", socket);
      });
      const problem = await listenAt(listener, path);
      if (problem !== null) log(`Can't listen on ${path}: ${problem}.`);
      http.once("close", () => listener.close());
      return problem === null;
    },
  };
}

/** Bits of the mode of a folder. */
const othersWrite = 0o022;
const sticky = 0o1000;

/** Returns why it does not listen, with the next step; null = it does. */
async function listenAt(listener: Server, path: string): Promise<string | null> {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const folder = realpathSync(dirname(path));
    if (mayOthersReplace(folder))
      return `other users can write to ${folder} or to a folder above it. Choose a path in a folder of your own, such as one with mode 0700`;
    const place = join(folder, basename(path));
    const found = lstatSync(place, { throwIfNoEntry: false });
    if (found?.isSocket() === false) return "there is a file of this name. Choose another name, or remove it";
    if (found !== undefined && (await isListening(place)))
      return "another program listens there. Stop it, or choose another path";
    rmSync(place, { force: true });
    await listenPrivately(listener, place);
    return null;
  } catch (error) {
    return `its folder can't be used (${errnoName(error)}). Choose a path in a folder of your own`;
  }
}

/** Whether another user may put something in the place of a file in this folder. */
function mayOthersReplace(folder: string, isAbove = false): boolean {
  const { mode, uid } = statSync(folder);
  if (uid !== 0 && uid !== process.getuid?.()) return true;
  // In a folder with the sticky bit, such as /tmp, others cannot replace a folder of this user.
  const isOpen = (mode & othersWrite) !== 0 && !(isAbove && (mode & sticky) !== 0);
  return isOpen || (folder !== dirname(folder) && mayOthersReplace(dirname(folder), true));
}

const isListening = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = connect(path);
    const end = (isOpen: boolean): void => {
      probe.destroy();
      resolve(isOpen);
    };
    probe.once("connect", () => end(true));
    // Nothing listens at a socket that refuses; one whose program accepts nothing now reports that it is busy.
    probe.once("error", (error) => end(!["ECONNREFUSED", "ENOENT"].includes(errnoName(error))));
  });

/** The socket has its mode from the first moment: it is created within the call. */
function listenPrivately(listener: Server, path: string): Promise<void> {
  const before = process.umask(0o177);
  try {
    return new Promise((resolve, reject) => {
      listener.once("error", reject);
      listener.listen(path, resolve);
    });
  } finally {
    process.umask(before);
  }
}
