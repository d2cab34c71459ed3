/** Commands for commits: the form's facts, the commit itself with the output of its hooks, and its end. */
import { fail, ok, type Result } from "@/lib/events/error";
import { asId, type Hash, type ProjectId } from "@/lib/events/id";
import { joinOutput, type TerminalOutput, terminalRingChars } from "@/lib/terminal/terminal";
import type { TopicSources } from "@/lib/protocol/topics";
import type { HandlerTable } from "@/server/handlers/handlers";
import { shellEnvironment } from "@/server/security/environment/shell-environment";
import { makeCommit } from "@/server/workspace/git/commit/commit";
import { type CommitPlace, readCommitFacts } from "@/server/workspace/git/commit/commit-facts";
import { listCommittedFiles, readCheckedOut } from "@/server/workspace/git/commit/committed-files";
import { addTrailer } from "@/server/workspace/git/commit/message-trailer";
import type { Git } from "@/server/workspace/git/git";
import type { GitWrites } from "@/server/workspace/git/git-writes";
import { openProjectGit } from "@/server/workspace/git/project-git";
import type { OpenProject } from "@/server/workspace/projects/projects";
import type { FeatureHost } from "../../feature";
import { makeProgramApprovals } from "../program-approvals";

export type CommitHost = Pick<
  FeatureHost,
  "projects" | "environment" | "store" | "now" | "push" | "settings" | "sessions"
>;

/** Opens a project, and checks that the paths are in it. */
export type ProjectOpener = (projectId: ProjectId, paths: readonly string[]) => Promise<Result<OpenProject>>;

export function makeCommitCommands(host: CommitHost, open: ProjectOpener, writes: GitWrites, signal: AbortSignal) {
  const { projects, environment, push, settings } = host;
  const outputs = makeOutputs((projectId, output) => push({ type: "source_output", projectId, ...output }));
  const running = new Map<ProjectId, AbortController>();
  /** A commit is of the whole repository. */
  const placeOf = ({ policy }: OpenProject, { top }: Git): CommitPlace => ({
    root: top,
    environment,
    policy: policy(),
  });
  const approvals = makeProgramApprovals(host, "hooks");
  const commands = {
    "source.commit_facts": async ({ projectId }) => {
      const project = await projects.get(projectId);
      if (!project.ok) return project;
      const git = await openProjectGit(project.value, environment, signal);
      if (!git.ok) return git;
      if (typeof git.value === "string") return fail(git.value === "untrusted" ? "untrusted" : "not_found", git.value);
      const facts = await readCommitFacts(git.value.whole, placeOf(project.value, git.value));
      if (!facts.ok) return facts;
      return ok({ ...facts.value, areHooksApproved: approvals.has(projectId, facts.value.hooksHash) });
    },
    "source.commit": async ({ projectId, message, amend, signOff, hooks, hooksHash = null, model, paths }) => {
      if (hooks === "run" && hooksHash === null) return fail("bad_input", undefined, { field: "hooksHash" });
      if (amend && paths !== undefined) return fail("bad_input", undefined, { field: "paths" });
      const project = await open(projectId, paths ?? []);
      if (!project.ok) return project;
      if (running.has(projectId)) return fail("busy");
      const controller = new AbortController();
      running.set(projectId, controller);
      outputs.begin(projectId);
      const run = {
        programs: shellEnvironment(environment, settings().shellEnvironment),
        onOutput: (text: string) => outputs.add(projectId, text),
        onHooksAllowed: (hash: Hash) => approvals.add(projectId, hash),
        stop: controller.signal,
      };
      const isAssisted = settings().sourceAssistedBy && model !== undefined;
      const order = {
        message: isAssisted ? addTrailer(message, "Assisted-by", model.replace(/\s+/g, " ").trim()) : message,
        ...{ amend, signOff, hooksHash: hooks === "run" ? hooksHash : null },
      };
      try {
        return await writes.run(
          project.value,
          async (git) => {
            const ofTop = paths?.map((path) => git.prefix + path);
            const place = placeOf(project.value, git);
            const made = await makeCommit(git.whole, { ...place, ...run }, { ...order, paths: ofTop });
            if (made.ok) await acceptCommitted(host, git, projectId, made.value.commit);
            return made;
          },
          signal,
        );
      } finally {
        running.delete(projectId);
      }
    },
    "source.stop": ({ projectId }) => {
      running.get(projectId)?.abort();
      return ok(null);
    },
  } satisfies Partial<HandlerTable>;
  const topicSources = {
    source_output: {
      state(subject) {
        const projectId = asId<ProjectId>(subject);
        const output = outputs.of(projectId);
        return output === undefined ? null : { type: "source_output", projectId, ...output };
      },
    },
  } satisfies TopicSources;
  return {
    commands,
    topicSources,
    /** Ends the commit that runs in the project. */
    stop: (id: ProjectId) => running.get(id)?.abort(),
  };
}

/** Accepts the changes that the commit contains. A file of it that cannot be read is still to be decided. */
async function acceptCommitted(
  { settings, sessions }: CommitHost,
  git: Git,
  projectId: ProjectId,
  commit: string,
): Promise<void> {
  const files = settings().reviewAcceptCommitted ? await listCommittedFiles(git, commit) : null;
  if (files?.ok !== true) return;
  await sessions.acceptCommitted(projectId, commit, {
    paths: new Set(files.value.keys()),
    async read(path) {
      const blob = files.value.get(path);
      if (blob === undefined || blob === null) return blob;
      const content = await readCheckedOut(git, path, blob);
      return content.ok ? content.value : undefined;
    },
  });
}

/** The newest output of the last commit of each project. */
function makeOutputs(publish: (projectId: ProjectId, output: TerminalOutput) => void) {
  const outputs = new Map<ProjectId, TerminalOutput>();
  const none = { from: 0, text: "" };
  return {
    of: (projectId: ProjectId) => outputs.get(projectId),
    begin(projectId: ProjectId): void {
      outputs.set(projectId, none);
      publish(projectId, none);
    },
    add(projectId: ProjectId, text: string): void {
      const before = outputs.get(projectId) ?? none;
      const output = { from: before.from + before.text.length, text };
      outputs.set(projectId, joinOutput(before, output, terminalRingChars));
      publish(projectId, output);
    },
  };
}
