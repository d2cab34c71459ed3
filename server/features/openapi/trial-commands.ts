/** Trials of an operation by the owner, on the road of a model's call: the request is shown first, then sent. */
import { fail, ok, type Result } from "@/lib/events/error";
import { joinTextBlocks, type Json } from "@/lib/events/content";
import type { CommandInput, CommandOutput } from "@/lib/protocol/command";
import { storedToolState } from "@/lib/tools/tool-definitions";
import { type ToolDependencies, ToolError } from "@/server/tools/core/tool";
import { parseExternalArguments } from "@/server/tools/toolbox/parse-external-arguments";
import { apiDefinitionHash } from "./api-tools";
import type { RunApiCall } from "./call-api";
import type { ApiOperation } from "./operations/operation";
import { buildApiRequest } from "./request/build-request";
import type { Api } from "./store/api-files";

interface TrialOptions extends Pick<ToolDependencies, "storeBlob"> {
  find(id: string): Promise<Result<Api>>;
  run(api: Api): RunApiCall;
  readonly stop: AbortSignal;
}

type TrialInput = CommandInput<"openapi.try">;
type TrialCommands = {
  readonly [N in "openapi.preview" | "openapi.try"]: (input: TrialInput) => Promise<Result<CommandOutput<N>>>;
};

export function makeTrialCommands({ find, run, storeBlob, stop }: TrialOptions): TrialCommands {
  const prepare = async ({ api: id, tool: name, input }: TrialInput) => {
    const api = await find(id);
    if (!api.ok) return api;
    const tool = api.value.tools.find(({ ownName }) => ownName === name);
    if (tool === undefined) return fail("not_found");
    const operation = tool.current;
    if (operation === null || storedToolState(tool) !== "ready" || !api.value.settings.isConfirmed)
      return fail("changed_meanwhile");
    const parsed = parseExternalArguments({ name, parameters: operation.parameters }, input);
    if (!parsed.ok) return fail("bad_input", parsed.messageForModel);
    return ok({ api: api.value, operation, input: parsed.input });
  };
  return {
    async "openapi.preview"(trial) {
      const prepared = await prepare(trial);
      if (!prepared.ok) return prepared;
      const { api, operation, input } = prepared.value;
      return attempt(async () => {
        const { method, url, body } = buildApiRequest(operation.request, input, api.settings.address);
        return { method, url: url.href, body };
      });
    },
    async "openapi.try"(trial) {
      const prepared = await prepare(trial);
      if (!prepared.ok) return prepared;
      const { api, operation, input } = prepared.value;
      return attempt(() => send(api, operation, input));
    },
  };

  async function send(api: Api, operation: ApiOperation, input: Json) {
    const definition = apiDefinitionHash(api, operation);
    const { output, failed = false } = await run(api)(
      operation.name,
      definition,
      input,
      { vision: true, storeBlob },
      stop,
    );
    return { text: joinTextBlocks(output), failed };
  }
}

/** The detail of the error is the text that a model would get. */
async function attempt<T>(work: () => Promise<T>): Promise<Result<T>> {
  try {
    return ok(await work());
  } catch (error) {
    if (error instanceof ToolError) return fail(error.code, error.messageForModel);
    throw error;
  }
}
