/** The stored prompt of a session, and the catalogue that its toolbox leads to. */
import { isDeepStrictEqual } from "node:util";
import type { BlobId } from "@/lib/events/id";
import type { StoredPrompt } from "@/lib/models/stored-prompt";
import { approvedToolKey } from "@/lib/permissions/policy";
import type { SessionView } from "@/lib/view/view";
import { parseStoredPrompt } from "@/server/agent/context/stored-prompt";
import { weakMemo } from "@/server/base/weak-memo";
import { StoreError } from "@/server/store/core/store-error";
import type { Tool } from "@/server/tools/core/tool";
import type { ToolSource } from "@/server/tools/core/tool-source";
import type { Catalogue, CatalogueTool } from "@/server/tools/toolbox/catalogue";
import { catalogueForWindow, emptyCatalogue } from "@/server/tools/toolbox/make-catalogue";
import { toolboxName } from "@/server/tools/toolbox/toolbox";
import type { SessionServices } from "./services";

/** Parsed prompts by their content hash: few exist, since sessions with the same settings share them. */
const prompts = new Map<BlobId, StoredPrompt>();
const promptsKept = 32;

/** Returns the prompt of the session's model. Throws for a session without a model, and StoreError if it is damaged. */
export function sessionPrompt(view: Pick<SessionView, "model" | "sessionId">, services: SessionServices): StoredPrompt {
  const id = view.model?.prompt;
  if (id === undefined) throw new Error("a run was started without a model");
  const cached = prompts.get(id);
  if (cached !== undefined) return cached;
  const bytes = services.store.blobs.get(id);
  if (bytes === undefined) throw new Error(`the prompt ${id} of session ${view.sessionId} is gone`);
  const prompt = parseStoredPrompt(Buffer.from(bytes).toString("utf8"));
  if (prompt === null) throw new StoreError("store_corrupt", "the stored prompt is damaged", { prompt: id });
  if (prompts.size >= promptsKept) prompts.clear();
  prompts.set(id, prompt);
  return prompt;
}

/** Whether a model with this prompt can call the toolbox; null = no prompt yet. */
export const hasToolbox = (prompt: Pick<StoredPrompt, "tools"> | null): boolean =>
  prompt?.tools.some(({ name }) => name === toolboxName) ?? true;

/** Returns the catalogue of the session's project; empty if the session has no model, or its prompt has no toolbox. */
export function sessionCatalogue(view: SessionView, services: SessionServices): Catalogue {
  return view.model !== null && hasToolbox(sessionPrompt(view, services))
    ? catalogueForWindow(services.catalogue(view.projectId), view.model.numCtx)
    : emptyCatalogue;
}

const callableTools = weakMemo(({ tools }: Catalogue): readonly Tool[] =>
  tools.flatMap(({ obstacle, tool }) => (obstacle === null ? [tool] : [])),
);

/** The catalogue as a source of the tools that a stored prompt names itself. */
export const catalogueAsSource = (services: SessionServices, view: SessionView): ToolSource => ({
  id: "catalogue",
  budgetTokens: null,
  tools: () => callableTools(catalogueForWindow(services.catalogue(view.projectId), view.model?.numCtx ?? 0)),
});

/** The catalogue without the tools that the session's prompt names itself, as they are described there. */
export function promptedCatalogue(view: SessionView, services: SessionServices): Catalogue {
  const catalogue = sessionCatalogue(view, services);
  if (view.model === null || catalogue.tools.length === 0) return catalogue;
  const { profile } = view.model;
  const inPrompt = new Map(sessionPrompt(view, services).tools.map((schema) => [schema.name, schema]));
  const isInPrompt = ({ name, parameters, tool }: CatalogueTool): boolean => {
    const schema = inPrompt.get(name);
    return (
      schema !== undefined && isDeepStrictEqual(schema, { name, description: tool.description(profile), parameters })
    );
  };
  const tools = catalogue.tools.filter((tool) => !isInPrompt(tool));
  return tools.length === catalogue.tools.length ? catalogue : { ...catalogue, tools };
}

/** Names of the tools by the keys under which their approvals are stored. */
const namesByApproval = weakMemo(
  ({ tools }: Catalogue): ReadonlyMap<string, string> =>
    new Map(
      tools.flatMap(({ name, tool: { external } }) =>
        external === undefined ? [] : [[approvedToolKey(external), name] as const],
      ),
    ),
);

/** Names of the tools whose calls the user approved in the project before the session was created. */
export function usedTools(view: SessionView, services: SessionServices): ReadonlySet<string> {
  const used = services.store.approvedTools.usedBefore(view.projectId, view.createdAt);
  const names = namesByApproval(services.catalogue(view.projectId));
  return new Set([...used].flatMap((key) => names.get(key) ?? []));
}
