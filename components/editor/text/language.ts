/** Detects a file's language by its name and loads its CodeMirror support on demand. */
import type { Extension } from "@codemirror/state";

export type Language =
  | "javascript"
  | "typescript"
  | "tsx"
  | "json"
  | "css"
  | "html"
  | "markdown"
  | "python"
  | "rust"
  | "go"
  | "java"
  | "cpp"
  | "php"
  | "sql"
  | "xml"
  | "yaml"
  | "vue"
  | "shell"
  | "toml"
  | "ruby"
  | "lua"
  | "dockerfile";

const languageByExtension: Readonly<Record<string, Language>> = {
  js: "javascript",
  mjs: "javascript",
  cjs: "javascript",
  jsx: "javascript",
  ts: "typescript",
  mts: "typescript",
  cts: "typescript",
  tsx: "tsx",
  json: "json",
  jsonc: "json",
  json5: "json",
  jsonl: "json",
  webmanifest: "json",
  css: "css",
  scss: "css",
  less: "css",
  html: "html",
  htm: "html",
  svelte: "html",
  md: "markdown",
  mdx: "markdown",
  markdown: "markdown",
  py: "python",
  pyi: "python",
  rs: "rust",
  go: "go",
  java: "java",
  c: "cpp",
  h: "cpp",
  cc: "cpp",
  cpp: "cpp",
  cxx: "cpp",
  hh: "cpp",
  hpp: "cpp",
  php: "php",
  sql: "sql",
  xml: "xml",
  svg: "xml",
  xsd: "xml",
  plist: "xml",
  yaml: "yaml",
  yml: "yaml",
  vue: "vue",
  sh: "shell",
  bash: "shell",
  zsh: "shell",
  toml: "toml",
  rb: "ruby",
  rake: "ruby",
  gemspec: "ruby",
  lua: "lua",
  dockerfile: "dockerfile",
};

const languageByName: Readonly<Record<string, Language>> = {
  dockerfile: "dockerfile",
  containerfile: "dockerfile",
  gemfile: "ruby",
  rakefile: "ruby",
  ".bashrc": "shell",
  ".bash_profile": "shell",
  ".profile": "shell",
  ".zshrc": "shell",
  ".envrc": "shell",
  ".babelrc": "json",
  ".eslintrc": "json",
  ".prettierrc": "json",
  "cargo.lock": "toml",
  "poetry.lock": "toml",
};

/** Detects the language by the whole file name, then by its extension; null = plain text. */
export function detectLanguage(path: string): Language | null {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const whole = Object.hasOwn(languageByName, name) ? languageByName[name] : undefined;
  if (whole !== undefined) return whole;
  if (/^(docker|container)file\./.test(name)) return "dockerfile";
  const dot = name.lastIndexOf(".");
  const ending = dot <= 0 ? "" : name.slice(dot + 1);
  return Object.hasOwn(languageByExtension, ending) ? (languageByExtension[ending] ?? null) : null;
}

const javascript = async (config: { readonly jsx?: boolean; readonly typescript?: boolean }): Promise<Extension> =>
  (await import("@codemirror/lang-javascript")).javascript(config);

const loaders: Readonly<Record<Language, () => Promise<Extension>>> = {
  javascript: () => javascript({ jsx: true }),
  typescript: () => javascript({ typescript: true }),
  tsx: () => javascript({ jsx: true, typescript: true }),
  json: async () => (await import("@codemirror/lang-json")).json(),
  css: async () => (await import("@codemirror/lang-css")).css(),
  html: async () => (await import("@codemirror/lang-html")).html(),
  markdown: async () => (await import("@codemirror/lang-markdown")).markdown(),
  python: async () => (await import("@codemirror/lang-python")).python(),
  rust: async () => (await import("@codemirror/lang-rust")).rust(),
  go: async () => (await import("@codemirror/lang-go")).go(),
  java: async () => (await import("@codemirror/lang-java")).java(),
  cpp: async () => (await import("@codemirror/lang-cpp")).cpp(),
  php: async () => (await import("@codemirror/lang-php")).php(),
  sql: async () => (await import("@codemirror/lang-sql")).sql(),
  xml: async () => (await import("@codemirror/lang-xml")).xml(),
  yaml: async () => (await import("@codemirror/lang-yaml")).yaml(),
  vue: async () => (await import("@codemirror/lang-vue")).vue(),
  shell: async () => legacyLanguage((await import("@codemirror/legacy-modes/mode/shell")).shell),
  toml: async () => legacyLanguage((await import("@codemirror/legacy-modes/mode/toml")).toml),
  ruby: async () => legacyLanguage((await import("@codemirror/legacy-modes/mode/ruby")).ruby),
  lua: async () => legacyLanguage((await import("@codemirror/legacy-modes/mode/lua")).lua),
  dockerfile: async () => legacyLanguage((await import("@codemirror/legacy-modes/mode/dockerfile")).dockerFile),
};

/** All languages, in alphabetical order. */
export const languages: readonly Language[] = Object.keys(loaders)
  .filter((name) => isLanguage(name))
  .sort();

function isLanguage(name: string): name is Language {
  return Object.hasOwn(loaders, name);
}

async function legacyLanguage<T>(parser: import("@codemirror/language").StreamParser<T>): Promise<Extension> {
  const { StreamLanguage } = await import("@codemirror/language");
  return StreamLanguage.define(parser);
}

/** Loads the support of a language; falls back to plain text if loading fails. */
export async function loadLanguage(language: Language | null): Promise<Extension> {
  if (language === null) return [];
  try {
    return await loaders[language]();
  } catch {
    return [];
  }
}
