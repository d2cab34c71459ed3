/** Lists, creates and deletes tags. No program of the repository runs. */
import { fail, ok, type Result } from "@/lib/events/error";
import { isUnreadableName } from "@/lib/text/unreadable-name";
import type { SourceTag } from "@/lib/workspace/source-refs";
import { findStart } from "../branches/branches";
import type { Git } from "../git";

const maxTags = 1_000;
const maxBytes = 4_000_000;

const fields = ["refname", "objectname", "*objectname", "creatordate:unix", "contents:subject"] as const;

/** Returns the tags, the newest first. Fails like `Git.run`. */
export async function listTags(git: Git): Promise<Result<readonly SourceTag[]>> {
  const format = `--format=${fields.map((name) => `%(${name})%00`).join("")}`;
  const words = ["for-each-ref", format, `--count=${maxTags}`, "--sort=-creatordate", "refs/tags"];
  const listed = await git.run(words, { maxBytes });
  if (!listed.ok) return listed;
  const values = listed.value.toString("utf8").split("\0");
  const tags: SourceTag[] = [];
  for (let at = 0; at + fields.length <= values.length; at += fields.length) {
    const [ref = "", object = "", tagged = "", seconds, subject = ""] = values.slice(at, at + fields.length);
    const name = ref.trimStart().replace(/^refs\/tags\//, "");
    if (isUnreadableName(name)) continue;
    tags.push({ name, commit: tagged === "" ? object : tagged, subject, at: Number(seconds) * 1_000 });
  }
  return ok(tags);
}

/** Returns the object that a tag names; null = there is no such tag. */
async function readTag(git: Git, ref: string): Promise<string | null> {
  const read = await git.run(["rev-parse", "--quiet", "--verify", "--end-of-options", ref], { maxBytes });
  return read.ok ? read.value.toString("utf8").trim() : null;
}

/** Creates a tag without a message. Fails with bad_input, exists, not_found, no_commit, and like `Git.run`. */
export async function createTag(git: Git, tag: string, from: string): Promise<Result<null>> {
  const ref = `refs/tags/${tag}`;
  const checked = await git.run(["check-ref-format", ref], { maxBytes });
  if (tag.startsWith("-") || !checked.ok) return fail("bad_input", undefined, { field: "tag" });
  if ((await readTag(git, ref)) !== null) return fail("exists", undefined, { name: tag });
  const start = await findStart(git, from);
  if (!start.ok) return start;
  // A deleted tag comes back with its own message.
  const object = start.value.ref === from && from !== "HEAD" ? from : start.value.commit;
  const created = await git.run(["update-ref", ref, object, ""], { maxBytes, writes: true });
  return created.ok ? ok(null) : created;
}

/** Deletes a tag, and returns the object it named. Fails with not_found, and like `Git.run`. */
export async function deleteTag(git: Git, tag: string): Promise<Result<{ object: string }>> {
  const ref = `refs/tags/${tag}`;
  const object = await readTag(git, ref);
  if (object === null) return fail("not_found", tag);
  const deleted = await git.run(["update-ref", "-d", ref, object], { maxBytes, writes: true });
  return deleted.ok ? ok({ object }) : deleted;
}
