/** Web worker that highlights code. Grammars are loaded at their first use. */
import { createCssVariablesTheme, createHighlighterCore } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";
import type { CodeLanguage } from "./code-language";
import { colourLines } from "./colour-lines";
import type { HighlightResult, HighlightRequest } from "./highlighter";

const grammars = {
  c: () => import("shiki/langs/c.mjs"),
  cpp: () => import("shiki/langs/cpp.mjs"),
  csharp: () => import("shiki/langs/csharp.mjs"),
  css: () => import("shiki/langs/css.mjs"),
  diff: () => import("shiki/langs/diff.mjs"),
  docker: () => import("shiki/langs/docker.mjs"),
  go: () => import("shiki/langs/go.mjs"),
  html: () => import("shiki/langs/html.mjs"),
  ini: () => import("shiki/langs/ini.mjs"),
  java: () => import("shiki/langs/java.mjs"),
  javascript: () => import("shiki/langs/javascript.mjs"),
  json: () => import("shiki/langs/json.mjs"),
  jsonc: () => import("shiki/langs/jsonc.mjs"),
  jsx: () => import("shiki/langs/jsx.mjs"),
  kotlin: () => import("shiki/langs/kotlin.mjs"),
  lua: () => import("shiki/langs/lua.mjs"),
  make: () => import("shiki/langs/make.mjs"),
  markdown: () => import("shiki/langs/markdown.mjs"),
  php: () => import("shiki/langs/php.mjs"),
  python: () => import("shiki/langs/python.mjs"),
  ruby: () => import("shiki/langs/ruby.mjs"),
  rust: () => import("shiki/langs/rust.mjs"),
  scss: () => import("shiki/langs/scss.mjs"),
  shellscript: () => import("shiki/langs/shellscript.mjs"),
  sql: () => import("shiki/langs/sql.mjs"),
  svelte: () => import("shiki/langs/svelte.mjs"),
  swift: () => import("shiki/langs/swift.mjs"),
  toml: () => import("shiki/langs/toml.mjs"),
  tsx: () => import("shiki/langs/tsx.mjs"),
  typescript: () => import("shiki/langs/typescript.mjs"),
  vue: () => import("shiki/langs/vue.mjs"),
  xml: () => import("shiki/langs/xml.mjs"),
  yaml: () => import("shiki/langs/yaml.mjs"),
} satisfies Record<CodeLanguage, () => Promise<unknown>>;

const themeName = "gopi";
const theme = createCssVariablesTheme({ name: themeName, variablePrefix: "--code-", fontStyle: false });
const highlighter = createHighlighterCore({
  themes: [theme],
  engine: createJavaScriptRegexEngine({ forgiving: true }),
});

addEventListener("message", (event: MessageEvent<HighlightRequest>) => {
  const { id, code, language } = event.data;
  const answer = (lines: HighlightResult["lines"]): void => postMessage({ id, lines } satisfies HighlightResult);
  void (async () => {
    const core = await highlighter;
    await core.loadLanguage(grammars[language]());
    const { theme, colorMap } = core.setTheme(themeName);
    const replaced = theme.colorReplacements ?? {};
    const colourOf = (foreground: number): string => {
      const colour = colorMap[foreground] ?? "";
      return replaced[colour.toLowerCase()] ?? colour;
    };
    answer(colourLines(code, core.getLanguage(language), colourOf));
  })().catch(() => answer(null));
});
