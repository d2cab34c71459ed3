/** A TCP door in front of the server that can be slammed, jammed and narrowed: how networks and sleeping tabs treat a connection. Used by the soak. */
import { connect, createServer, type Server, type Socket } from "node:net";
import { passing } from "./random";

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
}

export class NetworkDoor {
  /** Connections that were cut. */
  cuts = 0;
  #pairs = new Set<Pair>();
  #isShut = false;
  #isFrozen = false;
  /** bytes a second; null = as fast as it goes */
  #speed: number | null = null;
  readonly #listener: Server;

  private constructor(port: number) {
    this.#listener = createServer((client) => this.#letIn(client, port));
  }

  /** In front of that port of this machine. */
  static async open(port: number): Promise<NetworkDoor> {
    const door = new NetworkDoor(port);
    await new Promise<void>((resolve) => door.#listener.listen(0, "127.0.0.1", resolve));
    return door;
  }

  get address(): string {
    const at = this.#listener.address();
    return `http://127.0.0.1:${typeof at === "object" && at !== null ? at.port : 0}`;
  }

  /** Breaks every connection without a word, and lets nobody in until then. */
  async cut(forMs: number): Promise<void> {
    this.#isShut = true;
    this.cuts += this.#pairs.size;
    for (const { client, server } of this.#pairs) {
      client.destroy();
      server.destroy();
    }
    this.#pairs.clear();
    await passing(forMs);
    this.#isShut = false;
  }

  /** The client reads nothing more, its connection stands. */
  freeze(): void {
    this.#isFrozen = true;
    for (const { server } of this.#pairs) server.pause();
  }

  thaw(): void {
    this.#isFrozen = false;
    for (const { server } of this.#pairs) server.resume();
  }

  narrow(bytesPerSecond: number): void {
    this.#speed = bytesPerSecond;
  }

  close(): void {
    void this.cut(0);
    this.#listener.close();
  }

  #letIn(client: Socket, port: number): void {
    client.on("error", () => {});
    if (this.#isShut) return void client.destroy();
    const server = connect(port, "127.0.0.1");
    server.on("error", () => {});
    const pair = { client, server };
    // A frozen client that comes back reads no more than before.
    if (this.#isFrozen) server.pause();
    this.#pairs.add(pair);
    client.on("data", (bytes) => server.write(bytes));
    server.on("data", (bytes: Buffer) => this.#passOn(bytes, pair));
    const end = (): void => {
      this.#pairs.delete(pair);
      client.destroy();
      server.destroy();
    };
    client.on("close", end);
    server.on("close", end);
  }

  #passOn(bytes: Buffer, { client, server }: Pair): void {
    client.write(bytes);
    if (this.#speed === null) return;
    server.pause();
    setTimeout(() => this.#isFrozen || server.resume(), (bytes.length * 1000) / this.#speed);
  }
}
