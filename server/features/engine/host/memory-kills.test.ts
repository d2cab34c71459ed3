import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { countMemoryKills } from "./memory-kills";

test.each<[string, Readonly<Record<string, string>>, number | null]>([
  [
    "a service",
    {
      "proc/self/cgroup": "0::/user.slice/gopi.service\n",
      "sys/fs/cgroup/user.slice/gopi.service/memory.events":
        "low 0\nhigh 2\nmax 7\noom 3\noom_kill 2\noom_group_kill 9\n",
    },
    2,
  ],
  ["a container", { "proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.events": "oom 0\noom_kill 0\n" }, 0],
  ["the root group, which has no such file", { "proc/self/cgroup": "0::/\n" }, null],
  [
    "groups of version 1",
    { "proc/self/cgroup": "4:memory:/a\n", "sys/fs/cgroup/a/memory.events": "oom_kill 1\n" },
    null,
  ],
  ["another system", {}, null],
])("the count of %s is read", async (_name, files, count) => {
  const root = mkdtempSync(join(tmpdir(), "gopi-kills-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  expect(await countMemoryKills(root)).toBe(count);
});
