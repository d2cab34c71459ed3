/** Finds servers that download the newest version of a package at each start, and spells them with a version. Pure. */
import { isJsonObject } from "@/lib/events/content";
import { parseJson } from "@/server/base/parse-json";
import type { StdioServerConfig } from "./server-config";

export interface UnpinnedPackage {
  readonly registry: "npm" | "pypi";
  readonly name: string;
  /** Extras of a Python package, as in `[cli]`; "" = none. */
  readonly extras: string;
  /** Range or tag that it has in place of a version; "" = none. */
  readonly range: string;
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
    return name === undefined || exactVersion.test(version)
      ? null
      : { registry, name, extras: "", range: version, index, prefix };
  }
  const [, name, extras = "", version = ""] = pypiName.exec(word) ?? [];
  return name === undefined || exactPythonVersion.test(version)
    ? null
    : { registry, name, extras, range: "", index, prefix };
}

/** Returns the argument with the version, to be put at `index`. */
export function pinPackage({ registry, name, extras, prefix }: UnpinnedPackage, version: string): string {
  return `${prefix}${registry === "npm" ? `${name}@${version}` : `${name}${extras}==${version}`}`;
}

/** A program that finds the newest version of a package that this Node can run, without running or installing anything. */
interface VersionQuery {
  readonly program: string;
  readonly arguments: readonly string[];
  readonly input?: string;
}

const npmOptions: ReadonlySet<string> = new Set(["--registry"]);
const pythonOptions: ReadonlySet<string> = new Set(["--index-url", "--index", "--python"]);

/** Returns the query, of the package manager beside npx, npm or uv and with the options of the runner for registries. */
export function versionQuery(
  { command, args }: Pick<StdioServerConfig, "command" | "args">,
  found: UnpinnedPackage,
): VersionQuery {
  const { registry, name, range, index } = found;
  const options = optionsOf(args.slice(0, index), registry === "npm" ? npmOptions : pythonOptions);
  if (registry === "npm") {
    // It chooses as npx does: the newest version whose `engines` fit this Node. `npm view` does not.
    const program = ["npm", "npx"].includes(programName(command)) ? siblingOf(command, "npm") : "npm";
    const spec = range === "" || range === "latest" ? name : `${name}@${range}`;
    return { program, arguments: ["pack", spec, "--dry-run", "--json", "--ignore-scripts", ...options] };
  }
  // Only packages that are built: building one would run its code.
  const compile = ["pip", "compile", "-", "--no-deps", "--no-header", "--no-annotate", "--only-binary", ":all:"];
  return { program: siblingOf(command, "uv"), arguments: [...compile, ...options], input: `${name}\n` };
}

/** The program of that name in the folder of the command, if the command has one. */
function siblingOf(command: string, program: string): string {
  const folder = programName(command) === "cmd" ? "" : command.slice(0, command.search(/[^\\/]*$/));
  return `${folder}${program}`;
}

function optionsOf(words: readonly string[], names: ReadonlySet<string>): readonly string[] {
  return words.flatMap((word, index) => {
    if (names.has(word)) return [word, words[index + 1] ?? ""];
    return names.has(word.split("=", 1)[0] ?? "") ? [word] : [];
  });
}

/** Returns the version in the output of a query; null = it has none. */
export function readFoundVersion({ registry, name }: UnpinnedPackage, output: string): string | null {
  if (registry === "npm") {
    const packages = parseJson(output);
    const packed = Array.isArray(packages) ? packages[0] : undefined;
    const version = isJsonObject(packed) ? packed.version : undefined;
    return typeof version === "string" && exactVersion.test(version) ? version : null;
  }
  const lines = output.split("\n").map((line) => /^([\w.-]+)(?:\[[^\]]*\])?==([^\s;]+)/.exec(line));
  const line = lines.find((one) => one !== null && normalName(one[1] ?? "") === normalName(name));
  const version = line?.[2] ?? "";
  return exactPythonVersion.test(version) ? version : null;
}

/** Names of Python packages that differ in case and separators only are one name. */
const normalName = (name: string): string => name.toLowerCase().replace(/[-_.]+/g, "-");
