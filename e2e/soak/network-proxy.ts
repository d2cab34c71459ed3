/**
 * A TCP proxy in front of the server that can cut, freeze and throttle connections, like networks and sleeping tabs
 * do.
 */
import { connect, createServer, type Server, type Socket } from "node:net";
import { waitMs } from "./random";

interface ProxiedConnection {
  readonly client: Socket;
  readonly server: Socket;
}

export class NetworkProxy {
  /** Number of connections that were cut. */
  cuts = 0;
  #pairs = new Set<ProxiedConnection>();
  #isShut = false;
  #isFrozen = false;
  /** bytes per second; null = unlimited */
  #speed: number | null = null;
  readonly #listener: Server;

  private constructor(port: number) {
    this.#listener = createServer((client) => this.#accept(client, port));
  }

  /** Starts a proxy in front of a port of this machine. */
  static async open(port: number): Promise<NetworkProxy> {
    const proxy = new NetworkProxy(port);
    await new Promise<void>((resolve) => proxy.#listener.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  get address(): string {
    const address = this.#listener.address();
    return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  }

  /** Destroys every connection without a close frame, and refuses new ones for that time. */
  async cut(forMs: number): Promise<void> {
    this.#isShut = true;
    this.cuts += this.#pairs.size;
    for (const { client, server } of this.#pairs) {
      client.destroy();
      server.destroy();
    }
    this.#pairs.clear();
    await waitMs(forMs);
    this.#isShut = false;
  }

  /** Stops the client from reading; its connection stays open. */
  freeze(): void {
    this.#isFrozen = true;
    for (const { server } of this.#pairs) server.pause();
  }

  unfreeze(): void {
    this.#isFrozen = false;
    for (const { server } of this.#pairs) server.resume();
  }

  throttle(bytesPerSecond: number): void {
    this.#speed = bytesPerSecond;
  }

  close(): void {
    void this.cut(0);
    this.#listener.close();
  }

  #accept(client: Socket, port: number): void {
    client.on("error", () => {});
    if (this.#isShut) return void client.destroy();
    const server = connect(port, "127.0.0.1");
    server.on("error", () => {});
    const pair = { client, server };
    // A frozen client that reconnects still reads nothing.
    if (this.#isFrozen) server.pause();
    this.#pairs.add(pair);
    client.on("data", (bytes) => server.write(bytes));
    server.on("data", (bytes: Buffer) => this.#forward(bytes, pair));
    const end = (): void => {
      this.#pairs.delete(pair);
      client.destroy();
      server.destroy();
    };
    client.on("close", end);
    server.on("close", end);
  }

  #forward(bytes: Buffer, { client, server }: ProxiedConnection): void {
    client.write(bytes);
    if (this.#speed === null) return;
    server.pause();
    setTimeout(() => this.#isFrozen || server.resume(), (bytes.length * 1000) / this.#speed);
  }
}
