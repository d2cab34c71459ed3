/** The commands of single tools of an API: list, read, switch, pin, approve. */
import { fail, ok, type Result } from "@/lib/events/error";
import type { CommandInput, CommandOutput } from "@/lib/protocol/command";
import type { ApiView } from "@/lib/tools/openapi";
import { approveTools, type StoredTool, storedToolState } from "@/lib/tools/tool-definitions";
import { matchesShown, offeredTools, viewTool, viewToolRow } from "./api-tools";
import type { ApiOperation } from "./operations/operation";
import type { Api } from "./store/api-files";

const pageTools = 50;

type ToolCommands = {
  readonly [N in "openapi.tools" | "openapi.tool" | "openapi.set_tool" | "openapi.accept"]: (
    input: CommandInput<N>,
  ) => Promise<Result<CommandOutput<N>>>;
};

export const makeApiToolCommands = (
  find: (id: string) => Promise<Result<Api>>,
  change: (id: string, work: (api: Api) => Result<Api>) => Promise<Result<ApiView>>,
): ToolCommands => ({
  async "openapi.tools"({ api, search, waiting, from }) {
    const found = await find(api);
    if (!found.ok) return found;
    const tools = offeredTools(found.value).filter(
      (tool) => matchesSearch(tool, search) && (!waiting || waitsForApproval(tool)),
    );
    return ok({ tools: tools.slice(from, from + pageTools).map(viewToolRow), total: tools.length });
  },
  async "openapi.tool"({ api, tool: name }) {
    const found = await find(api);
    if (!found.ok) return found;
    const tool = found.value.tools.find(({ ownName }) => ownName === name);
    return tool === undefined ? fail("not_found") : ok(viewTool(found.value, tool));
  },
  "openapi.set_tool": ({ api, tool: name, isOff, isPinned }) =>
    change(api, (found) => {
      if (name !== undefined && !found.tools.some(({ ownName }) => ownName === name)) return fail("not_found");
      const tools = found.tools.map((tool) =>
        name === undefined || tool.ownName === name
          ? { ...tool, isOff: isOff ?? tool.isOff, isPinned: isPinned ?? tool.isPinned }
          : tool,
      );
      return ok({ ...found, tools });
    }),
  "openapi.accept": ({ api, tools: shown }) =>
    change(api, (found) => {
      const byName = new Map(found.tools.map((tool) => [tool.ownName, tool]));
      const isSame = shown.every(({ name, hash }) => {
        const tool = byName.get(name);
        return tool !== undefined && matchesShown(tool, hash);
      });
      if (!isSame) return fail("changed_meanwhile");
      return ok({ ...found, tools: approveTools(found.tools, new Set(shown.map(({ name }) => name))) });
    }),
});

const waitsForApproval = (tool: StoredTool<ApiOperation>): boolean =>
  ["new", "changed", "gone"].includes(storedToolState(tool));

function matchesSearch({ ownName, current, approved }: StoredTool<ApiOperation>, search: string): boolean {
  const operation = current ?? approved;
  const text =
    `${ownName} ${operation?.request.method} ${operation?.request.path} ${operation?.description}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
