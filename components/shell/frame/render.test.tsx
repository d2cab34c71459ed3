import { QueryClientProvider } from "@tanstack/react-query";
import { readFileSync } from "node:fs";
import type { ComponentType, ReactNode } from "react";
import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import type { Welcome } from "@/lib/protocol/answers";
import type { TrustFinding } from "@/lib/permissions/guard";
import { asId, type ProjectId, type SessionId } from "@/lib/events/id";
import type { Connection } from "@/lib/models/models";
import { settingsDefaults } from "@/lib/settings/settings";
import { HistoryPage } from "../../sessions/history/history-page";
import { SessionList } from "../../sessions/list/session-list";
import { ConnectionList } from "../../settings/connections/connection-list";
import type { SettingsSectionProps } from "../../settings/item-section/settings-section";
import { settingsSections } from "../../settings/settings-sections";
import { AppClientContext, createClient } from "../../state/client";
import { mergeWelcome } from "../../state/server-state";
import { en } from "../../messages/en";
import { loadConversationMessages, StaticConversationMessages } from "../../messages/conversation-messages";
import { StaticLateMessages, loadLateMessages } from "../../messages/full-messages";
import { loadSharingMessages, StaticSharingMessages } from "../../messages/sharing-messages";
import { type Messages, StaticMessages } from "../../messages/messages";
import { zhCN } from "../../messages/zh-CN";
import { BareShell } from "../boot/bare-shell";
import { Header } from "./header";
import { Notices } from "../notices/notices";
import { SignInForm } from "../boot/sign-in-page";
import { StatusBar } from "../status/status-bar";
import { layoutPaneIds, paneRegistry } from "../panes/pane-registry";
import type { WorkbenchLocation } from "../navigation/use-workbench-location";

const projectId = asId<ProjectId>("p1");
const welcome: Welcome = {
  version: "9.8.7",
  home: "/home/me/.gopi",
  projects: [{ id: projectId, path: "/work <b>", name: "mime <i>", openedAt: 1 }],
  settings: settingsDefaults,
  models: {
    status: "ready",
    host: "http://127.0.0.1:11434",
    models: [{ name: "qwen3:8b", capabilities: [], cloud: false }],
    loaded: [],
    canStart: false,
  },
  pulls: [],
  connections: [],
  shares: [],
  network: { owner: [], shares: [], machine: [] },
  movedAside: null,
};
const place: WorkbenchLocation = {
  projects: welcome.projects,
  projectId,
  project: {
    project: { id: projectId, path: "/work", name: "mime", openedAt: 1 },
    branch: "main",
    gone: false,
    trusted: true,
    findings: [],
    isWorkspace: false,
    starters: [],
  },
  sessionId: null,
  session: { view: null, error: null, echoes: [], older: "idle" },
  isLoaded: true,
};

const noStorage = { getItem: () => null, setItem: () => undefined };

const late = await loadLateMessages("en");
const lateInChinese = await loadLateMessages("zh-CN");
const conversation = await loadConversationMessages("en");
const conversationInChinese = await loadConversationMessages("zh-CN");
const outside = await loadSharingMessages("en");
const outsideInChinese = await loadSharingMessages("zh-CN");

function draw(messages: Messages, children: ReactNode): string {
  const client = createClient({ local: noStorage, tab: noStorage }, () => 0, layoutPaneIds(paneRegistry));
  mergeWelcome(client.serverState, welcome);
  client.cache.setQueryData(["session.list", {}], {
    pages: [
      {
        rows: [
          {
            id: asId<SessionId>("s1"),
            projectId,
            cwd: "/work",
            title: "<script>alert(1)</script>",
            status: "waiting",
            mode: "ask",
            model: "qwen3:8b",
            createdAt: 0,
            updatedAt: 0,
            lastSeq: 3,
            added: 42,
            removed: 7,
          },
        ],
        more: true,
      },
    ],
    pageParams: [null],
  });
  return renderToString(
    <AppClientContext value={client}>
      <QueryClientProvider client={client.cache}>
        <StaticMessages messages={messages}>
          <StaticLateMessages messages={messages === en ? late : lateInChinese}>
            <StaticSharingMessages messages={messages === en ? outside : outsideInChinese}>
              <StaticConversationMessages messages={messages === en ? conversation : conversationInChinese}>
                {children}
              </StaticConversationMessages>
            </StaticSharingMessages>
          </StaticLateMessages>
        </StaticMessages>
      </QueryClientProvider>
    </AppClientContext>,
  ).replaceAll("&#x27;", "'");
}

