/** Step of `gopi-web init`: trust in the folder, with what it would switch on. */
import type { TrustFinding } from "@/lib/permissions/guard";
import { printable } from "../arguments/options";
import type { Setup } from "./setup";

const findingTexts: Readonly<Record<TrustFinding["kind"], string>> = {
  git_program: "a git setting that starts a program",
  git_hook: "a git hook, which runs by itself",
  hook_manager: "programs that run on commit",
  extensions: "scripts that can be enabled as extensions",
  mcp: "tools that run as programs",
  editor: "editor settings that start programs",
  instructions: "instructions for agents",
};

export async function chooseTrust({ call, terminal, command }: Setup): Promise<void> {
  const { project, trusted, findings } = await call("project.open", { path: command.cwd });
  const folder = printable(project.path);
  if (trusted) return terminal.say(`${folder} is trusted. To end that: Settings > Permissions.`);
  terminal.say(`${folder} is not trusted. Trust turns on git in it and makes Full access available.`);
  if (findings.length > 0) terminal.say("It has files that start programs or instruct agents:");
  for (const { kind, path, detail } of findings)
    terminal.say(
      `  ${printable(path)}: ${findingTexts[kind]}${detail === undefined ? "" : ` (${printable(detail)})`}`,
      "    ",
    );
  if (!(await terminal.confirm("Trust this folder? Only if you know where it came from."))) return;
  await call("project.trust", { projectId: project.id, trusted: true });
  terminal.say("The folder is trusted.");
}
