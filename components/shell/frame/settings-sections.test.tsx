import { expect, test } from "vitest";
import type { Connection } from "@/lib/models/models";
import { settingsDefaults } from "@/lib/settings/settings";
import * as enLate from "../../messages/en-late";
import { listSettings, sectionTexts } from "../../settings/fields/setting-list";
import { SettingsPage } from "../../settings/settings-page";
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
