/** The search for llama.cpp's server, with real folders and programs. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findEngineProgram, readHelpOptions } from "./engine-program";
import { engineArguments } from "./host/engine-process";

const never = new AbortController().signal;

const help = `----- common params -----

-h,    --help, --usage                  print usage and exit
--jinja, --no-jinja                     whether to use the jinja template engine
-sps,  --slot-prompt-similarity SIMILARITY
                                        how much the prompt of a request must match the prompt of a slot
--ui,  --webui, --no-ui, --no-webui     whether to enable the Web UI (see --port)
`;

function makePlace() {
  const root = mkdtempSync(join(tmpdir(), "gopi-program-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const put = (path: string, version: string | null): string => {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    const lines = [
      `[ "$1" = --version ] && echo "version: ${version} (abc)"`,
      `[ "$*" = --help ] && /bin/cat <<'E'\n${help}E`,
    ];
    writeFileSync(file, version === null ? "#!/bin/sh\nexit 1\n" : `#!/bin/sh\n${lines.join("\n")}\ntrue\n`, {
      mode: 0o755,
    });
    return file;
  };
  const find = (environment: NodeJS.Dict<string> = {}, chosen = "") =>
    findEngineProgram(
      {
        // The shell and its programs, but no llama-server.
        environment: { PATH: join(root, "bin"), HOME: root, ...environment },
        folder: join(root, "engine"),
        chosen,
      },
      never,
    );
  return { root, put, find };
}

test("the chosen program is used before the named one, that of the PATH, of package managers, and the fetched one", async () => {
  const { put, find } = makePlace();
  const fetched = put("engine/program/llama/llama-server", "1");
  expect(await find()).toMatchObject({ ok: true, value: { program: fetched, isInstalled: true } });
  const conda = put("miniforge3/bin/llama-server", "2");
  expect(await find()).toMatchObject({ ok: true, value: { program: conda, isInstalled: false } });
  const inPath = put("bin/llama-server", "3");
  expect(await find()).toMatchObject({ ok: true, value: { program: inPath, version: "3 (abc)" } });
  const named = put("named", "4");
  expect(await find({ GOPI_LLAMA_SERVER: named })).toMatchObject({ ok: true, value: { program: named } });
  const chosen = put("chosen", "5");
  expect(await find({ GOPI_LLAMA_SERVER: named }, chosen)).toMatchObject({ ok: true, value: { program: chosen } });
});

test("a chosen path that is no program is reported, with what is there", async () => {
  const { root, find } = makePlace();
  const script = join(root, "price.js");
  writeFileSync(script, "0", { mode: 0o644 });
  for (const [program, place] of [
    [join(root, "none"), "nothing"],
    [join(script, "below"), "nothing"],
    [root, "folder"],
    [script, "file"],
  ] as const)
    expect(await find({}, program)).toMatchObject({
      ok: false,
      error: { code: "engine_missing", facts: { program, place } },
    });
});

test("a chosen program that is missing or does not run is reported, whatever else is there", async () => {
  const { root, put, find } = makePlace();
  put("bin/llama-server", "1");
  const none = join(root, "none");
  expect(await find({}, none)).toMatchObject({
    ok: false,
    error: { code: "engine_missing", facts: { program: none } },
  });
  const broken = put("broken", null);
  expect(await find({}, broken)).toMatchObject({
    ok: false,
    error: { code: "engine_ended", facts: { program: broken } },
  });
});

test("a folder with the program's name is passed over, and a program without its loader does not run here", async () => {
  const { root, put, find } = makePlace();
  mkdirSync(join(root, "bin", "llama"), { recursive: true });
  expect(await find()).toEqual({ ok: true, value: null });
  const foreign = put("foreign", "1");
  writeFileSync(foreign, "#!/nowhere/loader\n");
  expect(await find({}, foreign)).toMatchObject({ ok: false, error: { code: "engine_incompatible" } });
});

test("a named program that is missing does not hide the fetched one", async () => {
  const { put, find } = makePlace();
  const fetched = put("engine/program/llama-server", "1");
  expect(await find({ GOPI_LLAMA_SERVER: "/nowhere" })).toMatchObject({ ok: true, value: { program: fetched } });
});

test("a program that does not run is passed over", async () => {
  const { put, find } = makePlace();
  put("bin/llama-server", null);
  expect(await find()).toMatchObject({ ok: false, error: { code: "engine_ended" } });
  const fetched = put("engine/program/llama-server", "1");
  expect(await find()).toMatchObject({ ok: true, value: { program: fetched } });
});

test("the program `llama` is called with `serve`, also when it was chosen", async () => {
  const { put, find } = makePlace();
  const llama = put("tools/llama", "1");
  expect(await find({}, llama)).toMatchObject({ ok: true, value: { program: llama, arguments: ["serve"] } });
});

test("an option that a version lacks is left out", async () => {
  const { put, find } = makePlace();
  put("bin/llama-server", "1");
  const found = await find();
  const program = found.ok ? found.value : null;
  if (program === null) throw new Error("no program");
  const load = { model: "m", file: "/m.gguf", window: 4_096 };
  const options = { memoryBytes: 2 ** 33 };
  const some = engineArguments(load, 1, { ...options, program });
  expect(some).toContain("--no-ui");
  expect(some).toContain("--slot-prompt-similarity");
  for (const lacking of ["--no-webui", "--cors-origins", "--cache-ram"]) expect(some).not.toContain(lacking);
  const all = engineArguments(load, 1, { ...options, program: { program: "x", arguments: [] } });
  for (const option of ["--no-webui", "--cors-origins", "--cache-ram", "--offline"]) expect(all).toContain(option);
});

test("options are read from the help, not from its explanations", () =>
  expect([...readHelpOptions(help)].toSorted()).toEqual(
    [
      ...["--help", "--usage", "--jinja", "--no-jinja", "--slot-prompt-similarity"],
      ...["--ui", "--webui", "--no-ui", "--no-webui"],
    ].toSorted(),
  ));
