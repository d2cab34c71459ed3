/** Each command line of the program that the README and the pages for users show is accepted and does its work. */
import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { productProgram } from "../../fixtures/server";
import { SoakProduct } from "../../soak/soak-product";

const root = join(dirname(productProgram), "..");
const pages = [
  "README.md",
  "README.zh-CN.md",
  ...readdirSync(join(root, "docs/user")).map((name) => `docs/user/${name}`),
];

/**
 * The tour and `serve` run until they are stopped or change the user's services, `init` needs a terminal, https a certificate,
 * an image a container engine; each has a test of its own.
 */
const needsMore = /--demo|--tls-cert|(?:gopi-web|npm start --) (?:init|serve)\b|^(?:npm pack|docker|FROM)\b/;

/** In a clone `npm start --` stands for `gopi-web`. */
const isProgram = /\b(?:npm start|(?:npx )?gopi-web|node bin\/gopi-web\.mjs)(?=$|\s)/;

/** Returns the code of a page: lines of shell blocks without their comments, and commands in a sentence or a table. */
function shownCode(text: string): readonly string[] {
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, block = ""]) => block.split("\n"));
  const inline = [...text.replaceAll(/^```.*?^```/gms, "").matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);
  return [...blocks, ...inline.filter((code) => isProgram.test(code.split(" ").slice(0, 2).join(" ")))].map((line) =>
    line.replace(/ +#.*/, "").trim(),
  );
}

const runnable = (line: string): string =>
  line
    .replaceAll(/ \[[^\]]*\]/g, "")
    .replace(/\bID\b/, "$GOPI_SESSION")
    .replace(/\brun$/, 'run "Say hi"')
    .replace(/(?<= eval\b)(?!.*--task).*/, " --task off-by-one$&");

const commands = new Set(
  pages
    .flatMap((page) => shownCode(readFileSync(join(root, page), "utf8")))
    .filter((line) => isProgram.test(line) && !needsMore.test(line))
    .map(runnable),
);

let subject: SoakProduct;
let session = "";
beforeAll(async () => {
  subject = await SoakProduct.start();
  mkdirSync(join(subject.place.root, "code/shop"), { recursive: true });
  const { project } = subject.place;
  writeFileSync(join(project, "README.md"), "# A project\n");
  session = await subject.newSession("ask");
  await makeAutomation("Review my changes");
  mkdirSync(join(subject.place.home, "workflows"), { recursive: true });
  writeFileSync(
    join(subject.place.home, "workflows/tests.yaml"),
    'inputs: { only: { default: "" } }\nsteps:\n  - prompt: Run the tests of ${{ inputs.only }}\n',
  );
  execFileSync("git", ["init", "--quiet"], { cwd: project });
  execFileSync("git", ["add", "--intent-to-add", "README.md"], { cwd: project });
});
/** Makes an automation that may run: one that was rehearsed. */
async function makeAutomation(name: string): Promise<void> {
  const trigger = { kind: "none" };
  const definition = { name, projectId: subject.projectId, prompt: "Review", mode: "ask", cardMinutes: 0, trigger };
  const { id } = await subject.callOrThrow("automations.save", { id: undefined, definition });
  await subject.callOrThrow("automations.rehearse", { id });
  const isRehearsed = async (): Promise<boolean> => {
    const { automations } = await subject.callOrThrow("automations.list", {});
    return automations.some(({ rehearsal }) => rehearsal?.outcome === "done");
  };
  while (!(await isRehearsed()));
}
afterAll(async () => expect(await subject.end()).toEqual([]));

/** `npm start` installs, builds and starts the program with its own arguments. */
const asInstalled = `
gopi-web() { "$GOPI_NODE" "$GOPI_PROGRAM" "$@"; }
npx() { "$@"; }
npm() { shift; [ "$1" = -- ] && shift; gopi-web "$@"; }
node() { shift; gopi-web "$@"; }
`;

test.each([...commands])("%s", async (line) => {
  subject.model.setScript({ models: ["m:8b", "qwen3:8b", "gpt-oss:20b"] });
  const { home, project, environment } = subject.place;
  const own = { GOPI_HOME: home, GOPI_NODE: process.execPath, GOPI_PROGRAM: productProgram, GOPI_SESSION: session };
  const env = { ...environment, ...own };
  const running = promisify(execFile)("bash", ["-c", `set -o pipefail\n${asInstalled}${line}`], { cwd: project, env });
  running.child.stdin?.end();
  await running;
});
