/** Listens on a port that a configuration names for the return addresses of sign-ins, while one runs. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

/** A port that one sign-in uses. */
export interface CallbackPort {
  /** The port is closed after its last user; requests that are being answered end first. */
  release(): void;
}

export interface CallbackListener {
  /** Sign-ins share a port. Resolves with null if another program uses it. It is closed `ms` after the last call. */
  open(port: number, ms: number): Promise<CallbackPort | null>;
  closeAll(): void;
}

interface Listening {
  readonly server: Server;
  /** Resolves with false if the port is in use. */
  readonly ready: Promise<boolean>;
  readonly users: Set<CallbackPort>;
  timer: NodeJS.Timeout | undefined;
}

/** `receive` gets the target of a request, and returns the address that the browser is sent to. */
export function makeCallbackListener(receive: (target: string) => Promise<string>): CallbackListener {
  const ports = new Map<number, Listening>();

  async function answer(port: number, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const host = request.headers.host ?? "";
    const isReturn = request.method === "GET" && [`localhost:${port}`, `127.0.0.1:${port}`].includes(host);
    const headers = { "Cache-Control": "no-store", "Referrer-Policy": "no-referrer", Connection: "close" };
    if (!isReturn) return void response.writeHead(404, headers).end();
    response.writeHead(303, { ...headers, Location: await receive(request.url ?? "/") }).end();
  }

  function listen(port: number): Listening {
    const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
      answer(port, request, response).catch(() => response.destroy());
    });
    const ready = once(server, "listening").then(
      () => true,
      () => false,
    );
    server.listen(port, "127.0.0.1").unref();
    return { server, ready, users: new Set(), timer: undefined };
  }

  function close(port: number, { server, ready, timer }: Listening): void {
    if (ports.get(port)?.server === server) ports.delete(port);
    clearTimeout(timer);
    const end = (): void => {
      server.close();
      server.closeIdleConnections();
    };
    // At once, so that the port can be used again.
    if (server.listening) end();
    else void ready.then((isOpen) => (isOpen ? end() : undefined));
  }

  return {
    async open(port, ms) {
      const listening = ports.get(port) ?? listen(port);
      ports.set(port, listening);
      const { users } = listening;
      const user: CallbackPort = {
        release() {
          if (users.delete(user) && users.size === 0) close(port, listening);
        },
      };
      users.add(user);
      clearTimeout(listening.timer);
      listening.timer = setTimeout(() => close(port, listening), ms).unref();
      if (await listening.ready) return user;
      close(port, listening);
      return null;
    },
    closeAll() {
      for (const [port, listening] of [...ports]) close(port, listening);
    },
  };
}
