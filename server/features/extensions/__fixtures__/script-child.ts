/** Child process for the kill test: starts a script as gopi-web does, which prints the ids of its processes. */
import { makeCleanupJournal } from "@/server/workspace/shell/cleanup-journal";
import { startScript } from "../run-script";

const [home = "", folder = "", file = ""] = process.argv.slice(2);
const streams = {
  onOutput: (chunk: Buffer) => void process.stdout.write(chunk),
  onErrorOutput: (text: string) => void process.stderr.write(text),
};
const start = {
  run: { file, arguments: [] },
  folder,
  copy: { folder, remove: () => Promise.resolve() },
  cwd: folder,
  environment: { PATH: process.env.PATH ?? "" },
  leftovers: makeCleanupJournal(home, () => false),
};
await startScript(start, { ...streams, input: "{}\n" }, new AbortController().signal);
