/** Finds servers that download the newest version of a package at each start, and spells them with a version. Pure. */
import type { StdioServerConfig } from "./server-config";

export interface UnpinnedPackage {
  readonly registry: "npm" | "pypi";
  readonly name: string;
  /** Extras of a Python package, as in `[cli]`; "" = none. */
  readonly extras: string;
  /** Position of the argument that names it, and what precedes the name there (`--package=`). */
  readonly index: number;
  readonly prefix: string;
}

const npmName = /^(@[\w.~-]+\/[\w.~-]+|[\w.~-]+)(?:@(.*))?$/;
const pypiName = /^([\w.-]+)(\[[\w,.-]+\])?(?:(?:==|@)(.*))?$/;
const exactVersion = /^v?\d+\.\d+\.\d+(?:[-+.][\w.+-]+)?$/;
const exactPythonVersion = /^\d+(?:\.\d+)+(?:[\w.+-]*)$/;

/** Runners, and the words that follow the program when it runs a package. */
const runners: readonly { readonly words: readonly string[]; readonly registry: UnpinnedPackage["registry"] }[] = [
  { words: ["npx"], registry: "npm" },
  { words: ["bunx"], registry: "npm" },
  { words: ["npm", "exec"], registry: "npm" },
  { words: ["npm", "x"], registry: "npm" },
  { words: ["pnpm", "dlx"], registry: "npm" },
  { words: ["yarn", "dlx"], registry: "npm" },
  { words: ["bun", "x"], registry: "npm" },
  { words: ["uvx"], registry: "pypi" },
  { words: ["uv", "tool", "run"], registry: "pypi" },
];
const packageOptions: ReadonlySet<string> = new Set(["-p", "--package", "--from", "--spec"]);
const optionsWithValue: ReadonlySet<string> = new Set(["--python", "--with", "--index-url", "--registry", "--index"]);

/** Null = it does not download a package, or its version is fixed. */
export function findUnpinnedPackage({
  command,
  args,
}: Pick<StdioServerConfig, "command" | "args">): UnpinnedPackage | null {
  const words = [programName(command), ...args];
  // On Windows these programs are run by the command interpreter.
  const skipped = words[0] === "cmd" && words[1]?.toLowerCase() === "/c" ? 2 : 0;
  const rest = [programName(words[skipped] ?? ""), ...words.slice(skipped + 1)];
  const runner = runners.find((one) => one.words.every((word, index) => rest[index] === word));
  if (runner === undefined) return null;
  const start = skipped + runner.words.length - 1;
  const found = findPackageWord(args.slice(start));
  return found === null ? null : readPackage(runner.registry, found.word, start + found.index, found.prefix);
}

const programName = (command: string): string =>
  (command.split(/[\\/]/).at(-1) ?? "").replace(/\.(?:cmd|exe|ps1)$/i, "").toLowerCase();

function findPackageWord(
  words: readonly string[],
): { readonly word: string; readonly index: number; readonly prefix: string } | null {
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? "";
    const [option = "", value] = word.split(/=(.*)/s);
    if (packageOptions.has(option)) {
      if (value !== undefined) return { word: value, index, prefix: `${option}=` };
      return { word: words[index + 1] ?? "", index: index + 1, prefix: "" };
    }
    if (optionsWithValue.has(word)) index += 1;
    else if (!word.startsWith("-")) return { word, index, prefix: "" };
  }
  return null;
}

function readPackage(
  registry: UnpinnedPackage["registry"],
  word: string,
  index: number,
  prefix: string,
): UnpinnedPackage | null {
  // A folder, an archive or a repository.
  if (word === "" || /^(?:[./~]|[\w+]+:)/.test(word)) return null;
  if (registry === "npm") {
    const [, name, version = ""] = npmName.exec(word) ?? [];
    return name === undefined || exactVersion.test(version) ? null : { registry, name, extras: "", index, prefix };
  }
  const [, name, extras = "", version = ""] = pypiName.exec(word) ?? [];
  return name === undefined || exactPythonVersion.test(version) ? null : { registry, name, extras, index, prefix };
}

/** Returns the arguments with the version. */
export function pinPackage(args: readonly string[], found: UnpinnedPackage, version: string): readonly string[] {
  const { registry, name, extras, index, prefix } = found;
  const spelled = registry === "npm" ? `${name}@${version}` : `${name}${extras}==${version}`;
  return args.map((word, at) => (at === index ? `${prefix}${spelled}` : word));
}
