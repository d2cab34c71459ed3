/**
 * Script for a user without rights: prints the result code of each attempt.
 * Root gives its rights up once the modules are loaded: an unprivileged user
 * need not be able to reach this Node or this checkout.
 */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { computeHash } from "@/server/base/id";
import { modelPath } from "@/server/security/paths/safe-path";
import { makeFiles } from "../files/files";

if (process.getuid?.() === 0) {
  process.setgroups?.([]);
  process.setgid?.(65534);
  process.setuid?.(65534);
}

const policy = { root: process.argv[2] ?? "", protectedNames: [] };
const files = makeFiles(policy);
const oldHash = computeHash("old");

function writePath(text: string) {
  const minted = modelPath(text, "write", policy);
  if (!minted.ok) throw new Error(minted.error.code);
  return minted.value;
}

const attempts = {
  readUnreadable: await files.readText(writePath("unreadable.txt"), 100),
  writeLocked: await files.write(writePath("locked.txt"), "new", oldHash),
  writeInFolder: await files.write(writePath("folder/a.txt"), "new", oldHash),
  createInFolder: await files.write(writePath("folder/b/c.txt"), "new", null),
  moveFromFolder: await files.moveOut(writePath("folder/a.txt"), join(tmpdir(), `gopi-nobody-${process.pid}`)),
  createInRoot: await files.write(writePath("fresh.txt"), "new", null),
};
const resultCodes = Object.entries(attempts).map(([name, result]) => [name, result.ok ? "ok" : result.error.code]);
process.stdout.write(JSON.stringify(Object.fromEntries(resultCodes)));
