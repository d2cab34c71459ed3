/** Marks servers that cannot be added because of their names. Pure. */
import type { McpCandidate, McpServerView } from "@/lib/tools/mcp";

/** Names are the same whatever their case. Of several found servers with one name only the first can be added. */
export function judgeCandidates(
  found: readonly McpCandidate[],
  servers: readonly McpServerView[],
): readonly McpCandidate[] {
  const taken = new Set(servers.flatMap(({ name, isOfProject }) => (isOfProject ? [] : [name.toLowerCase()])));
  const above = new Set<string>();
  return found.map((candidate) => {
    const name = candidate.name.toLowerCase();
    if (candidate.error !== undefined) return candidate;
    if (taken.has(name)) return { ...candidate, error: { code: "exists" } };
    if (above.has(name)) return { ...candidate, error: { code: "exists", facts: { reason: "listed_above" } } };
    above.add(name);
    return candidate;
  });
}
