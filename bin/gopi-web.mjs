#!/usr/bin/env node
// Entry point of the `gopi-web` command: checks the Node version, then runs the built server with the arguments.
import * as module from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";
import { openFilesProblem } from "./open-files.mjs";
import { nodeVersionProblem } from "./node-version.mjs";

const problem = nodeVersionProblem(process.versions);
if (problem) {
  console.error(problem);
  process.exit(1);
}

// Compile cache of Node 22.1+, keyed by Node's and the file's version; enabling never fails, and the folder is safe to
// delete.
module.enableCompileCache?.(join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "gopi-web"));

// A limit that is too small can be hit anywhere, also while modules are loaded.
process.on("uncaughtException", (error) => {
  console.error(openFilesProblem(error) ?? error);
  process.exit(1);
});

const { main } = await import("../dist/server/main.js");
const code = await main(process.argv.slice(2), { env: process.env, cwd: process.cwd() });
if (typeof code === "number") process.exitCode = code;
