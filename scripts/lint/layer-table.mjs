// The import table as data: which layer may import which, and which layers may import certain packages.
// docs/architecture.md explains it.

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
  lib: {},
  "server/base": { lib: true },
  "server/prompts": { lib: true, "server/base": true },
  "server/security": serverLeaves,
  "server/store": serverLeaves,
  "server/workspace": { ...serverLeaves, "server/security": true, "server/store": "types" },
  "server/providers": serverLeaves,
  "server/models": { ...serverLeaves, "server/providers": true, "server/store": "types" },
  "server/tools": { ...serverLeaves, "server/workspace": true, "server/security": "types" },
  "server/agent": {
    ...serverLeaves,
    "server/tools": true,
    "server/workspace": "types",
    "server/providers": true,
    "server/security": true,
  },
  "server/session": {
    ...serverLeaves,
    "server/agent": true,
    "server/tools": true,
    "server/models": "types",
    "server/workspace": true,
    "server/store": true,
    "server/security": true,
  },
  "server/config": {
    ...serverLeaves,
    "server/store": true,
    "server/workspace": true,
    "server/models": true,
  },
  "server/handlers": {
    ...serverLeaves,
    "server/session": true,
    "server/config": true,
    "server/models": true,
    "server/workspace": true,
    "server/security": true,
    "server/store": true,
  },
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
    "server/features": "types",
  },
  "server/features": {
    ...serverLeaves,
    "server/store": "types",
    "server/workspace": "types",
    "server/models": "types",
    "server/tools": "types",
    "server/agent": "types",
    "server/session": "types",
    "server/handlers": "types",
    "server/features/*": true,
  },
  "server/transport": {
    ...serverLeaves,
    "server/store": "types",
    "server/handlers": true,
    "server/session": true,
  },
  "server/cli": { ...serverLeaves, "server/store": true },
  server: { lib: true, "server/*": true },
  "components/messages": { lib: true },
  "components/ui": { lib: "types", "components/messages": true },
  "components/state": componentLeaves,
  "components/actions": { ...componentLeaves, "components/state": true },
  "components/shell": { lib: true, "components/*": true },
  "components/*": everyFeature,
  app: { lib: true, "components/*": true },
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
