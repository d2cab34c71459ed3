/** Runs a call of an operation: only of one that is exactly as approved when the request is sent. */
import type { Json } from "@/lib/events/content";
import type { Hash } from "@/lib/events/id";
import { storedToolState } from "@/lib/tools/tool-definitions";
import { type ToolDependencies, ToolError, type ToolResult } from "@/server/tools/core/tool";
import { apiDefinitionHash } from "./api-tools";
import { toApiError, toApiResult } from "./request/api-result";
import { applyKeys } from "./request/apply-keys";
import { buildApiRequest } from "./request/build-request";
import type { SendApiRequest } from "./request/send-request";
import type { Api } from "./store/api-files";

/** Throws only ToolError, or the signal's reason. */
export type RunApiCall = (
  ownName: string,
  definition: Hash,
  input: Json,
  dependencies: Pick<ToolDependencies, "vision" | "storeBlob">,
  signal: AbortSignal,
) => Promise<ToolResult>;

interface CallApiOptions {
  /** The API as it is now. */
  find(): Api | undefined;
  keyOf(scheme: string): string | null;
  readonly send: SendApiRequest;
}

export const makeRunApiCall =
  ({ find, keyOf, send }: CallApiOptions): RunApiCall =>
  async (ownName, definition, input, dependencies, signal) => {
    const api = find();
    const tool = api?.tools.find((one) => one.ownName === ownName);
    const operation = tool?.approved ?? null;
    if (api === undefined || tool === undefined || operation === null || tool.current === null)
      throw new ToolError(
        "gone",
        `${ownName} is not offered any more. Do not call it again; use another tool, or tell the user.`,
      );
    const isSame = storedToolState(tool) === "ready" && apiDefinitionHash(api, operation) === definition;
    if (!isSame || !api.settings.isConfirmed || !api.settings.isEnabled)
      throw new ToolError(
        "changed_meanwhile",
        `${ownName} is different from the tool the user approved. Do not call it again; the user can approve it in Tools.`,
      );
    const plain = buildApiRequest(operation.request, input, api.settings.address);
    const schemes = operation.request.schemes ?? api.head.schemes;
    const { request, secrets, missing } = applyKeys(plain, operation.request, schemes, keyOf);
    const sent = await send(request, signal);
    signal.throwIfAborted();
    if (!sent.ok) throw toApiError(sent.error, secrets);
    return toApiResult(sent.value, { source: api.id, secrets, missing }, dependencies);
  };
