/** Script for a user without rights: prints the result code of each attempt. */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hashOf } from "../../base/id";
import { modelPath } from "../../security/paths";
import { makeFiles } from "../files";

const policy = { root: process.argv[2] ?? "", protectedNames: [] };
const files = makeFiles(policy);
const seen = hashOf("old");

function path(text: string) {
  const minted = modelPath(text, "write", policy);
  if (!minted.ok) throw new Error(minted.error.code);
  return minted.value;
}

const attempts = {
  readUnreadable: await files.readText(path("unreadable.txt"), 100),
  writeLocked: await files.write(path("locked.txt"), "new", seen),
  writeInFolder: await files.write(path("folder/a.txt"), "new", seen),
  createInFolder: await files.write(path("folder/b/c.txt"), "new", null),
  moveFromFolder: await files.moveOut(path("folder/a.txt"), join(tmpdir(), `gopi-nobody-${process.pid}`)),
  createInRoot: await files.write(path("fresh.txt"), "new", null),
};
const codes = Object.entries(attempts).map(([name, result]) => [name, result.ok ? "ok" : result.error.code]);
process.stdout.write(JSON.stringify(Object.fromEntries(codes)));
