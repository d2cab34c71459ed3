import { expect, it } from "vitest";
import { helpText, parseTestArguments, plans } from "./test-plan.mjs";

it.each([
  [[], { plan: "all", filters: [], shard: null }],
  [["e2e", "approval", "share"], { plan: "e2e", filters: ["approval", "share"], shard: null }],
  [["--shard", "2/3"], { plan: "all", filters: [], shard: "2/3" }],
  [["unit", "--shard=1/2", "lib"], { plan: "unit", filters: ["lib"], shard: "1/2" }],
])("reads %j", (args, request) => {
  expect(parseTestArguments(args)).toMatchObject(request);
});

it.each([
  [["ent"], 'no part "ent"'],
  [["lint", "lib"], "takes no filter: lib"],
  [["--shard", "3/2"], "not 3/2"],
  [["--shard", "0/2"], "not 0/2"],
  [["--shard", "half"], "not half"],
  [["--only"], "--help"],
])("refuses %j", (args, words) => {
  expect(parseTestArguments(args).problem).toContain(words);
});

it("asks for help in both spellings", () => {
  for (const option of ["--help", "-h"]) expect(parseTestArguments([option])).toEqual({ help: true });
});

it("describes every part in the help text", () => {
  for (const plan of Object.keys(plans).filter((name) => name !== "all")) expect(helpText).toContain(`  ${plan}`);
});
