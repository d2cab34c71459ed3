/** The tools of this program and of extensions, as the settings list them. */
import type { OwnToolRow } from "@/lib/tools/trials";
import { ownSourceIds } from "@/lib/tools/own-sources";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import { builtInSource } from "@/server/tools/core/built-in-source";
import type { Tool } from "@/server/tools/core/tool";
import type { Catalogue, CatalogueTool } from "@/server/tools/toolbox/catalogue";
import { firstSentence } from "@/server/tools/toolbox/foreign-text";
import { toolboxToolSource } from "@/server/tools/toolbox/toolbox";

const maxDescriptionChars = 200;

const kinds: ReadonlyMap<string, "web" | "memory" | "subagent" | "channels"> = new Map([
  [ownSourceIds.web, "web"],
  [ownSourceIds.memory, "memory"],
  [ownSourceIds.subagent, "subagent"],
  [ownSourceIds.channels, "channels"],
]);

const toRow = (
  { name, description, parameters }: Pick<CatalogueTool, "name" | "description" | "parameters">,
  source: OwnToolRow["source"],
): OwnToolRow => ({
  name,
  source,
  description: firstSentence(description, maxDescriptionChars),
  tokens: estimateTokens(JSON.stringify({ name, description, parameters })),
});

/** `extensions` = names of enabled extensions, which are the ids of their sources. */
export function listOwnTools({ tools }: Catalogue, extensions: ReadonlySet<string>): readonly OwnToolRow[] {
  const builtIn = [builtInSource, toolboxToolSource].flatMap((source) => source.tools());
  const described = ({ name, parameters, description }: Tool) => ({
    name,
    parameters,
    description: description("default"),
  });
  return [
    ...builtIn.map((tool) => toRow(described(tool), { kind: "built_in" })),
    ...tools.flatMap((tool): readonly OwnToolRow[] => {
      const kind = kinds.get(tool.source);
      if (kind !== undefined) return [toRow(tool, { kind })];
      return extensions.has(tool.source) ? [toRow(tool, { kind: "extension", name: tool.source })] : [];
    }),
  ];
}
