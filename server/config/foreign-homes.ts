/** The configuration files of other programs that are present below the user's home. */
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { fail, ok, type Result } from "@/lib/events/error";
import { type ForeignConfigFile, foreignConfigFiles } from "@/lib/settings/foreign-config";
import { limits } from "@/lib/settings/settings";

const paths: Readonly<Record<ForeignConfigFile, string>> = {
  kore: ".config/kore/config.yaml",
  kimi: ".kimi/config.toml",
  golem: ".golem/config.json",
  "llama-cli": ".llama-cli/config.json",
};

/** Returns those that exist, with their paths below `~`. Never rejects. */
export async function findForeignFiles(
  userHome: string,
): Promise<readonly { readonly file: ForeignConfigFile; readonly path: string }[]> {
  const found = await Promise.all(
    foreignConfigFiles.map(async (file) => ((await sizeOf(join(userHome, paths[file]))) === null ? [] : [file])),
  );
  return found.flat().map((file) => ({ file, path: `~/${paths[file]}` }));
}

/** Reads one. Fails with not_found, too_large, no_permission. */
export async function readForeignFile(userHome: string, file: ForeignConfigFile): Promise<Result<string>> {
  const path = join(userHome, paths[file]);
  const size = await sizeOf(path);
  if (size === null) return fail("not_found");
  if (size > limits.configMaxChars) return fail("too_large");
  try {
    return ok(await readFile(path, "utf8"));
  } catch {
    return fail("no_permission");
  }
}

/** Bytes; null = there is no such file. */
async function sizeOf(path: string): Promise<number | null> {
  try {
    const found = await stat(path);
    return found.isFile() ? found.size : null;
  } catch {
    return null;
  }
}
