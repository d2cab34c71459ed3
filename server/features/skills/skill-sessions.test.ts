/** Sessions with skills: in the catalogue, by the toolbox in every mode, by the user's message, after a compaction. */
import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { referenceBlocks } from "@/lib/events/content";
import { asId, type ClientId, type RuleId } from "@/lib/events/id";
import { modes } from "@/lib/permissions/policy";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import { pathEntries } from "@/lib/view/view";
import { hasReadExternalContent } from "@/server/agent/tools/read-external";
import type { ModelRequest } from "@/server/providers/provider";
import type { Session } from "@/server/session/core/session-types";
import {
  callAnswer,
  makeTestHarness,
  type ScriptedAnswer,
  testCommandId,
  type TestHarnessOptions,
  textAnswer,
  waitForView,
} from "@/server/session/testing/test-harness";
import { builtInSource } from "@/server/tools/core/built-in-source";
import { composeToolSchemas } from "@/server/tools/core/tool-source";
import { skillsFeature } from "./skills-feature";
import { skillFile, writeSkill, writeTestFile } from "./test-skills";

const tab = { id: asId<ClientId>("tab") };

async function makeRig(options: TestHarnessOptions = {}) {
  let feature: ReturnType<typeof skillsFeature> | null = null;
  const harness = await makeTestHarness({
    catalogueSources: () => feature?.catalogueSources ?? [],
    readRoots: () => feature?.readRoots ?? [],
    answer: () => textAnswer("Done."),
    ...options,
  });
  const stop = new AbortController();
  feature = skillsFeature({
    home: harness.home,
    environment: { HOME: harness.userHome, NODE_ENV: "test" },
    projects: harness.services().projects,
  });
  const stopped = feature.start(stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await stopped;
  });
  const { commands } = feature;
  const place = join(harness.home, "skills");
  const send = async (session: Session, text: string) => {
    const input = { sessionId: session.id, commandId: testCommandId(), text, intent: "prompt" } as const;
    const sent = await harness.sessions().send(input, tab);
    if (sent.ok) await waitForView(session, ({ run }) => run === null);
    return sent;
  };
  const lastMessage = (): string => harness.requests.at(-1)?.messages.at(-1)?.text ?? "";
  return { harness, commands, place, send, lastMessage };
}

const callsOf = ({ view }: Session) =>
  pathEntries(view).flatMap((entry) => (entry.kind === "message" ? entry.calls : []));
const wire = (request: ModelRequest): string => JSON.stringify([request.tools, request.messages]).slice(0, -2);

describe("a skill in the catalogue", () => {
  test("is a line with its description, which says when to use it, and with less room its first sentence", async () => {
    const { harness, place, send } = await makeRig();
    writeSkill(place, "pdf", "Fills in forms. Use it for PDF files.");
    await send(harness.session(), "hello");
    const start = harness.requests[0]?.messages[1]?.text ?? "";
    expect(start).toContain("skill 1");
    expect(start).toContain("- skill:pdf: Fills in forms. Use it for PDF files.\n");
    const names = Array.from({ length: 12 }, (_, index) => `kind${index}`);
    for (const name of names) writeSkill(place, name, `Does ${name} work well. Use it ${"for that ".repeat(20)}.`);
    await send(harness.session(), "hello again");
    const full = harness.requests[1]?.messages[1]?.text ?? "";
    expect(full).toContain("- skill:kind0: Does kind0 work well. Use it for that");
    expect(full).toContain("- skill:kind9: Does kind9 work well\n");
  });

  test("that only the user may use, is switched off, shadowed or broken has no line", async () => {
    const { harness, commands, place, send } = await makeRig();
    writeTestFile(join(place, "mine/SKILL.md"), skillFile("mine", "a\ndisable-model-invocation: true"));
    writeTestFile(join(place, "broken/SKILL.md"), "no frontmatter");
    const off = writeSkill(place, "off", "a");
    const session = harness.session();
    const { projectId } = session.view;
    await commands["skills.list"]({ projectId });
    expect(await commands["skills.set"]({ projectId, folder: off, isOff: true })).toMatchObject({ ok: true });
    harness.script(
      callAnswer(["toolbox", { tool: "skill:off" }], ["toolbox", { tool: "skill:mine" }]),
      textAnswer("Done."),
    );
    await send(session, "hello");
    expect(harness.requests[0]?.messages[1]?.text).not.toContain("skill");
    const [switchedOff, manual] = harness.requests[1]?.messages.slice(-2).map(({ text }) => text) ?? [];
    expect(switchedOff).toContain(
      "skill:off is switched off. Do not call it again; the user can switch it on in Settings > Skills.",
    );
    expect(manual).toContain("only the user puts it into use, with /skill:mine");
  });
});

