// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { asId, type ProjectId, type TerminalId } from "@/lib/events/id";
import * as enLate from "../messages/en-late";
import { renderForUser } from "../shell/frame/test-dom";
import { testClient } from "../shell/frame/test-render";
import { TerminalTabs } from "./terminal-tabs";

const tabOf = (id: string) => ({
  terminals: [{ id: asId<TerminalId>(id), projectId: asId<ProjectId>("p1"), name: id, exit: null }],
  isActive: id === "one",
  title: "",
});

test("the tab list owns the tabs, and the close buttons are outside it", async () => {
  const nothing = (): void => undefined;
  await renderForUser(
    testClient(),
    <TerminalTabs tabs={["one", "two"].map(tabOf)} onSelect={nothing} onClose={nothing} onRename={nothing}>
      {null}
    </TerminalTabs>,
  );
  const list = screen.getByRole("tablist", { name: enLate.terminal.tabs });
  expect(list.getAttribute("aria-owns")).toBe(
    screen
      .getAllByRole("tab")
      .map(({ id }) => id)
      .join(" "),
  );
  expect(list.querySelector("button")).toBeNull();
});
