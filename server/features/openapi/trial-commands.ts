/** Trials of an operation by the owner, on the road of a model's call: the request is shown first, then sent. */
import { fail, ok, type Result } from "@/lib/events/error";
import type { CommandInput, CommandOutput } from "@/lib/protocol/command";
import { storedToolState } from "@/lib/tools/tool-definitions";
import type { ToolDependencies } from "@/server/tools/core/tool";
import { parseExternalArguments } from "@/server/tools/toolbox/parse-external-arguments";
import { attemptTrial, makeTrials } from "@/server/tools/toolbox/trials";
import { apiDefinitionHash } from "./api-tools";
import type { RunApiCall } from "./call-api";
import { buildApiRequest } from "./request/build-request";
import type { Api } from "./store/api-files";

interface TrialOptions extends Pick<ToolDependencies, "storeBlob"> {
  find(id: string): Promise<Result<Api>>;
  run(api: Api): RunApiCall;
  readonly stop: AbortSignal;
}

type TrialInput = Pick<CommandInput<"openapi.try">, "api" | "tool" | "input">;
type TrialCommands = {
  readonly [N in "openapi.preview" | "openapi.try" | "openapi.stop_trial"]: (
    input: CommandInput<N>,
  ) => Promise<Result<CommandOutput<N>>>;
};

export function makeTrialCommands({ find, run, storeBlob, stop }: TrialOptions): TrialCommands {
  const trials = makeTrials(stop);
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
      return attemptTrial(async () => {
        const { method, url, body } = buildApiRequest(operation.request, input, api.settings.address);
        return { method, url: url.href, body };
      });
    },
    async "openapi.try"(trial) {
      const prepared = await prepare(trial);
      if (!prepared.ok) return prepared;
      const { api, operation, input } = prepared.value;
      const definition = apiDefinitionHash(api, operation);
      return trials.run(trial.trial, (signal) =>
        run(api)(operation.name, definition, input, { vision: true, storeBlob }, signal),
      );
    },
    async "openapi.stop_trial"({ trial }) {
      trials.stop(trial);
      return ok(null);
    },
  };
}
