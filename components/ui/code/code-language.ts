/** Highlighter grammar of a Markdown fence or a file name; null = no highlighting. */

const codeLanguages = [
  "c",
  "cpp",
  "csharp",
  "css",
  "diff",
  "docker",
  "go",
  "html",
  "ini",
  "java",
  "javascript",
  "json",
  "jsonc",
  "jsx",
  "kotlin",
  "lua",
  "make",
  "markdown",
  "php",
  "python",
  "ruby",
  "rust",
  "scss",
  "shellscript",
  "sql",
  "svelte",
  "swift",
  "toml",
  "tsx",
  "typescript",
  "vue",
  "xml",
  "yaml",
] as const;
export type CodeLanguage = (typeof codeLanguages)[number];

const aliases: Readonly<Record<string, CodeLanguage>> = {
  "c++": "cpp",
  cc: "cpp",
  cxx: "cpp",
  hpp: "cpp",
  hh: "cpp",
  h: "c",
  "c#": "csharp",
  cs: "csharp",
  patch: "diff",
  dockerfile: "docker",
  golang: "go",
  htm: "html",
  cfg: "ini",
  conf: "ini",
  properties: "ini",
  js: "javascript",
  mjs: "javascript",
  cjs: "javascript",
  json5: "jsonc",
  jsonl: "json",
  kt: "kotlin",
  kts: "kotlin",
  makefile: "make",
  mk: "make",
  md: "markdown",
  mdx: "markdown",
  py: "python",
  python3: "python",
  rb: "ruby",
  rs: "rust",
  sass: "scss",
  sh: "shellscript",
  bash: "shellscript",
  zsh: "shellscript",
  shell: "shellscript",
  console: "shellscript",
  ts: "typescript",
  mts: "typescript",
  cts: "typescript",
  svg: "xml",
  yml: "yaml",
};

const findLanguage = (name: string): CodeLanguage | null =>
  codeLanguages.find((language) => language === name) ??
  (Object.hasOwn(aliases, name) ? (aliases[name] ?? null) : null);

/** Returns the language of a fence from the first word of its info string. */
export function languageOfFence(info: string): CodeLanguage | null {
  const word =
    info
      .trim()
      .split(/[\s{,:]/)[0]
      ?.toLowerCase() ?? "";
  return findLanguage(word);
}

/** Returns the language of a file by its extension; Makefile and Dockerfile by the whole name. */
export function languageOfPath(path: string): CodeLanguage | null {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  return findLanguage(name) ?? findLanguage(name.slice(name.lastIndexOf(".") + 1));
}
