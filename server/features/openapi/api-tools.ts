/** The tools of an API: as entries of the catalogue, and as the settings show them. */
import { computeHash } from "@/server/base/id";
import { isJsonObject, type Json } from "@/lib/events/content";
import type { Hash } from "@/lib/events/id";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import type { ApiToolRow, ApiToolView } from "@/lib/tools/openapi";
import { type StoredTool, storedToolState, type ToolDefinition } from "@/lib/tools/tool-definitions";
import type { CatalogueTool, UnlistedSource } from "@/server/tools/toolbox/catalogue";
import { defineExternalTool } from "@/server/tools/toolbox/external-tool";
import { firstSentence } from "@/server/tools/toolbox/foreign-text";
import { nameTools } from "@/server/tools/toolbox/tool-name";
import type { RunApiCall } from "./call-api";
import type { ApiOperation } from "./operations/operation";
import { buildApiRequest } from "./request/build-request";
import { isAtAddress } from "./request/request-address";
import type { Api } from "./store/api-files";

type ApiTool = StoredTool<ApiOperation>;

/** Returns the hash that an approval in a project is bound to: of the address, and of everything about the operation. */
export const apiDefinitionHash = ({ settings }: Pick<Api, "settings">, { hash }: ApiOperation): Hash =>
  computeHash(`${settings.address}\n${hash}`);

/** Returns the hash that an approval of a tool as it is shown is bound to. */
const shownHash = ({ current }: ApiTool): Hash => current?.hash ?? computeHash("gone");

export const matchesShown = (tool: ApiTool, hash: Hash): boolean => shownHash(tool) === hash;

/** Describes the operation: by its request if it has no description. */
const describeOperation = ({ description, request }: ApiOperation): string =>
  description === "" ? `${request.method} ${request.path}` : description;

/** Returns the entries of the catalogue; none until the owner has confirmed the address. */
export function makeApiTools(api: Api, run: RunApiCall): readonly CatalogueTool[] {
  const { id, settings } = api;
  if (!settings.isConfirmed || settings.address === "") return [];
  const approved = api.tools.filter((tool) => tool.approved !== null);
  const names = nameTools(
    id,
    approved.map(({ ownName }) => ownName),
  );
  return approved.flatMap((stored, index): readonly CatalogueTool[] => {
    const { ownName, approved: operation, isPinned } = stored;
    const name = names[index];
    if (operation === null || name === undefined || !isAtAddress(operation, settings.address)) return [];
    const { parameters, request } = operation;
    const description = describeOperation(operation);
    const definition = apiDefinitionHash(api, operation);
    const tool = defineExternalTool({
      name,
      source: id,
      ownName,
      description,
      parameters,
      definition,
      request(input) {
        const { method, url } = buildApiRequest(request, input, settings.address);
        return { hosts: [url.host], url: url.href, method };
      },
      run: (input, _call, dependencies, signal) => run(ownName, definition, input, dependencies, signal),
    });
    const status = storedToolState(stored);
    const obstacle = status === "off" || status === "changed" || status === "gone" ? { kind: status } : null;
    return [{ name, source: id, description, parameters, obstacle, isPinned, tool }];
  });
}

/** Describes what an API has that its source does not list. */
export function describeUnlistedApi({ id, settings, tools }: Api): UnlistedSource {
  const { isEnabled, isConfirmed, address } = settings;
  if (!isEnabled) return { id, page: "Tools", obstacle: { kind: "off" }, tools: [] };
  if (!isConfirmed || address === "") return { id, page: "Tools", obstacle: { kind: "unapproved" }, tools: [] };
  const waiting = tools.filter((tool) => tool.approved === null);
  const names = nameTools(
    id,
    waiting.map(({ ownName }) => ownName),
  );
  return {
    id,
    page: "Tools",
    obstacle: null,
    tools: names.map((name) => ({ name, obstacle: { kind: "unapproved" } })),
  };
}

/** Tokens are counted for what is shown only: the schemas of all would hold the server. */
export function viewToolRow(tool: ApiTool): ApiToolRow {
  const { ownName, isPinned } = tool;
  const operation = shownOperation(tool);
  const { name, parameters, request } = operation;
  const about = firstSentence(describeOperation(operation), 200);
  return {
    name: ownName,
    method: request.method,
    path: request.path,
    about,
    status: storedToolState(tool),
    isPinned,
    tokens: estimateTokens(JSON.stringify({ name, description: about, parameters })),
  };
}

/** The tools that can be called at the address, once they are approved. */
export const offeredTools = ({ tools, settings }: Pick<Api, "tools" | "settings">): readonly ApiTool[] =>
  tools.filter((tool) => isAtAddress(shownOperation(tool), settings.address));

/** A tool has one of the two. */
export function shownOperation({ current, approved }: ApiTool): ApiOperation {
  const operation = current ?? approved;
  if (operation === null) throw new Error("a tool without an operation");
  return operation;
}

export function viewTool(api: Api, tool: ApiTool): ApiToolView {
  const operation = shownOperation(tool);
  const { approved } = tool;
  const row = viewToolRow(tool);
  const [callName = tool.ownName] = nameTools(api.id, [tool.ownName]);
  return {
    ...row,
    callName,
    definition: viewDefinition(operation),
    parameters: operation.parameters,
    hash: shownHash(tool),
    ...(row.status === "changed" && approved !== null ? { approved: viewDefinition(approved) } : {}),
  };
}

/** The approval is for the way the request is made as well. */
function viewDefinition(operation: ApiOperation): ToolDefinition {
  const { parameters, request } = operation;
  const shown: Json = {
    ...(isJsonObject(parameters) ? parameters : {}),
    request: {
      method: request.method,
      path: `${request.basePath ?? ""}${request.path}`,
      ...(request.addresses === undefined ? {} : { addresses: request.addresses }),
      fields: Object.fromEntries(
        request.fields.map(({ field, in: place, name, style, explode }) => [
          field,
          `${place} ${name} (${style}${explode ? ", explode" : ""})`,
        ]),
      ),
      ...(request.body === undefined ? {} : { body: request.body.mediaType }),
      security: request.security,
      keys: Object.fromEntries(
        (request.schemes ?? []).map(({ name, place, label }) => [name, [place ?? "none", label].join(" ")]),
      ),
    },
  };
  return { description: describeOperation(operation), parameters: shown };
}
