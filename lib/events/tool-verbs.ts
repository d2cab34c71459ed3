/** English verbs of the kinds of tools, for exports and the command line; `other` has none. */
import type { ToolKind } from "./tool-presentations";

interface ToolVerb {
  readonly infinitive: string;
  readonly past: string;
}

const verbs: ReadonlyMap<string, ToolVerb> = new Map(
  Object.entries({
    read: { infinitive: "Read", past: "read" },
    list: { infinitive: "List", past: "listed" },
    find: { infinitive: "Find", past: "found" },
    search: { infinitive: "Search", past: "searched" },
    edit: { infinitive: "Edit", past: "edited" },
    write: { infinitive: "Write", past: "wrote" },
    delete: { infinitive: "Delete", past: "deleted" },
    shell: { infinitive: "Run", past: "ran" },
    agent: { infinitive: "Start a subagent for", past: "had a subagent do" },
    lookup: { infinitive: "Look up", past: "looked up" },
  } satisfies Record<Exclude<ToolKind, "other">, ToolVerb>),
);

export const toolVerb = (kind: string, tense: "infinitive" | "past"): string | undefined => verbs.get(kind)?.[tense];