const both: readonly (readonly [string, Messages])[] = [
  ["English", en],
  ["Chinese", zhCN],
];
const nothing = (): void => undefined;

test.each(both)("header and status bar render in %s", (_name, messages) => {
  const header = draw(messages, <Header place={place} route={{ page: "home" }} onRemove={nothing} />);
  expect(header).toContain(messages.shell.chat);
  const bar = draw(messages, <StatusBar place={place} />);
  expect(bar).toContain(messages.shell.phase.ready);
  expect(bar).toContain("qwen3:8b");
});

test.each(both)("sessions render in %s, with a hostile title as text", (_name, messages) => {
  const list = draw(
    messages,
    <SessionList
      projectId={projectId}
      projects={welcome.projects}
      currentId={null}
      onNew={nothing}
      onRemoved={nothing}
    />,
  );
  expect(list).toContain("&lt;script&gt;");
  expect(list).not.toContain("<script>");
  expect(list).toContain(messages.sessions.more);
  const historyAt = (search: string) =>
    draw(
      messages,
      <HistoryPage
        projects={welcome.projects}
        projectId={projectId}
        search={search}
        onRemoved={nothing}
        onNew={nothing}
        onOpen={nothing}
      />,
    );
  const history = historyAt("");
  expect(history).toContain(messages.sessions.status.waiting);
  expect(history).toContain("+42");
  expect(history).toContain("mime &lt;i&gt;");
  expect(history).not.toContain("<h3");
  const byProject = historyAt("?group=project");
  expect(byProject.split("<h3")[0]).toMatch(/<h2[^>]*>mime &lt;i&gt;<\/h2>/);
  expect(byProject).toMatch(/<h3[^>]*>[^<]+<\/h3><ul/);
  expect(byProject).toContain("+42");
});

test.each(both)("every settings section renders in %s", async (_name, messages) => {
  const pages = new Map<string, string>();
  for (const { id, load } of settingsSections) {
    const Section: ComponentType<SettingsSectionProps> = await load();
    pages.set(id, draw(messages, <Section projects={welcome.projects} loadEditorKeys={async () => []} />));
  }
  const { settings, agentSections, appSections, connectionSettings } = messages === en ? late : lateInChinese;
  expect(pages.get("model")).toContain(agentSections.model.fields.ollamaHost.label);
  expect(pages.get("terminal")).toContain(appSections.terminal.fields.terminalScreenReader.label);
  expect(pages.get("terminal")).toContain("terminal.scrollback");
  expect(pages.get("model")).toContain("ollama.temperature");
  expect(pages.get("model")).toContain("ollama.tool_calling");
  // Data that leaves the machine is stated before a connection exists.
  expect(pages.get("connections")).toContain(connectionSettings.leaves);
  expect(pages.get("connections")).toContain(connectionSettings.about);
  expect(pages.get("agent")).toContain(agentSections.agent.fields.bashTimeoutSeconds.label);
  expect(pages.get("agent")).toContain("tools.bash_timeout");
  // The addresses of the server, and how to sign in another device.
  const { devices: text } = messages === en ? outside : outsideInChinese;
  expect(pages.get("devices")).toContain(text.here);
  expect(pages.get("devices")).toContain(text.howTo);
  // Limits of the program's guarantees are stated beside the permissions.
  expect(pages.get("permissions")).toContain(settings.permissions.noPromise);
  expect(pages.get("appearance")).toContain(settings.appearance.systemLanguage);
  expect(pages.get("editor")).toContain(appSections.editor.fields.editorFontSize.label);
  expect(pages.get("shortcuts")).toContain(messages.actions.names.codeSearch);
  expect(pages.get("notifications")).toContain(appSections.notifications.fields.quietHours.label);
  expect(pages.get("about")).toContain("9.8.7");
});

