import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RuleTester } from "eslint";
import typescript from "typescript-eslint";
import { describe, it } from "vitest";
import { uniqueTypes } from "./unique-types.mjs";

RuleTester.describe = describe;
RuleTester.it = it;

const root = mkdtempSync(join(tmpdir(), "unique-types-"));
for (const folder of ["app", "components", "e2e", "lib", "server"]) mkdirSync(join(root, folder));
writeFileSync(join(root, "lib/answer.ts"), "export interface Answer {}\nexport interface Reply {}\ninterface Own {}\n");
writeFileSync(
  join(root, "server/answer.ts"),
  "export type Answer = string;\nexport class Reply2 {}\nexport type Own = 1;\n",
);

const options = [{ root }];
const filename = join(root, "server/answer.ts");
const tester = new RuleTester({ languageOptions: { parser: typescript.parser } });

tester.run("gopi/unique-types", uniqueTypes, {
  valid: [
    { code: "export class Reply2 {}", filename, options },
    { code: "export type Own = 1;", filename, options },
    { code: "type Answer = string;", filename, options },
    { code: "export interface Reply {}", filename: join(root, "lib/answer.ts"), options },
  ],
  invalid: [
    { code: "export type Answer = string;", filename, options, errors: [{ messageId: "twice" }] },
    { code: "export class Answer {}", filename, options, errors: [{ messageId: "twice" }] },
    {
      code: "export interface Answer {}",
      filename: join(root, "lib/answer.ts"),
      options,
      errors: [{ messageId: "twice" }],
    },
  ],
});
