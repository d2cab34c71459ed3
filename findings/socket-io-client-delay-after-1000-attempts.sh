#!/usr/bin/env bash
# socket.io-client 4.8.4 without a server, `reconnectionDelay` and `reconnectionDelayMax` of 20 ms, the default
# `randomizationFactor` of 0.5. The documentation describes a delay that grows with each attempt up to the maximum.
# Expected: each attempt waits 10 ms at least, however many have failed.
# Seen: from about the 1,020th failed attempt on, about half of all attempts follow without a delay. The exponential exceeds the
# largest number of JavaScript, and the random part subtracts infinity from infinity. `randomizationFactor: 0` avoids it.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"
npm install --silent --no-audit --no-fund socket.io-client@4.8.4
cat > attempts.mjs <<'SCRIPT'
import { io } from "socket.io-client";

const { io: manager } = io("http://127.0.0.1:9", { reconnectionDelay: 20, reconnectionDelayMax: 20 });
const early = [];
const late = [];
let failedAt = 0;
manager.on("reconnect_error", () => {
  failedAt = performance.now();
});
manager.on("reconnect_attempt", (attempt) => {
  const delay = performance.now() - failedAt;
  if (failedAt > 0 && attempt < 900) early.push(delay);
  if (attempt > 1_050) late.push(delay);
  if (attempt < 1_250) return;
  const share = (delays) => delays.filter((ms) => ms < 5).length / delays.length;
  console.log(`early without delay: ${share(early) < 0.05 ? "few" : "many"}; late: ${share(late) > 0.3 ? "many" : "few"}`);
  process.exit(0);
});
SCRIPT

seen=$(node attempts.mjs)
echo "$seen"
[ "$seen" = "early without delay: few; late: many" ]
