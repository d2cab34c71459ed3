/**
 * Script for a system with almost no watches left: prints what a client that shows a project is sent, before and
 * after the system has watches again.
 */
import { readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { asId, type ClientId, type ProjectId } from "@/lib/events/id";
import type { PushOf } from "@/lib/protocol/topics";
import { makeProjects } from "../projects/projects";

const root = process.argv[2] ?? "";
const row = { id: asId<ProjectId>("p"), path: root, name: "p", openedAt: 0 };
const pushes: PushOf<"files">[] = [];
let writing: NodeJS.Timeout | undefined;
let count = 0;
let isFreed = false;
let isPrinted = false;
const projects = makeProjects({
  record: () => row,
  find: () => row,
  protectedNames: () => [],
  push(push) {
    if (push.type !== "files") return;
    pushes.push(push);
    // The fallback is reported first. The file changes until polling, which starts later, finds it.
    if (pushes.length === 1) writing = setInterval(() => writeFileSync(join(root, "late.txt"), String(count++)), 100);
    if (push.paths.includes("late.txt") && !isFreed) void watchAgain();
    if (!push.paths.includes("again.txt") || isPrinted) return;
    isPrinted = true;
    clearInterval(writing);
    // The last write of the other file may have come after polling reported it.
    const paths = push.paths.filter((path) => path !== "late.txt");
    const printed = [...pushes.slice(0, 2), { ...push, paths }];
    process.stdout.write(JSON.stringify(printed.map(({ paths: names, isPolled }) => ({ paths: names, isPolled }))));
    projects.dispose();
  },
});
const client = asId<ClientId>("c");
const opened = await projects.open(root);

async function watchAgain(): Promise<void> {
  isFreed = true;
  clearInterval(writing);
  writeFileSync("/proc/sys/user/max_inotify_watches", "1000");
  if (!opened.ok) return;
  opened.value.watch(client, []);
  await opened.value.view();
  opened.value.watch(client, [""]);
  writing = setInterval(() => writeFileSync(join(root, "again.txt"), String(count++)), 100);
}

// Nothing changed before the folder is watched.
for (const path of [root, ...readdirSync(root).map((name) => join(root, name))]) utimesSync(path, 1, 1);
if (opened.ok) opened.value.watch(client, [""]);
