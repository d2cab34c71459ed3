/** A client of the product over its socket, signed in with the token of its home. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { io, type Socket } from "socket.io-client";
import type { BenchProduct } from "./bench-product";

/** Resolves when the client is connected; the caller closes it. */
export async function connectSocket(product: BenchProduct, home: string): Promise<Socket> {
  const { token }: { token: string } = JSON.parse(readFileSync(join(home, "server.json"), "utf8"));
  const socket = io(`http://127.0.0.1:${product.port}`, {
    transports: ["websocket"],
    auth: { clientId: "benchclient" },
    extraHeaders: { host: `localhost:${product.port}`, authorization: `Bearer ${token}` },
  });
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("connect_error", reject);
  });
  return socket;
}
