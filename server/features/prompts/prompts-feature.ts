/** The system prompts: their rules, which the user may replace, and the tools that are described with them. */
import { ok } from "@/lib/events/error";
import type { Profile } from "@/lib/events/event";
import type { PromptsState, PromptToolRow } from "@/lib/models/prompts";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import { readPromptRules, writePromptRules } from "@/server/session/core/prompt-rules";
import { callFormat } from "@/server/prompts/prompts";
import { builtInSource } from "@/server/tools/core/built-in-source";
import { composeToolSchemas, withoutTools } from "@/server/tools/core/tool-source";
import type { Tool } from "@/server/tools/core/tool";
import { toolboxToolSource } from "@/server/tools/toolbox/toolbox";
import type { Feature, FeatureHost } from "../feature";

const ofProfiles = <T>(work: (profile: Profile) => T): Readonly<Record<Profile, T>> => ({
  small: work("small"),
  default: work("default"),
  full: work("full"),
});

function toRow({ name, parameters, description }: Tool): PromptToolRow {
  const descriptions = ofProfiles((profile) => description(profile));
  const tokens = ofProfiles((profile) =>
    estimateTokens(JSON.stringify({ name, description: descriptions[profile], parameters })),
  );
  return { name, descriptions, tokens };
}

export function promptsFeature({ home, settings }: Pick<FeatureHost, "home" | "settings">) {
  const sources = [builtInSource, toolboxToolSource];
  const state = (): PromptsState => {
    const tools = composeToolSchemas(withoutTools(sources, settings().disabledTools), "default");
    return {
      rules: ofProfiles((one) => readPromptRules(home, one)),
      calls: { native: callFormat("native", tools), react: callFormat("react", tools), xml: callFormat("xml", tools) },
      tools: sources.flatMap((source) => source.tools().map(toRow)),
    };
  };
  return {
    commands: {
      "prompts.read": () => ok(state()),
      async "prompts.write"({ profile, text, before }) {
        const written = await writePromptRules(home, profile, text, before);
        return written.ok ? ok(state()) : written;
      },
    },
  } satisfies Feature;
}
