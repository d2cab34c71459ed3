/** Tools of the catalogue that are tools of the prompt itself in a new session, because all of them fit their share. */
import { estimateTokens } from "@/lib/text/estimate-tokens";
import type { ToolSource } from "../core/tool-source";
import type { Catalogue, CatalogueTool } from "./catalogue";
import { catalogueShare } from "./catalogue-text";
import { catalogueForWindow } from "./make-catalogue";

/** Names that every model server accepts as the name of a tool. */
const nativeName = /^[\w-]{1,64}$/;

/** Whether the tools have at most `left` estimated tokens as schemas in a prompt; looks at no more than it must. */
const haveAtMost = (left: number, tools: readonly CatalogueTool[]): boolean => {
  let rest = left;
  return tools.every(({ name, parameters, tool }) => {
    rest -= estimateTokens(JSON.stringify({ name, description: tool.description("default"), parameters }));
    return rest >= 0;
  });
};

/** Returns the tools as a source for a prompt; without tools unless all of them fit the share of the window. */
export function nativeToolSource(catalogue: Catalogue, window: number): ToolSource {
  const callable = catalogueForWindow(catalogue, window).tools.filter(({ obstacle }) => obstacle === null);
  const fits = callable.every(({ name }) => nativeName.test(name)) && haveAtMost(catalogueShare(window), callable);
  return { id: "native", budgetTokens: null, tools: () => (fits ? callable.map(({ tool }) => tool) : []) };
}
