// Checks the Node version before anything else is loaded.

/**
 * Returns one sentence on why `versions` (process.versions) cannot run gopi-web, or null if it can. better-sqlite3 13
 * needs N-API 10 (Node 22.14) and crashes without a message below it; Node 20 gets version 12.
 */
export function nodeVersionProblem(versions) {
  const [major, minor] = versions.node.split(".").map(Number);
  const supported = major === 20 ? minor >= 19 : major >= 22 && Number(versions.napi) >= 10;
  if (supported) return null;
  return `gopi-web needs Node 20.19+ or 22.14+; this is Node ${versions.node}. Get a current one from https://nodejs.org`;
}
