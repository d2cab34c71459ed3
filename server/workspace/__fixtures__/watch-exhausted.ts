/** Script for a system with almost no watches left: prints the number of fallbacks and the first reported change. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolderWatcher } from "../projects/watch";

const root = process.argv[2] ?? "";
let fallbacks = 0;
const watcher = makeFolderWatcher(root, {
  onFallback: () => {
    fallbacks += 1;
  },
  onChange: (change) => {
    clearInterval(writing);
    process.stdout.write(JSON.stringify({ fallbacks, change }));
    watcher.dispose();
  },
});
await watcher.open(".");
// Polling may start after the first write.
let count = 0;
const writing = setInterval(() => writeFileSync(join(root, "late.txt"), String(count++)), 100);
