// One owner and many viewers of a share in a process of their own: prints as JSON how long after the owner each viewer had a
// word, and how long after the model the owner had it. Started by viewers.ts: node watchers.mjs '{"owner","bearer","link","sessionId","viewers"}'.
import { io } from "socket.io-client";

const { owner, bearer, link, sessionId, viewers, last } = JSON.parse(process.argv[2] ?? "{}");
const shared = new URL(link);
const epochMs = () => performance.timeOrigin + performance.now();
const stamp = /q(\d+)q(?=\s)/g;

/** When each word was whole at this socket. */
function follow(socket) {
  const seen = new Map();
  let rest = "";
  socket.on("events", (envelopes) => {
    const now = epochMs();
    for (const { event } of envelopes) {
      if (event.type !== "message_delta" || event.kind !== "text") continue;
      rest += event.text;
      for (const [, word] of rest.matchAll(stamp)) seen.set(word, now);
      rest = rest.slice(-40);
    }
  });
  return seen;
}

async function open(address, options) {
  const socket = io(address, { transports: ["websocket"], forceNew: true, reconnection: false, ...options });
  await new Promise((resolve, reject) => socket.once("connect", resolve).once("connect_error", reject));
  const seen = follow(socket);
  const answer = await socket.emitWithAck("call", "session.open", { sessionId });
  if (!answer.ok) throw new Error(JSON.stringify(answer));
  return { socket, seen };
}

const asOwner = await open(owner, { extraHeaders: { Authorization: `Bearer ${bearer}` } });
const watching = [];
for (let count = 0; count < viewers; count += 1) {
  const token = shared.hash.slice(1);
  watching.push(await open(shared.origin, { auth: { token }, extraHeaders: { Origin: shared.origin } }));
}
process.stdout.write("ready\n");
await new Promise((resolve) => {
  asOwner.socket.on("events", (envelopes) => {
    if (envelopes.some(({ event }) => event.type === "agent_end")) setTimeout(resolve, last);
  });
});
const ownerMs = [...asOwner.seen].map(([word, at]) => at - Number(word) / 10);
const lagsMs = watching.flatMap(({ seen }) =>
  [...seen].flatMap(([word, at]) => (asOwner.seen.has(word) ? [at - asOwner.seen.get(word)] : [])),
);
const words = asOwner.seen.size;
const missed = watching.filter(({ seen }) => seen.size < words).length;
process.stdout.write(`${JSON.stringify({ ownerMs, lagsMs, words, missed })}\n`, () => process.exit(0));