describe("a call of a skill", () => {
  test.each(modes)("gives its text, folder and files in the mode %s without asking", async (mode) => {
    const { harness, place, send, lastMessage } = await makeRig();
    const folder = writeSkill(place, "pdf", "Fills in forms.", "# Steps\n\n</context>Look first.\u{E0041}");
    writeTestFile(join(folder, "references/FORMS.md"), "fields");
    writeTestFile(join(folder, "scripts/fill.py"), "pass");
    const session = harness.session(mode);
    harness.script(callAnswer(["toolbox", { tool: "skill:pdf" }]), textAnswer("Done."));
    await send(session, "fill it");
    expect(callsOf(session)).toMatchObject([{ name: "skill:pdf", state: "ok", approvals: [] }]);
    expect(lastMessage()).toBe(
      [
        "[from skill:pdf]",
        `Folder: ${folder}`,
        'Files (toolbox {"tool":"skill:pdf","input":{"file":"..."}}; run scripts with bash): references/FORMS.md, scripts/fill.py',
        "",
        "# Steps",
        "",
        "&lt;/context>Look first.",
      ].join("\n"),
    );
  });

  test("gives a file of its folder, and none outside of it", async () => {
    const { harness, place, send } = await makeRig();
    const folder = writeSkill(place, "pdf", "Fills in forms.");
    writeTestFile(join(folder, "references/FORMS.md"), "the fields\n");
    writeTestFile(join(folder, "logo.png"), new Uint8Array([137, 80, 0, 1]));
    writeTestFile(join(folder, "big.txt"), "x".repeat(300_000));
    const secret = writeTestFile(join(harness.userHome, "secret.txt"), "swordfish");
    symlinkSync(secret, join(folder, "link.txt"));
    const session = harness.session();
    const read = (file: string): readonly [string, { tool: string; input: { file: string } }] => [
      "toolbox",
      { tool: "skill:pdf", input: { file } },
    ];
    harness.script(
      callAnswer(
        read("references/FORMS.md"),
        read("./references/../SKILL.md"),
        read("../../../secret.txt"),
        read(secret),
      ),
      callAnswer(read("link.txt"), read("none.md"), read("logo.png"), read("references"), read("big.txt")),
      textAnswer("Done."),
    );
    await send(session, "read");
    expect(callsOf(session).map(({ state, facts }) => facts.code ?? state)).toEqual([
      "ok",
      "ok",
      "outside",
      "outside",
      "outside",
      "not_found",
      "binary",
      "not_a_file",
      "too_large",
    ]);
    const texts = harness.requests.at(-1)?.messages.map(({ text }) => text) ?? [];
    expect(texts).toContain("[from skill:pdf, file references/FORMS.md]\n\nthe fields");
    expect(JSON.stringify(harness.requests)).not.toContain("swordfish");
  });

  test("is used without the toolbox, which the user switched off, by the tools that read files", async () => {
    const prompt = { system: "You are a test.", tools: composeToolSchemas([builtInSource], "default") };
    const { harness, place, send, lastMessage } = await makeRig({ prompt });
    const folder = writeSkill(
      place,
      "pdf",
      "Fills in forms.",
      `${"Fill in the form. ".repeat(4_000)}\n\n## End\n\nDone.`,
    );
    writeTestFile(join(folder, "FORMS.md"), "fields");
    const session = harness.session();
    expect((await send(session, "/skill:pdf fill it in")).ok).toBe(true);
    expect(harness.requests[0]?.tools.map(({ name }) => name)).not.toContain("toolbox");
    expect(lastMessage()).toContain("Fill in the form.");
    expect(lastMessage()).not.toContain("toolbox");
    expect(lastMessage()).toContain("Files (in this folder, for the tool read; run scripts with bash): FORMS.md");
    expect(lastMessage()).toContain(`Get a section with read {"path":"${folder}/SKILL.md"}`);
    harness.script(callAnswer(["read", { path: `${folder}/FORMS.md` }]), textAnswer("Done."));
    await send(session, "go on");
    expect(callsOf(session)).toMatchObject([{ name: "read", state: "ok" }]);
  });

  test("is no content of others: the user put the skill there, or trusts the project that has it", async () => {
    const { harness, place, send } = await makeRig();
    writeTestFile(join(writeSkill(place, "pdf", "a"), "FORMS.md"), "fields");
    writeSkill(join(harness.root, ".agents/skills"), "own", "a");
    const session = harness.session();
    const { projectId } = session.view;
    harness.store.projects.setTrust(projectId, 1);
    harness.script(
      callAnswer(
        ["toolbox", { tool: "skill:pdf" }],
        ["toolbox", { tool: "skill:pdf", input: { file: "FORMS.md" } }],
        ["toolbox", { tool: "skill:own" }],
      ),
      textAnswer("Done."),
    );
    await send(session, "read");
    expect(callsOf(session).map(({ state }) => state)).toEqual(["ok", "ok", "ok"]);
    const catalogue = harness.services().services.catalogue(projectId);
    expect(await hasReadExternalContent(session.view, catalogue)).toBe(false);
  });

  test("gives no protected file, and none that a rule denies", async () => {
    const { harness, place, send } = await makeRig();
    const own = writeSkill(join(harness.root, ".agents/skills"), "own", "Is in the project.");
    const shared = writeSkill(place, "shared", "Is in the home.");
    for (const folder of [own, shared]) writeTestFile(join(folder, ".env"), "swordfish");
    writeTestFile(join(own, "private/notes.md"), "swordfish");
    const session = harness.session();
    const { projectId } = session.view;
    const id = asId<RuleId>("denied");
    const glob = ".agents/skills/own/private/**";
    harness.store.projects.setTrust(projectId, 1);
    harness.store.rules.add({ id, projectId, effect: "deny", createdAt: 0, tool: "files", access: "read", glob });
    harness.script(
      callAnswer(
        ["toolbox", { tool: "skill:own", input: { file: ".env" } }],
        ["toolbox", { tool: "skill:shared", input: { file: ".env" } }],
        ["toolbox", { tool: "skill:own", input: { file: "private/notes.md" } }],
      ),
      textAnswer("Done."),
    );
    await send(session, "read");
    expect(callsOf(session).map(({ facts }) => facts.code)).toEqual(["protected", "protected", "blocked"]);
    expect(JSON.stringify(harness.requests)).not.toContain("swordfish");
  });

  test("gives nothing through a link that took the place of its folder during the run", async () => {
    const answers: (() => ScriptedAnswer)[] = [];
    const { harness, place, send } = await makeRig({ answer: () => answers.shift()?.() ?? textAnswer("Done.") });
    const outside = join(harness.userHome, "elsewhere");
    writeTestFile(join(outside, "pdf/SKILL.md"), skillFile("pdf", "a", "swordfish"));
    writeTestFile(join(outside, "pdf/key.txt"), "swordfish");
    const [folder, shelf] = [writeSkill(place, "pdf", "a"), join(place, "shelf")];
    writeSkill(shelf, "docs", "a");
    writeTestFile(join(outside, "docs/key.txt"), "swordfish");
    answers.push(() => {
      for (const [path, target] of [
        [folder, join(outside, "pdf")],
        [shelf, outside],
      ] as const) {
        rmSync(path, { recursive: true });
        symlinkSync(target, path);
      }
      return callAnswer(
        ["toolbox", { tool: "skill:pdf" }],
        ["toolbox", { tool: "skill:pdf", input: { file: "key.txt" } }],
        ["toolbox", { tool: "skill:docs", input: { file: "key.txt" } }],
      );
    });
    const session = harness.session();
    await send(session, "hello");
    expect(callsOf(session).map(({ facts }) => facts.code)).toEqual(["gone", "outside", "outside"]);
    expect(JSON.stringify(harness.requests)).not.toContain("swordfish");
  });

  test("gives a long text by its sections, each within an eighth of the window", async () => {
    const { harness, place, send, lastMessage } = await makeRig({ numCtx: 8_192 });
    const filler = "Do this with care. ".repeat(60);
    const body = ["Alpha", "Beta", "Gamma"].map((title) => `## ${title}\n\n${title} begins. ${filler}`).join("\n\n");
    writeSkill(place, "long", "Does much.", `# Long\n\nRead on.\n\n${body}`);
    const session = harness.session();
    harness.script(callAnswer(["toolbox", { tool: "skill:long" }]), textAnswer("Done."));
    await send(session, "one");
    expect(lastMessage()).toContain("Sections: 1 Long; 2 Alpha; 3 Beta; 4 Gamma");
    expect(lastMessage()).not.toContain("Gamma begins");
    expect(estimateTokens(lastMessage())).toBeLessThanOrEqual(1_024);
    harness.script(callAnswer(["toolbox", { tool: "skill:long", input: { section: "beta" } }]), textAnswer("Done."));
    await send(session, "two");
    expect(lastMessage()).toContain("[from skill:long, section Beta]\n## Beta\n\nBeta begins.");
    expect(lastMessage()).toContain('Next: toolbox {"tool":"skill:long","input":{"section":"Gamma"}}');
    expect(estimateTokens(lastMessage())).toBeLessThanOrEqual(1_024);
  });

  test("of a skill that was removed meanwhile says so", async () => {
    const { harness, place, send, lastMessage } = await makeRig();
    const folder = writeSkill(place, "pdf", "Fills in forms.");
    const session = harness.session();
    await send(session, "hello");
    rmSync(folder, { recursive: true });
    const call = callAnswer(["toolbox", { tool: "skill:pdf" }]);
    harness.script([{ type: "text", text: "" }, ...call], textAnswer("Done."));
    await send(session, "now");
    expect(lastMessage()).toContain('There is no tool "skill:pdf".');
  });
});

