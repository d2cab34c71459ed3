import { describe, expect, test } from "vitest";
import { type SkillView, type SkillWarning, skillNoticeKinds, skillProblemKinds } from "@/lib/tools/skills";
import { renderLoaded, testClient } from "../../shell/frame/test-render";
import { testProject } from "../tools/test-server";
import { formatItemAddress, parseItemAddress } from "../item-section/open-item";
import { SkillPage } from "./skill-page";

const draw = (more: Partial<SkillView>): Promise<string> => {
  const skill: SkillView = {
    folder: "/home/ada/.gopi/skills/pdf",
    name: "pdf",
    description: "Fills in forms.",
    compatibility: "",
    status: "on",
    isManual: false,
    lineTokens: 12,
    textTokens: 800,
    warnings: [],
    ...more,
  };
  return renderLoaded(testClient(), <SkillPage skill={skill} project={testProject} />);
};

describe("the page of a skill", () => {
  test("has its words, folder, cost, switch and command", async () => {
    const page = await draw({});
    for (const text of ["Fills in forms.", "/home/ada/.gopi/skills/pdf", "12 tokens in the list", "/skill:pdf"])
      expect(page).toContain(text);
    expect(page).toMatch(/role="switch"[^>]*aria-checked="true"|aria-checked="true"[^>]*role="switch"/);
  });

  test("draws what its author says as plain text", async () => {
    const page = await draw({ description: "<img src=x> **bold** [link](https://e.example)\u202e" });
    expect(page).toContain("&lt;img src=x&gt; **bold** [link](https://e.example)");
    expect(page).not.toMatch(/<img|<strong|href="https/);
    expect(page).toContain('data-kind="bidi"');
  });

  test.each<[SkillView["status"], string]>([
    ["shadowed", "Another skill of this name comes first:"],
    ["unusable", "Can't be used"],
  ])("of one that is %s says so and has no switch", async (status, text) => {
    const page = await draw({
      status,
      ...(status === "shadowed" ? { shadowedBy: "/work/shop/.gopi/skills/pdf" } : {}),
    });
    expect(page).toContain(text);
    expect(page).not.toContain('role="switch"');
  });
});

test.each<SkillWarning["kind"]>([...skillProblemKinds, ...skillNoticeKinds])(
  "the warning %s is a sentence with its line and values",
  async (kind) => {
    const page = await draw({ warnings: [{ kind, line: 7, detail: "DETAIL", count: 1_234, limit: 999 }] });
    const [, sentence = ""] = /<p[^>]*>(Line 7: [^<]+)<\/p>/.exec(page) ?? [];
    expect(sentence.length).toBeGreaterThan(40);
    expect(sentence).not.toContain("undefined");
  },
);

test("an address of a skill gives its project and folder", () => {
  const address = formatItemAddress("skill", "p1", "/home/ada/my skills/pdf");
  expect(parseItemAddress("skill", address)).toBe("p1//home/ada/my skills/pdf");
  expect(parseItemAddress("skill", "mcp/p1/x")).toBeNull();
});
