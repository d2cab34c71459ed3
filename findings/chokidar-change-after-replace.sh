#!/bin/sh
# chokidar (tried: 5.0.0, on Linux): a file of a watched folder is replaced by a rename, as programs save files, and written again 20 ms later.
# Expected: an event for the second write, as for any change of a watched file.
# Seen: no event for it, at 3 to 40 ms after the rename; from 60 ms on there is one. The raw events of the folder have every write.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > /dev/null
npm install --silent --no-audit --no-fund chokidar@5.0.0 > /dev/null
mkdir watched
cat > run.mjs << 'EOF'
import { renameSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { watch } from "chokidar";

writeFileSync("watched/a.txt", "first");
const watcher = watch("watched", { depth: 0, ignoreInitial: true });
let [events, raw] = [0, 0];
watcher.on("all", () => (events += 1));
watcher.on("raw", (event, name) => (raw += event === "change" && name === "a.txt" ? 1 : 0));
await new Promise((resolve) => watcher.on("ready", resolve));
const writeAfter = async (pauseMs) => {
  writeFileSync("replacement", "second");
  renameSync("replacement", "watched/a.txt");
  await sleep(pauseMs);
  [events, raw] = [0, 0];
  writeFileSync("watched/a.txt", "third");
  await sleep(400);
  return { events: events > 0, raw: raw > 0 };
};
const counts = {};
for (const pauseMs of [20, 150]) {
  const rounds = [];
  for (let round = 0; round < 10; round += 1) rounds.push(await writeAfter(pauseMs));
  counts[pauseMs] = { events: rounds.filter((one) => one.events).length, raw: rounds.filter((one) => one.raw).length };
}
console.log("of 10 writes, by the pause in ms:", JSON.stringify(counts));
await watcher.close();
process.exitCode = counts[20].events < 5 && counts[20].raw === 10 && counts[150].events === 10 ? 0 : 1;
EOF
node run.mjs
