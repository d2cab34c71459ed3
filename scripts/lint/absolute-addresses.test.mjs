/** The rule of eslint.config.mjs for addresses in the interface, whose pages may be below a path of their origin. */
import { ESLint } from "eslint";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const eslint = new ESLint({ cwd: fileURLToPath(new URL("../..", import.meta.url)) });

async function isRefused(code) {
  const [result] = await eslint.lintText(`${code}\n`, { filePath: "components/search/new-link.tsx" });
  return result.messages.some(({ message }) => message.includes("withBasePath"));
}

test.each([
  'export const A = () => <a href="/history">x</a>;',
  'export const A = () => <a href={"/history"}>x</a>;',
  "export const A = ({ id }) => <a href={`/s/${id}`}>x</a>;",
  'void fetch("/api/call");',
  'request.open("POST", `/api/file?${query}`);',
  'history.pushState(null, "", "/history");',
  'navigator.serviceWorker.register("/service-worker.js");',
])("%s is refused", async (code) => expect(await isRefused(code)).toBe(true));

test.each([
  'export const A = () => <a href={withBasePath("/history")}>x</a>;',
  'export const A = () => <a href="#rules">x</a>;',
  'export const A = () => <a href="https://ollama.com">x</a>;',
  'void fetch(withBasePath("/api/call"));',
  'navigate("/history");',
])("%s is accepted", async (code) => expect(await isRefused(code)).toBe(false));