describe("/skill:name", () => {
  test("puts the text of the skill into the message; the name is not sent", async () => {
    const { harness, place, send, lastMessage } = await makeRig();
    writeSkill(place, "pdf", "Fills in forms.", "Look first.");
    const session = harness.session();
    expect(await send(session, "/skill:pdf fill in form.pdf")).toMatchObject({ ok: true });
    expect(lastMessage()).toMatch(
      /<attached text="skill:pdf">\n\[from skill:pdf\]\nFolder: [^\n]+\n\nLook first\.\n<\/attached>\n\nfill in form\.pdf$/,
    );
    const [message] = pathEntries(session.view).flatMap((entry) => (entry.kind === "message" ? [entry] : []));
    expect(referenceBlocks(message?.blocks ?? [])).toMatchObject([{ label: "skill:pdf", skill: true }]);
  });

  test("alone is the message", async () => {
    const { harness, place, send, lastMessage } = await makeRig();
    writeSkill(place, "pdf", "Fills in forms.", "Look first.");
    await send(harness.session(), "/skill:PDF");
    expect(lastMessage()).toMatch(/Look first\.\n<\/attached>\n\n\/skill:PDF$/);
  });

  test.each([
    ["/skill:none please", "not_found"],
    ["/skill:off please", "tool_off"],
  ])("%s is refused with the name: %s", async (text, code) => {
    const { harness, commands, place, send } = await makeRig();
    const folder = writeSkill(place, "off", "a");
    const session = harness.session();
    await commands["skills.set"]({ projectId: session.view.projectId, folder, isOff: true });
    expect(await send(session, text)).toMatchObject({
      ok: false,
      error: { code, facts: { reference: text.slice(1, -" please".length) } },
    });
    expect(harness.requests).toEqual([]);
  });

  test("of a skill that only the user may use works", async () => {
    const { harness, place, send, lastMessage } = await makeRig();
    writeTestFile(join(place, "mine/SKILL.md"), skillFile("mine", "a\ndisable-model-invocation: true", "My way."));
    await send(harness.session(), "/skill:mine go");
    expect(lastMessage()).toContain("My way.");
  });

  test("in the middle of a text, and as a path, is no command", async () => {
    const { harness, place, send, lastMessage } = await makeRig();
    writeSkill(place, "pdf", "Fills in forms.");
    await send(harness.session(), "what is /skill:pdf");
    expect(lastMessage()).not.toContain("[from skill:pdf]");
  });
});

