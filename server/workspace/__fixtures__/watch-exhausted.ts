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
    process.stdout.write(JSON.stringify({ fallbacks, change }));
    void watcher.dispose();
  },
});
await watcher.open(".");
writeFileSync(join(root, "late.txt"), "x");
