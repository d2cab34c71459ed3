import { expect, test } from "vitest";
import { asId, type ProjectId } from "@/lib/events/id";
import { enLate } from "../../messages/en-late";
import { SettingsPage } from "../../settings/settings-page";
import { type SettingsSection, settingsSections } from "../../settings/settings-sections";
import { renderLoaded, testClient } from "./test-render";

test("the settings page lists every section and draws the chosen one", async () => {
  const page = await renderLoaded(testClient(), <SettingsPage tab="appearance" projects={[]} />);
  for (const { id, titleKey } of settingsSections) {
    expect(page).toContain(`href="/settings/${id}"`);
    expect(page).toContain(enLate.settings.tabs[titleKey]);
  }
  expect(page.match(/aria-current="page"/g)).toHaveLength(1);
  expect(page).toContain(enLate.settings.appearance.title);
});

test("a section whose condition is not met is neither listed nor drawn", async () => {
  const section: SettingsSection = {
    id: "folders",
    titleKey: "agent",
    load: async () => () => <p>folder settings</p>,
    when: ({ projects }) => projects.length > 0,
  };
  const draw = (projects: Parameters<typeof SettingsPage>[0]["projects"]) =>
    renderLoaded(testClient(), <SettingsPage tab="folders" sections={[section]} projects={projects} />);
  const empty = await draw([]);
  expect(empty).not.toContain("/settings/folders");
  expect(empty).not.toContain("folder settings");
  const project = { id: asId<ProjectId>("p1"), path: "/work", name: "work", openedAt: 1 };
  const filled = await draw([project]);
  expect(filled).toContain("/settings/folders");
  expect(filled).toContain("folder settings");
});
