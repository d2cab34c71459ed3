/** Checks that the native SQLite module is compatible with the running Node before it is imported. */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** First major version with binaries for Node-API 10, which crash an older Node when loaded. */
const napiMajor = 13;
const napiVersion = 10;

interface NativeModuleOptions {
  /** Folder of this program, with its package.json. */
  readonly program: string;
  /** Folder of the installed better-sqlite3; null = not installed. */
  readonly module: string | null;
  readonly versions: { readonly node: string; readonly napi?: string };
  /** Loads the module; throws Node's error if the binary is incompatible. */
  load(): void;
}

/** Returns why the module cannot be used by this Node, with a repair command; null = it can. */
export function nativeModuleProblem(options: NativeModuleOptions = installedModule()): string | null {
  const { module } = options;
  if (module === null) return describeProblem("is not installed", options);
  const version = readModuleVersion(module);
  if (majorOf(version) >= napiMajor && !hasNodeApi(options))
    return describeProblem(`${version} was made for Node 22.14 and later`, options);
  try {
    options.load();
    return null;
  } catch (error) {
    if (!isWrongBinary(error)) throw error;
    return describeProblem(`${version} was built for another version of Node`, options);
  }
}

/** True if the binary is missing or built for another Node, system or processor. */
const isWrongBinary = (error: unknown): boolean =>
  error instanceof Error &&
  (("code" in error && (error.code === "ERR_DLOPEN_FAILED" || error.code === "MODULE_NOT_FOUND")) ||
    error.message.startsWith("Could not locate the bindings file"));

const hasNodeApi = ({ versions }: NativeModuleOptions): boolean => Number(versions.napi ?? 0) >= napiVersion;

const isCheckout = ({ program }: NativeModuleOptions): boolean => existsSync(join(program, "scripts", "start.mjs"));

/** Node, and the module for it, as packages of npm. */
const newerNodeCommand = `npx --yes --package=node@24 --package=better-sqlite3@${napiMajor} --package=gopi-web gopi-web`;

function describeProblem(problem: string, options: NativeModuleOptions): string {
  const { node } = options.versions;
  if (options.module === null && !hasNodeApi(options) && !isCheckout(options))
    return (
      `gopi-web cannot open its database: better-sqlite3 could not be installed for Node ${node}, for which it is ` +
      `downloaded from github.com or compiled. Use Node 22.14+, which needs neither, for example: ${newerNodeCommand}`
    );
  return `gopi-web cannot open its database: better-sqlite3 ${problem}; this is Node ${node}. Repair it with: ${repairCommand(options)}`;
}

/**
 * In a checkout `npm start` reinstalls the module; otherwise the matching version is installed over the existing one.
 */
function repairCommand(options: NativeModuleOptions): string {
  const { program, module } = options;
  if (isCheckout(options)) return `npm start --prefix ${shellQuoted(program)}`;
  const mark = `${sep}node_modules${sep}`;
  const owner = module === null ? program : module.slice(0, module.lastIndexOf(mark));
  // Dev dependencies are omitted in the package's own folder, but not in a user's project.
  const own = owner === program ? " --omit=dev" : "";
  const wanted = hasNodeApi(options) ? "--ignore-scripts better-sqlite3@13" : "better-sqlite3@12";
  return `npm install --prefix ${shellQuoted(owner)} --no-save${own} ${wanted}`;
}

const shellQuoted = (path: string): string => (/^[\w@%+=:,./-]+$/.test(path) ? path : `"${path}"`);

const majorOf = (version: string): number => Number(version.split(".", 1)[0]);

function readModuleVersion(folder: string): string {
  const content: unknown = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return typeof content === "object" && content !== null && "version" in content ? String(content.version) : "";
}

function installedModule(): NativeModuleOptions {
  const require = createRequire(import.meta.url);
  return {
    program: fileURLToPath(new URL("../..", import.meta.url)).replace(/[/\\]$/, ""),
    module: findModuleFolder(require),
    versions: process.versions,
    load() {
      const Database: unknown = require("better-sqlite3");
      if (typeof Database === "function") Reflect.construct(Database, [":memory:"]).close();
    },
  };
}

function findModuleFolder(require: NodeJS.Require): string | null {
  try {
    return dirname(dirname(require.resolve("better-sqlite3")));
  } catch {
    return null;
  }
}
