/** Names of extensions as ids of tool sources: rules and approvals name a source by its id, so that no two share one. */
import type { ProjectId } from "@/lib/events/id";
import { forgetToolSource } from "@/server/session/service/forget-tool-source";
import { computeHash } from "@/server/base/id";
import { toSourceId } from "@/server/tools/toolbox/tool-name";
import type { FeatureHost } from "../feature";

export interface ExtensionIds {
  /** An API or an approved MCP server has it, or may have it: its id has a number if it comes second. */
  isTaken(name: string): boolean;
  /** Keeps it for an extension, without the rights of an earlier source. `owner`: null = of the home. Throws StoreError. */
  take(name: string, owner: ProjectId | null): void;
  /** Deletes the rights of its tools. Throws StoreError. */
  release(name: string, owner: ProjectId | null): void;
}

export function makeExtensionIds({
  store,
  push,
}: Pick<FeatureHost, "push"> & {
  readonly store: Pick<FeatureHost["store"], "toolSources" | "approvedTools" | "rules">;
}): ExtensionIds {
  const { toolSources } = store;
  const key = (name: string, projectId: ProjectId | null) => ({ kind: "extension" as const, projectId, name });
  return {
    isTaken: (name) =>
      toolSources.names("openapi").includes(name) ||
      toolSources.names("mcp").some((server) => isNumbered(name, toSourceId(server))),
    take(name, owner) {
      forgetToolSource(store, push, name, owner);
      toolSources.save(key(name, owner), { launch: computeHash(name), instructions: "", tools: [] });
    },
    release(name, owner) {
      toolSources.remove(key(name, owner));
      forgetToolSource(store, push, name, owner);
    },
  };
}

/** The id, or the id with a number. */
const isNumbered = (name: string, id: string): boolean => name.startsWith(id) && /^\d*$/.test(name.slice(id.length));
