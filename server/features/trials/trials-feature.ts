/** Trials of tools of other programs by the owner: the call is shown first, then run on the road of a model's call. */
import { fail, ok } from "@/lib/events/error";
import type { Json } from "@/lib/events/content";
import type { ProjectId } from "@/lib/events/id";
import { untilAborted } from "@/server/base/abort";
import type { ToolOffer } from "@/lib/tools/trials";
import type { CatalogueTool } from "@/server/tools/toolbox/catalogue";
import { escapeElements, firstSentence } from "@/server/tools/toolbox/foreign-text";
import { describeCall } from "@/server/tools/toolbox/resolve-call";
import { makeTrials } from "@/server/tools/toolbox/trials";
import type { Feature, FeatureHost } from "../feature";
import { listOwnTools } from "./own-tools";

type TrialsHost = Pick<FeatureHost, "store" | "loadTools"> & {
  readonly services: Pick<FeatureHost["services"], "catalogue">;
};

const maxDescriptionTokens = 1_000;
const maxSentenceChars = 120;

const toOffer = ({ name, description }: CatalogueTool): ToolOffer => ({
  name,
  description: firstSentence(description, maxSentenceChars),
});

interface TriedTool {
  readonly projectId: ProjectId;
  /** In the catalogue. */
  readonly tool: string;
}

export function trialsFeature({ store, services, loadTools }: TrialsHost) {
  const stop = new AbortController();
  const trials = makeTrials(stop.signal);
  /** The tool as it can be called now, with what runs a call of it. */
  const find = ({ projectId, tool: name }: TriedTool) => {
    const found = services.catalogue(projectId).tools.find((one) => one.name === name);
    if (found === undefined) return fail("not_found");
    const { tool, obstacle } = found;
    const runner = tool.createTrial?.({ vision: true, storeBlob: store.blobs.putAsync });
    if (runner === undefined || tool.external === undefined) return fail("not_found");
    return obstacle === null ? ok({ tool, runner, external: tool.external }) : fail("changed_meanwhile");
  };
  const callable = (projectId: ProjectId) =>
    services.catalogue(projectId).tools.filter(({ obstacle }) => obstacle === null);
  const prepare = ({ input, ...tried }: TriedTool & { readonly input: Json }) => {
    const found = find(tried);
    if (!found.ok) return found;
    const parsed = found.value.tool.parse(input);
    return parsed.ok ? ok({ ...found.value, input: parsed.input }) : fail("bad_input", parsed.messageForModel);
  };
  return {
    commands: {
      async "tools.own"({ projectId }) {
        await loadTools(projectId);
        const extensions = new Set(store.toolSources.names("extension"));
        return ok({ tools: listOwnTools(services.catalogue(projectId), extensions) });
      },
      async "tools.offers"({ projectId }) {
        await loadTools(projectId);
        return ok({ tools: callable(projectId).map(toOffer) });
      },
      async "tools.describe"({ projectId, tool: name }) {
        const found = callable(projectId).find((tool) => tool.name === name);
        if (found === undefined) return fail("not_found");
        return ok({ text: escapeElements(`${found.description}\n${describeCall(found, maxDescriptionTokens)}`) });
      },
      async "trials.tool"(tried) {
        const found = find(tried);
        return found.ok ? ok({ parameters: found.value.tool.parameters }) : found;
      },
      async "trials.preview"(tried) {
        const prepared = prepare(tried);
        if (!prepared.ok) return prepared;
        const { input, external } = prepared.value;
        const { source, tool, definition } = external;
        return ok({ source, tool, input, definition });
      },
      async "trials.run"({ trial, definition, ...tried }) {
        const prepared = prepare(tried);
        if (!prepared.ok) return prepared;
        const { runner, input, external } = prepared.value;
        if (external.definition !== definition) return fail("changed_meanwhile");
        const call = { id: null, isAttended: () => false, progress: () => {} };
        return trials.run(trial, (signal) => runner.run(input, call, signal));
      },
      async "trials.stop"({ trial }) {
        trials.stop(trial);
        return ok(null);
      },
    },
    async start(signal) {
      await untilAborted(signal);
      stop.abort();
    },
  } satisfies Feature;
}
