import { describe, expect, test } from "vitest";
import type { McpServerView } from "@/lib/tools/mcp";
import { renderLoaded, testClient } from "../../../shell/frame/test-render";
import { ServerPage } from "./server-page";
import { makeServer, makeTool, testProject } from "../test-server";

const draw = (more: Partial<McpServerView>): Promise<string> =>
  renderLoaded(testClient(), <ServerPage server={makeServer(more)} project={testProject} />);
/** The names of the buttons, in their order. */
const buttonsOf = (page: string): readonly string[] =>
  [...page.matchAll(/<button[^>]*data-look[^>]*>([^<]+)<\/button>/g)].map(([, name = ""]) => name);

describe("the page of a server", () => {
  test("of a project's file has no switch of that file; its approval can be withdrawn", async () => {
    const ofProject = {
      isOfProject: true,
      file: "/home/ada/shop/.mcp.json",
      alsoIn: [`${testProject.path}/.cursor/mcp.json`],
    };
    const unapproved = await draw({ ...ofProject, status: "unapproved" });
    expect(buttonsOf(unapproved)).toEqual(["Test and approve", "Log"]);
    expect(buttonsOf(await draw({ ...ofProject, status: "idle" }))).toEqual(["Withdraw approval", "Log"]);
    expect(unapproved).toContain("Remove it there.");
    expect(unapproved).toContain(".cursor/mcp.json, which isn't used for this name.");
  });

  test("shows the id that its tools have where it is not the name, and the project's file before the approval", async () => {
    const file = `${testProject.path}/.mcp.json`;
    const page = await draw({ id: "mine2", name: "mine", isOfProject: true, file, status: "unapproved" });
    expect(page).toMatch(/<code[^>]*>mine2<\/code>/);
    expect(page).toContain("It comes from this project's .mcp.json.");
    expect(await draw({ status: "unapproved" })).not.toContain("It comes from");
    expect(await draw({ id: "mine", name: "mine" })).not.toMatch(/<code[^>]*>mine<\/code>/);
  });

  test("asks for the values that are not set before it asks for the approval", async () => {
    const values = [
      { name: "input:token", description: "Token of the <b>tracker</b>", isSecret: true, from: "none" },
      { name: "HOST", isSecret: false, from: "environment" },
    ] as const;
    const page = await draw({ status: "unapproved", values });
    expect(page.indexOf("Not set")).toBeLessThan(page.indexOf("Not approved yet"));
    expect(page).toContain("From gopi-web's environment");
    expect(page).toContain("Token of the &lt;b&gt;tracker&lt;/b&gt;");
    expect(page.match(/type="password"/g)).toHaveLength(1);
    expect(page).not.toContain("The project's file asks");
    expect(await draw({ isOfProject: true, values })).toContain("The project's file asks");
  });

  test("that is not approved shows the whole command and what approving does", async () => {
    const page = await draw({ status: "unapproved" });
    expect(page).toContain("Not approved yet");
    expect(page).toContain("npx -y server-files@1.2.3 'my folder'");
    expect(page).toContain("This starts it once, lists its tools, and ends it.");
    expect(page).toContain("Its tools are listed once it is approved.");
    expect(buttonsOf(page)).toEqual(["Test and approve", "Disable", "Log", "Remove"]);
    expect(page.match(/data-look="primary"/g)).toHaveLength(1);
  });

  test("at an address shows the address and its headers, and what approving does", async () => {
    const launch = { command: [], address: "https://mcp.example.com/mcp", variables: ["Authorization"] };
    const page = await draw({ status: "unapproved", launch });
    expect(page).toContain("https://mcp.example.com/mcp");
    expect(page).toContain("This server receives what the model passes to its tools.");
    expect(page).toContain("This connects to it once, lists its tools, and disconnects.");
    expect(page).toContain("Authorization");
    const idle = await draw({ status: "idle", launch });
    expect(idle).toContain("Not connected, connects at its first call");
    expect(idle).toContain(">Address<");
  });

  test("that requires a sign-in offers it first; signed in, it offers to sign out", async () => {
    const launch = { command: [], address: "https://mcp.example.com/mcp", variables: [] };
    const signedOut = await draw({ status: "unapproved", launch, signIn: "signed_out" });
    expect(signedOut).toContain("This server requires you to sign in.");
    expect(buttonsOf(signedOut)).toEqual(["Sign in", "Test and approve", "Disable", "Log", "Remove"]);
    expect(signedOut.match(/data-look="primary"/g)).toHaveLength(1);
    expect(signedOut).toContain(">Signed out<");
    const signedIn = await draw({ status: "idle", launch, signIn: "signed_in" });
    expect(buttonsOf(signedIn)).toEqual(["Disable", "Sign out", "Log", "Remove"]);
    expect(signedIn).toContain(">Signed in<");
  });

  test("that failed shows the reason with the last lines, and offers to try again", async () => {
    const page = await draw({
      status: "failed",
      error: { code: "tool_failed", facts: { reason: "exited", exit: 1, signal: null, lines: ["no <b>token</b>"] } },
      tools: [makeTool("read")],
    });
    expect(page).toContain("It ended with exit code 1.");
    expect(page).toContain("no &lt;b&gt;token&lt;/b&gt;");
    expect(page).toContain("It approves the tools as they are then.");
    expect(buttonsOf(page)).toEqual(["Test and approve", "Disable", "Log", "Remove"]);
  });

  test.each<[McpServerView["status"], string, readonly string[]]>([
    ["idle", "Not running, starts at its first call · 1 tool · 100 tokens", ["Disable", "Log", "Remove"]],
    ["running", "Running · 1 tool · 100 tokens", ["Stop", "Disable", "Log", "Remove"]],
    ["disabled", "Disabled · 1 tool · 100 tokens", ["Enable", "Log", "Remove"]],
  ])("that is %s says %s and has its actions", async (status, text, buttons) => {
    const page = await draw({ status, tools: [makeTool("read")] });
    expect(page).toContain(text);
    expect(buttonsOf(page)).toEqual(buttons);
    expect(page).toContain("npx -y server-files@1.2.3 'my folder'");
  });

  test("that is starting has a counter and can be stopped", async () => {
    const page = await draw({ status: "starting", since: Date.now() });
    expect(page).toMatch(/Starting, \d+/);
    expect(buttonsOf(page)).toEqual(["Stop", "Disable", "Log", "Remove"]);
  });

  test("that the project defines cannot be removed here", async () => {
    const page = await draw({ isOfProject: true, file: "/work/shop/.mcp.json" });
    expect(buttonsOf(page)).toEqual(["Withdraw approval", "Log"]);
    expect(page).toContain("The project's file defines this server. Remove it there.");
  });

  test("names its variables and its file", async () => {
    const page = await draw({ launch: { command: ["a"], variables: ["API_KEY", "API_HOST"] } });
    expect(page).toContain("API_KEY, API_HOST");
    expect(page).toContain("/home/ada/.gopi-web/mcp.json");
  });

  test("warns of a package without a version, and pins it unless the project's file has it", async () => {
    const home = await draw({ unpinned: { isPinning: false } });
    expect(home).toContain("runs the newest version of the package from npm");
    expect(buttonsOf(home)).toContain("Pin");
    expect(buttonsOf(await draw({ unpinned: { isPinning: true } }))).toContain("Stop");
    const ofProject = await draw({ unpinned: { isPinning: false }, isOfProject: true });
    expect(ofProject).toContain("such as name@1.2.3");
    expect(buttonsOf(ofProject)).not.toContain("Pin");
    expect(await draw({})).not.toContain("newest version");
  });

  test("says what is missing in the list of its tools", async () => {
    const page = await draw({ tools: [makeTool("read")], listProblems: ["too_many"] });
    expect(page).toContain("The list has more than 500 tools; the rest is left out.");
  });

  test("draws what the server says as plain text, marked as its own words", async () => {
    const hostile = "<img src=x> **bold** [link](https://e.example)\u202e";
    const page = await draw({
      instructions: hostile,
      tools: [makeTool("read", { definition: { description: hostile, parameters: {} } })],
    });
    expect(page).toContain("In the server's own words.");
    expect(page).toMatch(/<q[^>]*>&lt;img src=x&gt; \*\*bold\*\* \[link\]\(https:\/\/e\.example\)</);
    expect(page).not.toMatch(/<img|<strong|<b>|href="https/);
    expect(page.match(/data-kind="bidi"/g)).toHaveLength(2);
  });
});

describe("its tools", () => {
  test("have a switch, a pin and their tokens; an unusable one has its reason only", async () => {
    const page = await draw({
      tools: [
        makeTool("read", { isPinned: true }),
        makeTool("write", { status: "off" }),
        makeTool("odd", { status: "unusable", detail: "Over 64 KB." }),
      ],
    });
    expect(page).toMatch(
      /aria-checked="true"[^>]*aria-label="Offer read to the model"|aria-label="Offer read[^>]*aria-checked="true"/,
    );
    expect(page).toMatch(
      /aria-checked="false"[^>]*aria-label="Offer write to the model"|aria-label="Offer write[^>]*aria-checked="false"/,
    );
    expect(page).toContain('aria-label="Unpin read"');
    expect(page).toContain('aria-label="Pin write"');
    expect(page).toContain("Can't be used");
    expect(page).toContain("Over 64 KB.");
    expect(page).not.toContain("Offer odd");
    expect(page).toContain("Switches apply at once to calls through the toolbox.");
  });

  test("that changed, are new or gone are first, with a decision each", async () => {
    const page = await draw({
      tools: [
        makeTool("read", {
          status: "changed",
          definition: { description: "Reads. Sends it away.", parameters: { type: "object" } },
          approved: { description: "Reads.", parameters: { type: "object" } },
        }),
        makeTool("spy", { status: "new" }),
        makeTool("old", { status: "gone" }),
        makeTool("write"),
      ],
    });
    expect(page).toContain("The server's tools have changed");
    for (const name of ["Approve change: read", "Approve: spy", "Forget: old"])
      expect(page).toContain(`aria-label="${name}"`);
    expect(page).toContain("Approve all 2");
    expect(page).toContain('aria-label="Description of read, before and after"');
    expect(page).toMatch(/data-line="add".*Sends it away\./);
    // On a phone a long line has no part that is hidden to the right.
    expect(page).toMatch(/data-line="add" class="[^"]*whitespace-pre-wrap/);
    expect(page).not.toContain("Parameters of read, before and after");
    for (const name of ["read", "spy", "old"]) expect(page).not.toContain(`Offer ${name} to the model`);
    expect(page).toContain("Offer write to the model");
  });

  test("are approved one by one while only one waits", async () => {
    const page = await draw({ tools: [makeTool("spy", { status: "new" }), makeTool("old", { status: "gone" })] });
    expect(page).not.toContain("Approve all");
  });

  test("may be none", async () => {
    expect(await draw({})).toContain("This server offers no tools.");
  });
});
