/** Child process for kill tests: runs the engine as gopi-web does, and reports each phase as one line on stdout. */
import { writeSync } from "node:fs";
import { makeCleanupJournal } from "@/server/workspace/shell/cleanup-journal";
import { makeLongRequest, makeTinyEngine, readEngineAnswer } from "../test-tiny-engine";

const report = (word: string): void => void writeSync(1, `${word}\n`);
const [home = "", program = ""] = process.argv.slice(2);

const engine = makeTinyEngine({ program, leftovers: makeCleanupJournal(home, () => false) });
report(engine.folder);
for (let number = 0; ; number += 1) {
  report("request");
  let parts = 0;
  const end = await readEngineAnswer(engine.provider, makeLongRequest(number), (part) => {
    parts += 1;
    report(part.type === "phase" ? part.phase : `${part.type} ${parts}`);
  });
  if (end?.type !== "finish") report(`failed ${JSON.stringify(end)}`);
  report("idle");
  // Every other time the next request loads the model again.
  if (number % 2 === 1) await engine.host.unload();
}
