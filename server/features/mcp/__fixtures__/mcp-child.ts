/** Child process for kill tests: connects to a server as gopi-web does, and prints the ids of the processes. */
import { makeCleanupJournal } from "@/server/workspace/shell/cleanup-journal";
import { connectServer } from "../connection";
import { hostileServer } from "../test-mcp";

const [home = ""] = process.argv.slice(2);
const server = { ...hostileServer("escapes"), leftovers: makeCleanupJournal(home, () => false) };
const connected = await connectServer({ version: "0", server }, new AbortController().signal);
if (connected.ok) {
  const waitForChild = setInterval(() => {
    const child = /^child (\d+)$/.exec(connected.value.log()[0] ?? "")?.[1];
    if (child === undefined) return;
    clearInterval(waitForChild);
    process.stdout.write(`${connected.value.pid} ${child}\n`);
  }, 10);
}