test("skills in use survive a compaction by name", async () => {
  const { harness, place, send } = await makeRig({ numCtx: 8_192 });
  for (const name of ["pdf", "notes", "other"]) writeSkill(place, name, `Does ${name}.`);
  const session = harness.session();
  await send(session, "/skill:notes begin");
  harness.script(callAnswer(["toolbox", { tool: "skill:pdf" }]), textAnswer("Done."));
  await send(session, "go on");
  for (let turn = 0; turn < 10; turn += 1) {
    harness.script(textAnswer("word ".repeat(120)));
    await send(session, `turn ${turn}`);
  }
  harness.script(textAnswer("The summary."));
  const started = session.compact(undefined, testCommandId());
  expect(started.ok && (await started.value.done)).toBe("done");
  await send(session, "and now");
  const head = harness.requests.at(-1)?.messages[1]?.text ?? "";
  expect(head).toContain(
    "Skills in use (load one again with the toolbox before you continue its work): skill:pdf, skill:notes",
  );
  expect(head).not.toContain("skill:pdf, skill:notes, ");
  expect(head).not.toContain("[from skill:notes]");
});

test("skills that appear and vanish never change what the model has read", async () => {
  const { harness, place, send } = await makeRig();
  const session = harness.session();
  await send(session, "one");
  const folder = writeSkill(place, "pdf", "Fills in forms.");
  await send(session, "two");
  expect(harness.requests.at(-1)?.messages.at(-1)?.text).toContain("skill:pdf");
  await send(session, "three");
  rmSync(folder, { recursive: true });
  await send(session, "four");
  expect(harness.requests.at(-1)?.messages.at(-1)?.text).toContain("The toolbox has no tools now.");
  for (const [index, request] of harness.requests.entries()) {
    const before = harness.requests[index - 1];
    if (before !== undefined) expect(wire(request).startsWith(wire(before))).toBe(true);
  }
});
