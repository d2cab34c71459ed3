import { expect, test } from "vitest";
import { type ParsedModelName, parseModelName } from "./parse-model-name";

const installed = [{ name: "qwen3:8b" }, { name: "router/own:latest" }];
const connections = [
  { id: "router", model: "" },
  { id: "cellar", model: "m1" },
];
const cases: readonly [text: string, ParsedModelName][] = [
  ["qwen3:8b", { name: "qwen3:8b" }],
  ["nobody", { name: "nobody" }],
  ["hf.co/a/b:Q4", { name: "hf.co/a/b:Q4" }],
  ["router/own:latest", { name: "router/own:latest" }],
  ["router/qwen/qwen3:free", { name: "qwen/qwen3:free", connection: "router" }],
  ["cellar", { name: "m1", connection: "cellar" }],
  ["cellar/m2", { name: "m2", connection: "cellar" }],
  ["router", { name: "", connection: "router" }],
  ["router/", { name: "router/" }],
];
test.each(cases)("%j names %j", (text, named) => expect(parseModelName(text, installed, connections)).toEqual(named));
