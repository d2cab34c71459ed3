/** Reads what has to be known before a commit. Runs no program of the repository. */
import { posix } from "node:path";
import { ok, type Result } from "@/lib/events/error";
import type { CommitFacts } from "@/lib/workspace/source-control";
import { ownerPath, type PathPolicy } from "@/server/security/paths/safe-path";
import { readFileStart } from "../../files/read-file-start";
import type { Git } from "../git";
import { type GitSetting, listSettingsWords, parseGitSettings } from "../git-settings";
import { type CommitHooks, findCommitHooks } from "./commit-hooks";

const maxBytes = 1_000_000;
const maxTemplateBytes = 16_000;

/** The place of the repository, and the environment of the program. */
export interface CommitPlace {
  readonly root: string;
  readonly environment: NodeJS.Dict<string>;
  readonly policy: PathPolicy;
}

export interface CommitSettings extends CommitHooks {
  readonly settings: readonly GitSetting[];
  readonly signs: boolean;
}

/** Reads the settings that a commit depends on, and the hooks. Fails like `Git.run`. */
export async function readCommitSettings(
  git: Git,
  { root, environment }: CommitPlace,
): Promise<Result<CommitSettings>> {
  const listed = await git.run(listSettingsWords, { maxBytes });
  if (!listed.ok) return listed;
  const settings = parseGitSettings(listed.value);
  const signs = await git.run(["config", "--type=bool", "--get", "commit.gpgSign"], { maxBytes, exits: [0, 1] });
  if (!signs.ok) return signs;
  const hooks = await findCommitHooks(root, settings, environment.HOME);
  return ok({ ...hooks, settings, signs: signs.value.toString().trim() === "true" });
}

/** Fails like `Git.run`. */
export async function readCommitFacts(
  git: Git,
  place: CommitPlace,
): Promise<Result<Omit<CommitFacts, "areHooksApproved">>> {
  const read = await readCommitSettings(git, place);
  if (!read.ok) return read;
  const { hooks, hash, signs, settings } = read.value;
  const template = await readTemplate(settings, place);
  return ok({
    hooks,
    hooksHash: hash,
    lastMessage: await readLastMessage(git),
    lastIsPushed: await isOnRemote(git),
    identity: await readIdentity(git),
    signs,
    ...(template === null ? {} : { template }),
  });
}

/** Returns name and e-mail of new commits; null = the settings lack one. Git guesses none from the names of user and machine. */
export async function readIdentity(git: Git): Promise<CommitFacts["identity"]> {
  const read = await git.run([...onlyConfiguredIdentity, "var", "GIT_COMMITTER_IDENT"], { maxBytes });
  if (!read.ok) return null;
  const [, name = "", email = ""] = /^(.*) <(.*)> \d+ [+-]\d+\s*$/s.exec(read.value.toString("utf8")) ?? [];
  return name === "" || email === "" ? null : { name, email };
}

export const onlyConfiguredIdentity = ["-c", "user.useConfigOnly=true"] as const;

async function readLastMessage(git: Git): Promise<string | null> {
  const words = [
    "log",
    "--max-count=1",
    "--no-show-signature",
    "--no-color",
    "--encoding=UTF-8",
    "--format=%B",
    "HEAD",
    "--",
  ];
  const read = await git.run(words, { maxBytes });
  return read.ok ? read.value.toString("utf8").trimEnd() : null;
}

async function isOnRemote(git: Git): Promise<boolean> {
  const words = ["for-each-ref", "--count=1", "--format=1", "--contains=HEAD", "refs/remotes"];
  const listed = await git.run(words, { maxBytes });
  return listed.ok && listed.value.length > 0;
}

/** The repository may name only a file of the project, the user any. */
async function readTemplate(
  settings: readonly GitSetting[],
  { root, environment, policy }: CommitPlace,
): Promise<string | null> {
  const setting = settings.findLast(({ name }) => name === "commit.template");
  if (setting === undefined) return null;
  const path = posix.resolve(root, setting.value.replace(/^~(?=\/)/, environment.HOME ?? "~"));
  if (setting.isOwn && !ownerPath(path, "read", policy).ok) return null;
  return (await readFileStart(path, maxTemplateBytes))?.toString("utf8") ?? null;
}
