// @vitest-environment happy-dom
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderForUser } from "../shell/frame/test-dom";
import { testClient } from "../shell/frame/test-render";
import { SectionList } from "./section-list";
import { settingsSections } from "./settings-sections";

test("every section is in one of four named groups", async () => {
  await renderForUser(
    testClient(),
    <SectionList sections={settingsSections} current="tools" onOpen={() => undefined} />,
  );
  const groups = await screen.findAllByRole("group");
  expect(groups.map((group) => group.getAttribute("aria-label"))).toEqual(["Models", "Agent", "Editor", "This app"]);
  const inGroups = groups.flatMap((group) => within(group).getAllByRole("link"));
  // In the order of the registry, which the search of settings uses.
  expect(inGroups.map((link) => link.getAttribute("href"))).toEqual(
    settingsSections.map(({ id }) => `/settings/${id}`),
  );
});

test("the sections are one stop of the Tab key, and the arrow keys move in a circle", async () => {
  const user = await renderForUser(
    testClient(),
    <>
      <SectionList sections={settingsSections} current="tools" onOpen={() => undefined} />
      <button type="button">After</button>
    </>,
  );
  const focusedName = () => document.activeElement?.textContent;
  const links = await screen.findAllByRole("link");
  await user.tab();
  expect(focusedName()).toBe("Tools");
  await user.keyboard("{ArrowDown}");
  expect(focusedName()).toBe("Skills");
  await user.keyboard("{Home}{ArrowUp}");
  expect(document.activeElement).toBe(links.at(-1));
  await user.keyboard("{ArrowRight}");
  expect(document.activeElement).toBe(links[0]);
  await user.keyboard("{Control>}{ArrowDown}{/Control}");
  expect(document.activeElement).toBe(links[0]);
  await user.tab();
  expect(focusedName()).toBe("After");
  await user.tab({ shift: true });
  expect(focusedName()).toBe("Tools");
});
