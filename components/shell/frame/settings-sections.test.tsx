import { Bot } from "lucide-react";
import { expect, test } from "vitest";
import { asId, type ProjectId } from "@/lib/events/id";
import type { Connection } from "@/lib/models/models";
import { settingsDefaults } from "@/lib/settings/settings";
import * as enLate from "../../messages/en-late";
import { listSettings, sectionTexts } from "../../settings/setting-list";
import { SettingsPage } from "../../settings/settings-page";
import type { SettingsSection } from "../../settings/settings-section";
import { settingsSections } from "../../settings/settings-sections";
import { renderLoaded, testClient } from "./test-render";

const noEditorKeys = async () => [];

test("the settings page lists every section and draws the chosen one", async () => {
  const page = await renderLoaded(
    testClient(),
    <SettingsPage tab="appearance" projects={[]} loadEditorKeys={noEditorKeys} />,
  );
  for (const { id } of settingsSections) {
    expect(page).toContain(`href="/settings/${id}"`);
    expect(page).toContain(sectionTexts(enLate)[id].title);
  }
  expect(page.match(/aria-current="page"/g)).toHaveLength(1);
  expect(page).toContain(enLate.settings.appearance.title);
});

test("a section whose condition is not met is neither listed nor drawn", async () => {
  const section: SettingsSection = {
    id: "agent",
    group: "agent",
    icon: Bot,
    load: async () => () => <p>folder settings</p>,
    when: ({ projects }) => projects.length > 0,
  };
  const draw = (projects: Parameters<typeof SettingsPage>[0]["projects"]) =>
    renderLoaded(
      testClient(),
      <SettingsPage tab="agent" sections={[section]} projects={projects} loadEditorKeys={noEditorKeys} />,
    );
  const empty = await draw([]);
  expect(empty).not.toContain("/settings/agent");
  expect(empty).not.toContain("folder settings");
  const project = { id: asId<ProjectId>("p1"), path: "/work", name: "work", openedAt: 1 };
  const filled = await draw([project]);
  expect(filled).toContain("/settings/agent");
  expect(filled).toContain("folder settings");
});

const connection: Connection = {
  id: "c1",
  name: "Lab",
  preset: "custom",
  baseUrl: "http://lab:8000/v1",
  model: "",
  numCtx: 0,
  key: { from: "none" },
  local: true,
};

test.each(listSettings(enLate).map(({ section, key }) => [section, key]))(
  "the section %s has the field of the setting %s",
  async (section, key = "") => {
    const client = testClient();
    client.serverState.merge({ settings: settingsDefaults, connections: [connection] });
    expect(
      await renderLoaded(client, <SettingsPage tab={section} projects={[]} loadEditorKeys={noEditorKeys} />),
    ).toContain(`id="${key}"`);
  },
);
