// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { Bot } from "lucide-react";
import { expect, test } from "vitest";
import { settingsDefaults } from "@/lib/settings/settings";
import * as enLate from "../messages/en-late";
import { renderForUser } from "../shell/frame/test-dom";
import { testClient } from "../shell/frame/test-render";
import { SettingsPage } from "./settings-page";
import type { SettingsSection } from "./item-section/settings-section";
import { sectionTexts } from "./fields/setting-list";

const noEditorKeys = async () => [];
const texts = sectionTexts(enLate);

test.each(["appearance", "agent", "skills", "shortcuts", "yaml"] as const)(
  "the page %s is headed by its name in the list, which no section repeats",
  async (tab) => {
    const client = testClient();
    client.serverState.merge({ settings: settingsDefaults });
    await renderForUser(client, <SettingsPage tab={tab} projects={[]} loadEditorKeys={noEditorKeys} />);
    const heading = await screen.findByRole("heading", { level: 1, name: texts[tab].title });
    await screen.findAllByRole("region");
    expect(screen.getAllByRole("heading", { name: texts[tab].title })).toEqual([heading]);
  },
);

test("a section that has not loaded has a placeholder below its name", async () => {
  const section: SettingsSection = { id: "agent", group: "agent", icon: Bot, load: () => new Promise(() => undefined) };
  await renderForUser(
    testClient(),
    <SettingsPage tab="agent" sections={[section]} projects={[]} loadEditorKeys={noEditorKeys} />,
  );
  await screen.findByRole("heading", { level: 1, name: texts.agent.title });
  expect(screen.getByRole("status").getAttribute("aria-label")).not.toBeNull();
});

test("without a section in the address the first one is shown beside the list", async () => {
  await renderForUser(testClient(), <SettingsPage tab={null} projects={[]} loadEditorKeys={noEditorKeys} />);
  await screen.findByRole("heading", { level: 1, name: texts.model.title });
  expect(screen.getByRole("link", { current: "page" }).getAttribute("href")).toBe("/settings/model");
});

test("an address of a section that does not exist shows what replaces the page", async () => {
  const missing = <p>Not here</p>;
  await renderForUser(
    testClient(),
    <SettingsPage tab="nothing" projects={[]} loadEditorKeys={noEditorKeys} missing={missing} />,
  );
  await screen.findByText("Not here");
  expect(screen.queryByRole("navigation")).toBeNull();
});