test.each(both)("connections can be moved, except the first up and the last down, in %s", (_name, messages) => {
  const connection = (id: string): Connection => ({
    id,
    name: id,
    preset: "custom",
    baseUrl: "http://127.0.0.1:1/v1",
    model: "",
    numCtx: 0,
    key: { from: "none" },
    local: true,
  });
  const list = draw(
    messages,
    <ConnectionList connections={[connection("attic"), connection("cellar")]} presets={[]} />,
  );
  const buttons = [...list.matchAll(/aria-label="([^"]*)"[^>]*aria-disabled="(\w+)"/g)].map(([, name, ends]) => [
    name,
    ends,
  ]);
  const { moveUp, moveDown } = (messages === en ? late : lateInChinese).connectionSettings;
  expect(buttons).toEqual([
    [moveUp("attic"), "true"],
    [moveDown("attic"), "false"],
    [moveUp("cellar"), "false"],
    [moveDown("cellar"), "true"],
  ]);
  expect(draw(messages, <ConnectionList connections={[connection("attic")]} presets={[]} />)).not.toContain(
    moveUp("attic"),
  );
});

test.each(both)("the sign-in page explains how to sign in, in %s", (_name, messages) => {
  expect(draw(messages, <SignInForm problem="refused" />)).toContain(
    (messages === en ? late : lateInChinese).signIn.refused,
  );
  const fresh = draw(messages, <SignInForm problem={null} />);
  expect(fresh).not.toContain('role="alert"');
  for (const command of ["npm start", "gopi-web"]) {
    expect(fresh).toContain(command);
    expect(messages.shell.goneNote).toContain(command);
  }
});

test("the bare shell renders without a messages provider", () => {
  expect(renderToString(<BareShell />)).toContain("aria-busy");
});

test.each(both)(
  "the notice of an untrusted folder states that its AGENTS.md is sent to the model, in %s",
  (_name, messages) => {
    const project = place.project;
    if (project === null || project === undefined) throw new Error("no project");
    const notice = (...findings: readonly TrustFinding[]) =>
      draw(
        messages,
        <Notices place={{ ...place, project: { ...project, trusted: false, findings } }} isPage={false} />,
      );
    const hook: TrustFinding = { kind: "git_hook", path: ".git/hooks/pre-commit" };
    expect(notice(hook, { kind: "instructions", path: "AGENTS.md" })).toContain(messages.shell.guideSent);
    expect(notice(hook, { kind: "instructions", path: "CLAUDE.md" })).toContain(messages.shell.notTrusted);
    expect(notice(hook, { kind: "instructions", path: "CLAUDE.md" })).not.toContain(messages.shell.guideSent);
  },
);

test("the user guide and the notice describe AGENTS.md in the same words", () => {
  const guide = readFileSync("docs/user/permissions.md", "utf8").replaceAll(/\s+/g, " ");
  expect(en.shell.guideSent).toContain("sent to the model as project text");
  expect(guide).toMatch(/AGENTS\.md[^.]* is sent to the model as project text in every folder, trusted or not/);
});

test.each(both)(
  "the trust notice appears above the conversation, but not above settings and history, in %s",
  (_name, messages) => {
    const project = place.project;
    if (project === null || project === undefined) throw new Error("no project");
    const untrusted: WorkbenchLocation = { ...place, project: { ...project, trusted: false } };
    expect(draw(messages, <Notices place={untrusted} isPage={false} />)).toContain(messages.shell.lookAndTrust);
    expect(draw(messages, <Notices place={untrusted} isPage />)).not.toContain(messages.shell.lookAndTrust);
  },
);
