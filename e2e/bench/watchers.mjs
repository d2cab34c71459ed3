// Runs many viewers of a share, or the owner, in a separate process: prints as JSON when each of them received each
// word, in ms since 1970. Bare WebSockets that read only the text of a packet, so that the clients' own cost stays
// small.
// Usage: node watchers.mjs '{"origin","headers","auth","sessionId","count","lastMs"}'.
import WebSocket from "ws";

const { origin, headers, auth, sessionId, count, lastMs } = JSON.parse(process.argv[2] ?? "{}");
const epochMs = () => performance.timeOrigin + performance.now();
const stamp = /q(\d+)q(?= )/g;
let ended = () => {};
const over = new Promise((resolve) => {
  ended = resolve;
});

/** Resolves when the session is open; `seen` is filled afterwards. */
function open(seen) {
  const socket = new WebSocket(`${origin.replace("http", "ws")}/socket.io/?EIO=4&transport=websocket`, { headers });
  let rest = "";
  return new Promise((resolve, reject) => {
    socket.on("error", reject);
    socket.on("message", (data) => {
      const now = epochMs();
      const packet = data.toString();
      if (packet.startsWith("42")) {
        rest += [...packet.matchAll(/"kind":"text","offset":\d+,"text":"([^"]*)"/g)].map(([, text]) => text).join("");
        for (const [, word] of rest.matchAll(stamp)) if (!seen.has(word)) seen.set(word, now);
        rest = rest.slice(-40);
        if (packet.includes('"type":"agent_end"')) ended();
      } else if (packet.startsWith("0")) socket.send(`40${JSON.stringify(auth)}`);
      else if (packet === "2") socket.send("3");
      else if (packet.startsWith("44")) reject(new Error(packet));
      else if (packet.startsWith("40")) socket.send(`420["call","session.open",${JSON.stringify({ sessionId })}]`);
      else if (packet.startsWith("430")) resolve();
    });
  });
}

const all = Array.from({ length: count }, () => new Map());
for (const seen of all) await open(seen);
process.stdout.write("ready\n");
await over;
setTimeout(() => {
  process.stdout.write(`${JSON.stringify(all.map((seen) => [...seen]))}\n`, () => process.exit(0));
}, lastMs);
