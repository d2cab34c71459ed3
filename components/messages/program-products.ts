/** Products whose programs servers are often started with, by program. */
export const programProducts: ReadonlyMap<string, string> = new Map([
  ["node", "Node.js"],
  ["npm", "Node.js"],
  ["npx", "Node.js"],
  ["bun", "Bun"],
  ["bunx", "Bun"],
  ["deno", "Deno"],
  ["uv", "uv"],
  ["uvx", "uv"],
  ["docker", "Docker"],
  ["python", "Python"],
  ["python3", "Python"],
]);
