#!/usr/bin/env bash
# node:readline of Node 20.20.2 and 24.21.0: an entry of `history` with two lines, recalled with the arrow key and entered.
# Expected: both give the entry to the "line" event as it was set: the lines separated by a line feed.
# Seen: Node 20 does; Node 24, which edits several lines, gives them separated by a carriage return. A program that keeps messages
# of several lines in its history (a chat in a terminal) has to replace it, or the model gets one line with a control character.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"
cat > recall.mjs <<'SCRIPT'
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
const input = new PassThrough();
const lines = createInterface({ input, output: new PassThrough(), terminal: true, history: ["first\nsecond"] });
lines.on("line", (line) => {
  console.log(JSON.stringify(line));
  lines.close();
});
input.write("\u001b[A\r");
SCRIPT

# Prints the line that a version of Node, from npm's package, gives.
recalled() {
  npm install --silent --no-audit --no-fund --prefix "node-$1" "node@$1"
  "node-$1/node_modules/node/bin/node" recall.mjs
}

old=$(recalled 20.20.2)
new=$(recalled 24.21.0)
echo "Node 20.20.2: $old, Node 24.21.0: $new"
[ "$old" = '"first\nsecond"' ] && [ "$new" = '"first\rsecond"' ]
