import { expect, test } from "vitest";
import { headingName } from "./heading-name";

test.each([
  ["Second part", "second-part"],
  ["What's new? (2.0)", "whats-new-20"],
  ["安装 与 运行", "安装-与-运行"],
  ["snake_case and-dash", "snake_case-and-dash"],
])("the heading %j is named %j", (text, name) => {
  expect(headingName(text)).toBe(name);
  expect(headingName(name)).toBe(name);
});
