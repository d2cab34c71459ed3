// The plans of `npm test`: which parts run, in which lanes, and the options of the command. Node built-ins only.
import { parseArgs } from "node:util";

/**
 * The lanes of each plan run at the same time, the parts of a lane one after the other. Parts that need the built product
 * wait for the build, wherever it runs. Two or three lanes keep two cores busy, because tests wait often.
 */
const everything = [
  ["build", "e2e", "product", "versions"],
  ["unit", "laws"],
  ["lint", "types"],
];

export const plans = {
  all: everything,
  full: everything,
  fast: [["lint", "types"], ["unit"]],
  lint: [["lint"]],
  types: [["types"]],
  unit: [["unit"]],
  laws: [["laws"]],
  product: [["build", "product"]],
  build: [["build"]],
  e2e: [["build", "e2e"]],
  versions: [["versions"]],
};

/** Plans whose last arguments are filters of files. */
const withFilters = ["unit", "laws", "product", "e2e"];

export const helpText = `npm test [-- PART [FILTER …]] [-- --shard I/N]

Without a part: everything that must pass before a change lands.
  fast              lint, types and unit tests
  lint              rules, format and spelling of the files that changed since all passed (.ci/checked.json)
  types             types of the whole tree
  unit [FILTER]     unit tests; with a filter also the laws that match it
  laws [FILTER]     properties, bounds, kills; real model servers and MCP conformance if their code changed
  product [FILTER]  the built product as a process, without a browser (e2e/product)
  build             builds what is stale
  e2e [FILTER]      the built product in a real browser (e2e/**/*.spec.ts); with a filter also the variants that only
                    the full run has
  versions          unit tests of files, processes and network on Node 24
  full              everything, with all browser tests, all cases of laws and soaks and every supported Node version
  --shard I/N       the I-th of N parts of all tests, for several machines
  --help            this text

A failed test is repeated alone, but not a property, whose cases are random. If it passes then, the run is green and
.ci/unstable.json names it.
`;

/**
 * Parses the arguments after `npm test --`. Returns `help: true`, a `problem` in words, or the plan, its filters, the
 * shard ("1/2" or null) and whether every case runs.
 */
export function parseTestArguments(args) {
  let parsed;
  try {
    parsed = parseArgs({
      args,
      allowPositionals: true,
      options: { help: { type: "boolean", short: "h" }, shard: { type: "string" } },
    });
  } catch (error) {
    return { problem: `${error.message.split(". ")[0]}. See: npm test -- --help` };
  }
  const { help, shard = null } = parsed.values;
  if (help) return { help: true };
  const [plan = "all", ...filters] = parsed.positionals;
  if (!(plan in plans)) return { problem: `npm test has no part "${plan}". See: npm test -- --help` };
  if (filters.length > 0 && !withFilters.includes(plan))
    return { problem: `"${plan}" takes no filter: ${filters.join(" ")}` };
  const [, index, total] = /^([1-9]\d?)\/([1-9]\d?)$/.exec(shard ?? "1/1") ?? [];
  if (index === undefined || Number(index) > Number(total))
    return { problem: `--shard is I/N, such as 1/2, not ${shard}` };
  return { plan, filters, shard, isFull: plan === "full" || Boolean(process.env.GOPI_FULL) };
}
