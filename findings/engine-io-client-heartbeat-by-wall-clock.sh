#!/usr/bin/env bash
# socket.io 4.8.4 and socket.io-client 4.8.4 over WebSocket, pingInterval 15 s and pingTimeout 20 s. The documentation describes a
# connection that ends when no ping of the server arrived within 35 s.
# Expected: a connection whose pings arrive stays open while the clock of the client is set forward, as by NTP after a sleep of a
# virtual machine.
# Seen: the next message that the client sends closes it with "ping timeout". The limit is compared with Date.now(), not with the
# time that passed. A step of 31 s is enough if the last ping was more than 4 s ago.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"
npm install --silent --no-audit --no-fund socket.io@4.8.4 socket.io-client@4.8.4
cat > clock.mjs <<'SCRIPT'
import { createServer } from "node:http";
import { Server } from "socket.io";
import { io } from "socket.io-client";

const http = createServer();
const server = new Server(http, { pingInterval: 15_000, pingTimeout: 20_000 });
server.on("connection", (socket) => socket.on("question", (answer) => answer()));
await new Promise((resolve) => http.listen(0, "127.0.0.1", resolve));
const client = io(`http://127.0.0.1:${http.address().port}`, { transports: ["websocket"], reconnection: false });
await new Promise((resolve) => client.once("connect", resolve));
const ask = () =>
  new Promise((resolve) => {
    client.once("disconnect", resolve);
    client.emit("question", () => resolve("answered"));
  });
const before = await ask();
const { now } = Date;
Date.now = () => now() + 36_000;
console.log(`before: ${before}; after: ${await ask()}`);
process.exit(0);
SCRIPT

seen=$(node clock.mjs)
echo "$seen"
[ "$seen" = "before: answered; after: ping timeout" ]
