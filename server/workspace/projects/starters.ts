/** Selects starter tasks for a new session by what is in its folder. Pure. */
import type { ProjectView } from "@/lib/protocol/answers";

/**
 * Returns up to three tasks. `names` = the entries of the project's top folder, which is the
 * top of a git repository with commits if `hasCommit`.
 */
export function selectStarters(names: readonly string[], hasCommit: boolean): ProjectView["starters"] {
  if (names.every((name) => name.startsWith("."))) return ["new"];
  const has = (pattern: RegExp): boolean => names.some((name) => pattern.test(name));
  const hasTests = testPatterns.some(has);
  const isCode = hasTests || codePatterns.some(has);
  if (!isCode) return has(documentPattern) ? ["summarize", "proofread"] : ["explain"];
  const next = hasCommit ? "review" : has(/^(tsconfig|package)\.json$/i) ? "types" : "tidy";
  return ["explain", hasTests ? "tests" : "write_tests", has(/^readme/i) ? next : "readme"];
}

const codePatterns = [
  /^(src|lib|app|cmd|internal|packages)$/,
  /^(package\.json|go\.mod|cargo\.toml|pyproject\.toml|requirements\.txt|setup\.(py|cfg)|pom\.xml|build\.gradle(\.kts)?)$/i,
  /^(gemfile|makefile|cmakelists\.txt|composer\.json)$/i,
  /\.(c|cc|cpp|cs|go|java|js|jsx|kt|lua|mjs|php|py|rb|rs|sh|swift|ts|tsx|vue|zig)$/i,
] as const;

const testPatterns = [/^(tests?|specs?|__tests__|e2e)$/i, /[._-](test|spec)s?\.[a-z]+$/i, /^test_.+\.py$/i] as const;

const documentPattern = /^docs?$|\.(md|txt|rst|adoc|org|tex|docx?)$/i;
