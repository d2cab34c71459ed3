/** Commands for tags, remotes, and work that needs a terminal: the repository's programs run there, after the user has allowed them. */
import { fail, ok } from "@/lib/events/error";
import type { GitTerminalLine } from "@/lib/workspace/source-refs";
import type { HandlerTable } from "@/server/handlers/handlers";
import { shellEnvironment } from "@/server/security/environment/shell-environment";
import { computeHash } from "@/server/base/id";
import { findCommitHooks } from "@/server/workspace/git/commit/commit-hooks";
import { listSettingsWords, parseGitSettings } from "@/server/workspace/git/git-settings";
import { listStepCommands } from "@/server/workspace/git/operations/operations";
import { changesFiles, composeTerminalLine, listRemotes } from "@/server/workspace/git/remotes/terminal-line";
import { createTag, deleteTag, listTags } from "@/server/workspace/git/tags/tags";
import type { FeatureHost } from "../feature";
import type { BranchContext } from "./branch-commands";
import { makeProgramApprovals } from "./program-approvals";

const maxBytes = 1_000_000;

interface RefContext extends Pick<BranchContext, "read" | "write" | "findRun"> {
  readonly host: Pick<FeatureHost, "environment" | "store" | "now">;
}

export function refCommands({ host, read, write, findRun }: RefContext) {
  const approvals = makeProgramApprovals(host, "terminal");
  return {
    "source.remotes": ({ projectId }) =>
      read(projectId, async (git) => {
        const remotes = await listRemotes(git);
        return remotes.ok ? ok({ remotes: remotes.value }) : remotes;
      }),
    "source.terminal_line": async ({ projectId, work, allowed }) => {
      const run = changesFiles(work) ? findRun(projectId) : undefined;
      if (run !== undefined) return fail("busy", undefined, { sessionId: run });
      return read<GitTerminalLine>(projectId, async (git) => {
        const composed = await composeTerminalLine(git, work, shellEnvironment(host.environment, []));
        if (!composed.ok) return composed;
        const listed = await git.run(listSettingsWords, { maxBytes });
        if (!listed.ok) return listed;
        const settings = parseGitSettings(listed.value);
        const found = await findCommitHooks(git.top, settings, host.environment.HOME);
        const steps = work.kind === "step" ? await listStepCommands(git) : [];
        const programs = [...found.programs, ...steps];
        const hash = steps.length === 0 ? found.hash : computeHash(JSON.stringify([found.hash, steps]));
        if (allowed === hash) approvals.add(projectId, hash);
        if (programs.length > 0 && !approvals.has(projectId, hash)) return ok({ kind: "ask", programs, hash });
        return ok({ kind: "line", ...composed.value });
      });
    },
    "source.tags": ({ projectId }) =>
      read(projectId, async (git) => {
        const tags = await listTags(git);
        return tags.ok ? ok({ tags: tags.value }) : tags;
      }),
    "source.create_tag": ({ projectId, tag, from }) => write(projectId, [], ({ git }) => createTag(git, tag, from)),
    "source.delete_tag": ({ projectId, tag }) => write(projectId, [], ({ git }) => deleteTag(git, tag)),
  } satisfies Partial<HandlerTable>;
}
