/**
 * Chooses the program that formats a file: the one the project has installed or configured, else one of the user. All
 * read the text from standard input and write the formatted text to standard output.
 */
import { access, constants, stat } from "node:fs/promises";
import { posix } from "node:path";

interface Formatter {
  /** Name of its program. */
  readonly program: string;
  /** Extensions of the files it formats, in lower case and without a dot. */
  readonly extensions: readonly string[];
  /** Files of which one must be in the folder of the file or above it, inside the project; absent = none. */
  readonly configurations?: readonly string[];
  /** Folders above the file where a project installs it, beside those of PATH. */
  readonly installedIn: readonly string[];
  /** `path`: absolute path of the file. */
  arguments(path: string): readonly string[];
}

const nodePrograms = ["node_modules/.bin"];
const pythonPrograms = [".venv/bin", "venv/bin"];
const scripts = ["js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts"];
const styles = ["css", "scss", "less"];
const cFamily = ["c", "h", "cc", "cpp", "cxx", "hh", "hpp", "hxx", "m", "mm", "proto"];

/** In order of preference; a formatter with a configuration comes before those without. */
const formatters: readonly Formatter[] = [
  {
    program: "biome",
    extensions: [...scripts, "json", "jsonc", "css", "graphql", "gql", "html", "vue", "svelte", "astro"],
    configurations: ["biome.json", "biome.jsonc"],
    installedIn: nodePrograms,
    arguments: (path) => ["format", `--stdin-file-path=${path}`],
  },
  {
    program: "deno",
    extensions: [...scripts, "json", "jsonc", "md", "css", "html", "yml", "yaml"],
    configurations: ["deno.json", "deno.jsonc"],
    installedIn: [],
    arguments: (path) => ["fmt", "--ext", extensionOf(path), "-"],
  },
  {
    program: "prettier",
    extensions: [
      ...scripts,
      ...styles,
      ...[
        "json",
        "jsonc",
        "json5",
        "md",
        "mdx",
        "html",
        "vue",
        "svelte",
        "astro",
        "yml",
        "yaml",
        "graphql",
        "gql",
        "hbs",
      ],
    ],
    installedIn: nodePrograms,
    arguments: (path) => ["--stdin-filepath", path],
  },
  {
    program: "ruff",
    extensions: ["py", "pyi", "ipynb"],
    installedIn: pythonPrograms,
    arguments: (path) => ["format", "--stdin-filename", path, "-"],
  },
  {
    program: "black",
    extensions: ["py", "pyi"],
    installedIn: pythonPrograms,
    arguments: (path) => ["--quiet", "--stdin-filename", path, "-"],
  },
  { program: "gofmt", extensions: ["go"], installedIn: [], arguments: () => [] },
  {
    program: "rustfmt",
    extensions: ["rs"],
    installedIn: [],
    arguments: () => ["--edition", "2021", "--emit", "stdout"],
  },
  {
    program: "clang-format",
    extensions: cFamily,
    configurations: [".clang-format", "_clang-format"],
    installedIn: [],
    arguments: (path) => [`--assume-filename=${path}`],
  },
  { program: "shfmt", extensions: ["sh", "bash"], installedIn: [], arguments: (path) => ["--filename", path] },
  { program: "zig", extensions: ["zig"], installedIn: [], arguments: () => ["fmt", "--stdin"] },
  { program: "terraform", extensions: ["tf", "tfvars"], installedIn: [], arguments: () => ["fmt", "-"] },
  { program: "stylua", extensions: ["lua"], installedIn: [], arguments: (path) => ["--stdin-filepath", path, "-"] },
  { program: "taplo", extensions: ["toml"], installedIn: nodePrograms, arguments: () => ["format", "-"] },
];

interface ChosenFormatter {
  /** Name of the program. */
  readonly name: string;
  /** Absolute path of the program. */
  readonly program: string;
  readonly arguments: readonly string[];
  /** Working directory: the folder whose installation or configuration it uses. */
  readonly cwd: string;
}

/**
 * Returns the formatter of a file; null = none is installed. `root`: real path of the project; `path`: absolute path of
 * the file, inside it; `searchPath`: PATH without folders of the project.
 */
export async function chooseFormatter(root: string, path: string, searchPath: string): Promise<ChosenFormatter | null> {
  const folders = foldersUpTo(root, posix.dirname(path));
  const extension = extensionOf(path);
  for (const formatter of formatters.filter(({ extensions }) => extensions.includes(extension))) {
    const { configurations, installedIn, program: name } = formatter;
    const configured = configurations && (await findFirst(pathsIn(folders, configurations), isReadable));
    if (configured === null) continue;
    const installed = await findFirst(
      pathsIn(
        folders,
        installedIn.map((place) => posix.join(place, name)),
      ),
      isExecutable,
    );
    const program =
      installed ?? (await findFirst(pathsIn(searchPath.split(":").filter(posix.isAbsolute), [name]), isExecutable));
    if (program === null) continue;
    const base = folders.find((folder) => (configured ?? installed)?.startsWith(`${folder}/`)) ?? root;
    return { name, program, arguments: formatter.arguments(path), cwd: base };
  }
  return null;
}

const extensionOf = (path: string): string => posix.extname(path).slice(1).toLowerCase();

/** Returns the folder and those above it, up to the project's. */
function foldersUpTo(root: string, folder: string): readonly string[] {
  return folder === root || folder === posix.dirname(folder)
    ? [folder]
    : [folder, ...foldersUpTo(root, posix.dirname(folder))];
}

const pathsIn = (folders: readonly string[], names: readonly string[]): readonly string[] =>
  folders.flatMap((folder) => names.map((name) => posix.join(folder, name)));

async function findFirst(
  paths: readonly string[],
  isMatch: (path: string) => Promise<boolean>,
): Promise<string | null> {
  for (const path of paths) if (await isMatch(path)) return path;
  return null;
}

const isReadable = (path: string): Promise<boolean> => isAccessible(path, constants.R_OK);

async function isExecutable(path: string): Promise<boolean> {
  // Folders are executable too.
  return (await isAccessible(path, constants.X_OK)) && (await stat(path)).isFile();
}

const isAccessible = (path: string, mode: number): Promise<boolean> =>
  access(path, mode).then(
    () => true,
    () => false,
  );
