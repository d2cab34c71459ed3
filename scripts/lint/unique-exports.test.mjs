import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RuleTester } from "eslint";
import typescript from "typescript-eslint";
import { describe, it } from "vitest";
import { uniqueExports } from "./unique-exports.mjs";

RuleTester.describe = describe;
RuleTester.it = it;

const root = mkdtempSync(join(tmpdir(), "unique-exports-"));
for (const folder of ["app", "components", "e2e", "lib", "server"]) mkdirSync(join(root, folder));
writeFileSync(join(root, "lib/answer.ts"), "export interface Answer {}\nexport interface Reply {}\ninterface Own {}\n");
writeFileSync(
  join(root, "lib/read.ts"),
  "export async function* readAll() {}\nexport const readOne =\n  (x) => x;\nexport const limits = { a: 1 };\nfunction own() {}\n",
);
writeFileSync(
  join(root, "server/answer.ts"),
  "export type Answer = string;\nexport class Reply2 {}\nexport type Own = 1;\n",
);

const options = [{ root }];
const filename = join(root, "server/answer.ts");
const tester = new RuleTester({ languageOptions: { parser: typescript.parser } });

tester.run("gopi/unique-exports", uniqueExports, {
  valid: [
    { code: "export class Reply2 {}", filename, options },
    { code: "export type Own = 1;", filename, options },
    { code: "type Answer = string;", filename, options },
    { code: "function readAll() {}", filename, options },
    { code: "export const limits = () => {};", filename, options },
    { code: "export const readAll = 1;", filename, options },
    { code: "export function own() {}", filename, options },
    { code: "export function readAll() {}", filename: join(root, "lib/read.ts"), options },
    { code: "export interface Reply {}", filename: join(root, "lib/answer.ts"), options },
  ],
  invalid: [
    { code: "export type Answer = string;", filename, options, errors: [{ messageId: "twice" }] },
    { code: "export function readAll() {}", filename, options, errors: [{ messageId: "twice" }] },
    { code: "export const readOne = (x) => x;", filename, options, errors: [{ messageId: "twice" }] },
    { code: "export const readAll = async () => {};", filename, options, errors: [{ messageId: "twice" }] },
    { code: "export class Answer {}", filename, options, errors: [{ messageId: "twice" }] },
    {
      code: "export interface Answer {}",
      filename: join(root, "lib/answer.ts"),
      options,
      errors: [{ messageId: "twice" }],
    },
  ],
});
