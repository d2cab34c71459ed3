import { expect, test } from "vitest";
import { completeChat, type Completion } from "./complete-chat";

const files = ["src/menu.ts", "src/main.ts", "docs/my file.md", "说明.md"];
const names = {
  models: async () => ["qwen3:8b", "qwen3:14b", "lab/phi4"],
  skills: async () => ["release"],
  files: async (query: string) => files.filter((path) => [...query].every((letter) => path.includes(letter))),
};

test.each<[line: string, completion: Completion]>([
  ["/", [["/new", "/model", "/mode", "/compact", "/title", "/exit", "/help"], "/"]],
  ["/mo", [["/model", "/mode"], "/mo"]],
  ["/s", [["/skill:release"], "/s"]],
  ["/x", [[], "/x"]],
  ["/mode p", [["plan"], "p"]],
  ["/model qw", [["qwen3:8b", "qwen3:14b"], "qw"]],
  ["/model lab/", [["lab/phi4"], "lab/"]],
  ["see @src/m", [["@src/menu.ts", "@src/main.ts"], "@src/m"]],
  ["@mnu", [["@src/menu.ts"], "@mnu"]],
  ["看 @说", [["@说明.md"], "@说"]],
  ["see @docs", [['@"docs/my file.md"'], "@docs"]],
  ['see @"docs', [['@"docs/my file.md"'], '@"docs']],
  ["me@src", [[], "me@src"]],
  ["hello", [[], "hello"]],
  ["", [[], ""]],
])("completes %j", async (line, completion) => {
  expect(await completeChat(line, names)).toEqual(completion);
});
