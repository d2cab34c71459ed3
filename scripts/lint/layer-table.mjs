// The layers: what each is responsible for, which layers it may import, and which layers may import certain packages.
// A layer is a folder. A dependency that a layer may not import is passed in as a function by the composition root,
// server/compose.ts.

const serverLeaves = { lib: true, "server/base": true, "server/prompts": true };
const componentLeaves = { lib: true, "components/messages": true };
const everyFeature = {
  ...componentLeaves,
  "components/ui": true,
  "components/state": true,
  "components/actions": true,
};

/**
 * Layer -> the layers it may import (its own always). "types" allows type imports only. A key ending in "/*" covers
 * every layer below it.
 */
export const mayImport = {
  // The contract between server and browser: types, schemas, the fold. No I/O, clock, randomness, React or Node APIs.
  lib: {},
  // Clock, ids, mutual exclusion, processes and other helpers without a subject of their own.
  "server/base": { lib: true },
  // Texts for the model, as `.md` files.
  "server/prompts": { lib: true, "server/base": true },
  // Checks of paths and commands, access decisions, redaction; reads the disk, changes nothing.
  "server/security": serverLeaves,
  // SQLite, blobs and the files of the home folder.
  "server/store": serverLeaves,
  // All access to project files: read, write, search, shell, git, watching.
  "server/workspace": { ...serverLeaves, "server/security": true, "server/store": "types" },
  // Wire protocols of model servers, as a stream of parts; requests to addresses that others chose.
  "server/providers": serverLeaves,
  // Lists, downloads, loads and starts models; one request queue per host.
  "server/models": { ...serverLeaves, "server/providers": true, "server/store": "types" },
  // The tools the model can call.
  "server/tools": { ...serverLeaves, "server/workspace": true, "server/security": "types" },
  // The agent loop: requests, tool calls, approvals, context, compaction.
  "server/agent": {
    ...serverLeaves,
    "server/tools": true,
    "server/workspace": "types",
    "server/providers": true,
    "server/security": true,
  },
  // Sessions: event log, message queue, recovery, branches, export, sharing.
  "server/session": {
    ...serverLeaves,
    "server/agent": true,
    "server/tools": true,
    "server/models": "types",
    "server/workspace": true,
    "server/store": true,
    "server/security": true,
  },
  // `config.yaml` and `models.yaml`, kept equal to the stored settings; import and export of configuration.
  "server/config": {
    ...serverLeaves,
    "server/store": true,
    "server/workspace": true,
    "server/models": true,
  },
  // Commands of the core: parsed input in, result out; no rules of their own.
  "server/handlers": {
    ...serverLeaves,
    "server/service": true,
    "server/session": true,
    "server/config": true,
    "server/models": true,
    "server/workspace": true,
    "server/security": true,
    "server/store": true,
  },
  // One feature each, with its commands, loaded when it is needed; never imports another feature.
  "server/features/*": {
    ...serverLeaves,
    "server/security": true,
    "server/store": true,
    "server/workspace": true,
    "server/providers": true,
    "server/models": true,
    "server/tools": true,
    "server/agent": true,
    "server/session": true,
    "server/handlers": "types",
    "server/tour": true,
    "server/features": "types",
  },
  // Exports of the features, the list of all features, and the code that loads, starts and stops them.
  "server/features": {
    ...serverLeaves,
    "server/store": "types",
    "server/workspace": "types",
    "server/models": "types",
    "server/tools": "types",
    "server/agent": "types",
    "server/session": "types",
    "server/handlers": "types",
    "server/tour": true,
    "server/features/*": true,
  },
  // HTTP, socket, request guard, static pages; the only layer that imports socket.io.
  "server/transport": {
    ...serverLeaves,
    "server/store": "types",
    "server/handlers": true,
    "server/session": true,
  },
  // The service of the user's system that starts the server: its text, its state, its installation.
  "server/service": serverLeaves,
  // Arguments, help, the clients of the server, one for each verb; of the store only the home lock and `server.json`.
  "server/cli": { ...serverLeaves, "server/store": true, "server/config": true, "server/service": true },
  // The tour of --demo: its sample project, and a model whose answers are written in advance.
  "server/tour": {
    ...serverLeaves,
    "server/workspace": true,
    "server/providers": "types",
    "server/models": "types",
    "server/agent": true,
  },
  // The files directly in `server/`: entry point and composition root.
  server: { lib: true, "server/*": true },
  // Every sentence the user sees, in each language.
  "components/messages": { lib: true },
  // Controls: props in, markup out.
  "components/ui": { lib: "types", "components/messages": true },
  // Connection to the server, and stores over the fold.
  "components/state": componentLeaves,
  // User commands as data, for palette, menus and shortcuts.
  "components/actions": { ...componentLeaves, "components/state": true },
  // Frame, panes, routes: the only layer that imports several features.
  "components/shell": { lib: true, "components/*": true },
  // One feature each, named after the part of the interface; never imports another feature.
  "components/*": everyFeature,
  // The exported pages; no logic.
  app: { lib: true, "components/*": true },
  // Tests of the built product, which runs as a process: in a browser, and in `e2e/product` without one.
  e2e: { lib: true },
};

/** Files that a layer may not import although it may import their layer; type imports are allowed. */
export const closedFiles = { "server/session": ["server/security/paths/safe-path"] };

const server = ["server", "server/*"];
const browser = ["components/*", "app"];

/** Package -> the layers that may import it; a package not listed may be imported anywhere. */
export const packageLayers = {
  "socket.io": ["server/transport"],
  "socket.io-client": ["components/state", "server/cli", "e2e"],
  next: ["app"],
  react: browser,
  "react-dom": browser,
  "better-sqlite3": ["server/store", "e2e"],
  "drizzle-orm": ["server/store"],
  "@playwright/test": ["e2e"],
  zod: ["lib", ...server, "components/state", "e2e"],
  node: [...server, "e2e"],
};

/** Package -> the package to import instead. */
export const replacedPackages = { zod: "zod/mini" };

/** Layers that may import only the packages listed here. */
export const onlyPackages = { lib: ["zod/mini"] };
