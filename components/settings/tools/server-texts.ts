/** Short texts about an MCP server, for its row and its page. Pure. */
import type { McpLaunch, McpServerView, McpToolView } from "@/lib/tools/mcp";
import { quoteShellWord } from "@/lib/tools/quote-shell-word";
import type { FullMessages } from "../../messages/full-messages";

/** The address, or the command as it can be typed into a shell. */
export const launchText = ({ command, address }: Pick<McpLaunch, "command" | "address">): string =>
  address ?? command.map(quoteShellWord).join(" ");

/** Tools that a decision of the user waits for. */
export const changedTools = (tools: readonly McpToolView[]): readonly McpToolView[] =>
  tools.filter(({ status }) => status === "new" || status === "changed" || status === "gone");

/** Tools that the user approves as they are now. */
export const unapprovedTools = (tools: readonly McpToolView[]): readonly McpToolView[] =>
  tools.filter(({ status }) => status === "new" || status === "changed");

/** "14 tools · 2.3k tokens", "12 of 14 tools on · 2k tokens"; "" without tools. The tokens are those of tools in use. */
export function toolSumText({ tools }: McpServerView, { mcp: text, figures }: FullMessages): string {
  if (tools.length === 0) return "";
  const ready = tools.filter(({ status }) => status === "ready");
  const tokens = ready.reduce((sum, tool) => sum + tool.tokens, 0);
  const count = ready.length === tools.length ? text.toolCount(tools.length) : text.toolsOn(ready.length, tools.length);
  return tokens === 0 ? count : `${count} · ${text.tokens(figures.tokens(tokens))}`;
}

/** The file without the folder of the project. */
export const fileInProject = (file: string, projectPath: string): string =>
  file.startsWith(`${projectPath}/`) ? file.slice(projectPath.length + 1) : file;

/** Name of the registry that a runner of packages uses. */
export function registryName(command: readonly string[]): string {
  const words = command.map((word) => word.split(/[\\/]/).at(-1) ?? "");
  return words.some((word) => word === "uvx" || word === "uv" || word === "pipx") ? "PyPI" : "npm";
}
