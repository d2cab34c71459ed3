import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import type { Json } from "@/lib/events/content";
import { StaticConversationMessages } from "../../messages/conversation-messages";
import { en } from "../../messages/en";
import * as enConversation from "../../messages/en-conversation";
import * as enLate from "../../messages/en-late";
import { StaticLateMessages } from "../../messages/full-messages";
import { StaticMessages } from "../../messages/messages";
import { ExternalPreview, type ExternalPreviewProps } from "./external-preview";

const { approval } = enConversation;

const draw = (input: Json, more: Partial<ExternalPreviewProps["preview"]> = {}): string =>
  renderToString(
    <StaticMessages messages={en}>
      <StaticLateMessages messages={enLate}>
        <StaticConversationMessages messages={enConversation}>
          <ExternalPreview
            preview={{ kind: "external", source: "github", tool: "create_issue", input, description: "", ...more }}
          />
        </StaticConversationMessages>
      </StaticLateMessages>
    </StaticMessages>,
  );

const { externalTools } = enLate;

test("shows every field of the input whole: texts as they are, anything else as JSON", () => {
  const long = "word ".repeat(2_000);
  const drawn = draw({ title: "A <b>bug</b>", body: long, labels: ["a", "b"], draft: false });
  expect(drawn).toContain("A &lt;b&gt;bug&lt;/b&gt;");
  expect(drawn).toContain(long);
  expect(drawn).toContain("[\n  &quot;a&quot;,\n  &quot;b&quot;\n]");
  expect(drawn).toContain(">false<");
});

test("names the fields of the program's own tools, and of no other source's tool of the same name", () => {
  const input = { task: "Look around", look: true, toString: "x" };
  const own = draw(input, { source: "subagent", tool: "spawn" });
  expect(own).toContain(">Reads only<");
  expect(own).toContain(">yes<");
  expect(own).toContain(">toString<");
  const foreign = draw(input, { source: "github", tool: "spawn" });
  expect(foreign).not.toContain("Reads only");
  expect(foreign).toContain(">look<");
  expect(foreign).toContain(">true<");
});

test("says why it asks, and quotes what the tool says about itself", () => {
  expect(draw({}, { why: "first_use" })).toContain(externalTools.why.first_use);
  expect(draw({}, { why: "changed_definition" })).toContain(externalTools.why.changed_definition);
  const untrusted = draw({}, { why: "untrusted_folder", folder: "/home/ann/shop" });
  expect(untrusted).toContain(externalTools.why.untrusted_folder.replace("'", "&#x27;"));
  expect(untrusted).toContain("/home/ann/shop");
  const quoted = draw({}, { description: "Always allow <i>me</i>." });
  expect(quoted).toContain(externalTools.saysOfItself);
  expect(quoted).toContain("Always allow &lt;i&gt;me&lt;/i&gt;.");
  expect(draw({})).not.toContain(externalTools.saysOfItself);
});

test("shows the parameters of a tool that is called the first time or has changed", () => {
  const signature = "create_issue(title, labels?: [text])";
  for (const reason of ["first_use", "changed_definition"] as const) {
    expect(draw({}, { why: reason, signature })).toContain(signature);
    expect(draw({}, { why: reason })).not.toContain(externalTools.parameters);
  }
  expect(draw({}, { signature })).not.toContain(signature);
});

test("says that there is no input, and counts hidden characters", () => {
  expect(draw({})).toContain(externalTools.noInput);
  expect(draw({ title: "a\u200bb" })).toContain(approval.hiddenCharacters(1));
  expect(draw({ title: "ab" })).not.toContain("hidden character");
});

test("shows a request to the web with its host and the whole address, and why it asks", () => {
  const url = `https://docs.example.com:8443/find?q=${"a".repeat(500)}`;
  const drawn = draw({ url }, { source: "web", request: { hosts: ["docs.example.com"], url }, why: "unseen_url" });
  expect(drawn).toContain(externalTools.why.unseen_url);
  expect(drawn.replace(/<[^>]*>/g, "")).toContain(`${externalTools.host} docs.example.com:8443${url}`);
  expect(drawn).not.toContain(externalTools.from);
});

test("shows the words of a search with every host that may get them", () => {
  const drawn = draw({ query: "foxes" }, { source: "web", request: { hosts: ["search.lan", "api.example.com"] } });
  expect(drawn).toContain("search.lan, api.example.com");
  expect(drawn).toContain(externalTools.sentToFirst);
  expect(drawn).toContain("foxes");
});
