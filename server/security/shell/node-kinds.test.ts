/**
 * The closed list of node types against the grammar itself, and the law behind it: whatever bash expands, in whatever
 * position of whatever statement, is judged.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { z } from "zod/mini";
import { loadGrammar, type Node } from "./bash-grammar";
import { nodeKind } from "./node-kinds";
import { makeDecisionFixture } from "../decisions/test-decision-fixture";

const fixture = makeDecisionFixture();

const file = createRequire(import.meta.url).resolve("tree-sitter-bash/src/node-types.json");
const grammarTypes = z
  .array(z.object({ type: z.string(), named: z.boolean() }))
  .parse(JSON.parse(readFileSync(file, "utf8")))
  .filter(({ type, named }) => named && !type.startsWith("_"))
  .map(({ type }) => type);

test("each node type of the grammar has a kind; another type has none", () => {
  expect(grammarTypes.length).toBeGreaterThan(50);
  expect(grammarTypes.filter((type) => nodeKind(type) === null)).toEqual([]);
  expect(nodeKind("some_new_type")).toBeNull();
});

/** Commands with `@` where bash expands a word; together they contain every node type of the grammar. */
const templates = [
  "echo @ 5 a@ 'b' $'c' {1..2}",
  'echo "@ c" $"d" $?',
  "@ x",
  "ls <@",
  "ls 2>@",
  "ls >/dev/null @",
  "<@ ls",
  "cat <<< @",
  'cat <<< "a @ b"',
  "<<< @ cat",
  "cat 0<<< @",
  "cat <<EOF\na @ b\nEOF",
  "cat <<-EOF\n\t@\n\tEOF",
  "cat <<EOF\n\"@\"\n'@'\nEOF",
  "cat <<EOF | head\n@\nEOF",
  "cat <<EOF && ls\n@\nEOF",
  "cat <<EOF > @\nx\nEOF",
  "cat <<EOF | head > @\nx\nEOF",
  "cat <<EOF || ls @\nx\nEOF",
  "{ ls; } <<EOF\n@\nEOF",
  "(ls) <<< @",
  "if ls <<< @; then pwd; fi",
  "while ls; do break; done <<< @",
  "case @ in a) ls ;; esac",
  'case "@" in a) ls ;; esac',
  "case a in @) ls ;; esac",
  "case a in b|@) ls ;; esac",
  "case a in @*) ls ;; esac",
  'case a in "@"|c) ls ;; esac',
  "case a in (@) ls ;; esac",
  "case a in a) ls @ ;; *) pwd ;; esac",
  "case a in ?(a)b) ls <<< @ ;; esac",
  "for x in @; do ls; done",
  "for x in a; do ls @; done",
  "select x in @; do ls; done",
  "for ((x=@; x<3; x++)); do ls; done",
  "while [ @ = a ]; do ls; done",
  "until [[ @ ]]; do ls; done",
  "if [ -f @ ]; then ls; elif [ a ]; then ls @; else ls @; fi",
  "if [ a ]; then ls; else ls <<< @; fi",
  "! ls @",
  "ls && pwd || cat @",
  "ls | cat <<< @",
  "(ls @)",
  "{ ls @; }",
  "(( @ ))",
  "(( x ? @ : 2 ))",
  "(( x++ + @ ))",
  "[[ -f a && ( @ == b* || -n c ) ]]",
  "[[ a =~ ^@ ]]",
  "[ @ -eq 1 ]",
  "x=@",
  "x=@ ls",
  "x=1 y=@",
  "a=(@ b)",
  "a[@]=1",
  "export x=@",
  "unset x@",
  "declare -i x=@",
  "f() { ls @; }",
  "f() { ls; } <<< @",
  "f() { ls; } > @",
  "echo $(ls @)",
  "echo $(<@)",
  "cat <(ls @)",
  "echo $((@))",
  "echo ${x:-@}",
  "echo ${x#@}",
  "echo ${a[@]} # @",
];

const hostile = ["${x@P}", "${!x}", "${x:y}", "${a[x]}", "${CDPATH:=/}", "$((x))", "$_", "${_}"];

test("the templates contain every node type", async () => {
  const seen = new Set<string>();
  const collect = (node: Node): void => {
    seen.add(node.type);
    for (const child of node.children) collect(child);
  };
  const parse = await loadGrammar();
  for (const template of templates)
    for (const word of ["$x", "${x}", "5"]) parse()(template.replaceAll("@", word), collect);
  // The grammar reads `$"…"` as a gap and a string.
  expect(grammarTypes.filter((type) => !seen.has(type))).toEqual(["translated_string"]);
});

test.each(templates.filter((template) => !template.includes("#")))(
  "%j runs unasked with no hostile expansion",
  async (template) => {
    const results = await Promise.all(
      hostile.map(async (word) => [
        word,
        await fixture.formattedDecision(template.replaceAll("@", word), { mode: "plan" }),
      ]),
    );
    expect(results.filter(([, decision]) => decision !== "refuse plan_mode")).toEqual([]);
  },
);
