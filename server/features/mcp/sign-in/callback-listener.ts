/** Listens on a port that a configuration names for the return addresses of sign-ins, while one runs. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";

export interface CallbackListener {
  /** Resolves with false if the port is in use. It is closed after `ms`. */
  open(port: number, ms: number): Promise<boolean>;
  /** Requests that are being answered end first. */
  close(port: number): void;
  closeAll(): void;
}

/** `receive` gets the target of a request, and returns the address that the browser is sent to. */
export function makeCallbackListener(receive: (target: string) => Promise<string>): CallbackListener {
  const servers = new Map<number, { readonly server: Server; readonly timer: NodeJS.Timeout }>();

  function close(port: number): void {
    const opened = servers.get(port);
    if (opened === undefined) return;
    servers.delete(port);
    clearTimeout(opened.timer);
    opened.server.close();
    opened.server.closeIdleConnections();
  }

  return {
    async open(port, ms) {
      close(port);
      const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
        const answer = async (): Promise<void> => {
          const host = request.headers.host ?? "";
          const isReturn = request.method === "GET" && [`localhost:${port}`, `127.0.0.1:${port}`].includes(host);
          const headers = { "Cache-Control": "no-store", "Referrer-Policy": "no-referrer", Connection: "close" };
          if (!isReturn) return void response.writeHead(404, headers).end();
          response.writeHead(303, { ...headers, Location: await receive(request.url ?? "/") }).end();
        };
        answer().catch(() => response.destroy());
      });
      server.listen(port, "127.0.0.1");
      try {
        await once(server, "listening");
      } catch {
        return false;
      }
      servers.set(port, { server, timer: setTimeout(() => close(port), ms).unref() });
      server.unref();
      return true;
    },
    close,
    closeAll() {
      for (const port of [...servers.keys()]) close(port);
    },
  };
}
