#!/usr/bin/env node
// The command `gopi-web`: refuses a Node that cannot run it, then hands its arguments to the built server; no logic.
import * as module from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";
import { nodeVersionProblem } from "./node-version.mjs";

const problem = nodeVersionProblem(process.versions);
if (problem) {
  console.error(problem);
  process.exit(1);
}

// Node 22.1+ keeps compiled code there, by its own and the file's version; it never fails and is safe to delete.
module.enableCompileCache?.(join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "gopi-web"));

const { main } = await import("../dist/server/main.js");
const code = await main(process.argv.slice(2), { env: process.env, cwd: process.cwd() });
if (typeof code === "number") process.exitCode = code;
