// @vitest-environment happy-dom
import { cleanup, render, screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, onTestFinished, test } from "vitest";
import type { ChecklistItem, Plan } from "@/lib/view/checklist";
import { asId, type SessionId } from "@/lib/events/id";
import { StaticConversationMessages } from "../../messages/conversation-messages";
import { en } from "../../messages/en";
import * as enConversation from "../../messages/en-conversation";
import { StaticMessages } from "../../messages/messages";
import { testClient } from "../../shell/frame/test-render";
import { AppClientContext } from "../../state/client";
import { PlanPanel } from "./plan-panel";

const steps: readonly ChecklistItem[] = [
  { text: "Read the **config**", isDone: true, depth: 0 },
  { text: "Write `tests`", isDone: false, depth: 0 },
  { text: "Run them", isDone: false, depth: 1 },
];
const plan: Plan = { items: steps, seq: 7 };

function open(shown: Plan, isRunning = false) {
  const sent: (readonly ChecklistItem[])[] = [];
  const client = testClient();
  const panel = (now: Plan, running: boolean, layout = "wide") => (
    <StaticMessages messages={en}>
      <StaticConversationMessages messages={enConversation}>
        <AppClientContext value={client}>
          <PlanPanel
            key={layout}
            sessionId={asId<SessionId>("s1")}
            plan={now}
            isRunning={running}
            onChange={async (items) => {
              sent.push(items);
              return true;
            }}
          />
        </AppClientContext>
      </StaticConversationMessages>
    </StaticMessages>
  );
  // happy-dom has no top layer.
  HTMLElement.prototype.showPopover = () => undefined;
  onTestFinished(cleanup);
  const { rerender } = render(panel(shown, isRunning));
  return {
    sent,
    user: userEvent.setup({ delay: null }),
    show: (now: Plan, running = false) => rerender(panel(now, running)),
    changeLayout: () => rerender(panel(shown, isRunning, "narrow")),
  };
}

const region = () => screen.queryByRole("region", { name: "Plan" });

test("shows progress and the next step, and all steps on demand", async () => {
  const { user, show } = open(plan);
  expect(region()?.textContent).toBe("Plan1 of 3Write tests");
  expect(screen.queryByRole("list")).toBeNull();
  await user.click(screen.getByRole("button", { name: /^Plan/ }));
  const drawn = within(screen.getByRole("list", { name: "Plan" })).getAllByRole("listitem");
  expect(drawn.map(({ textContent }) => textContent)).toEqual(["Read the config", "Write tests", "Run them"]);
  expect(drawn.some((step) => step.hasAttribute("aria-current"))).toBe(false);
  show(plan, true);
  expect(screen.getAllByRole("listitem")[1]?.getAttribute("aria-current")).toBe("step");
});

test("is hidden once all is done and no run is open, and after it was hidden until the plan changes", async () => {
  const all = { items: steps.map((step) => ({ ...step, isDone: true })), seq: 9 };
  const { user, show } = open(all, true);
  expect(region()?.textContent).toBe("Plan3 of 3All steps are done");
  show(all);
  expect(region()).toBeNull();
  show(plan);
  await user.click(screen.getByRole("button", { name: "Hide until the plan changes" }));
  expect(region()).toBeNull();
  show({ ...plan, seq: 11 });
  expect(region()).not.toBeNull();
});

test("a changed plan is sent without empty steps", async () => {
  const { sent, user } = open(plan, true);
  await user.click(screen.getByRole("button", { name: /^Plan/ }));
  await user.click(screen.getByRole("button", { name: "Edit plan" }));
  expect(document.activeElement?.getAttribute("aria-label")).toBe("Step 2");
  await user.click(screen.getByRole("checkbox", { name: "Step 2 is done" }));
  await user.click(screen.getByRole("textbox", { name: "Step 3" }));
  await user.keyboard(" twice{Enter}Deploy{Enter}");
  await user.click(screen.getByRole("button", { name: "Remove step 1" }));
  await user.click(screen.getByRole("button", { name: "Send to the model" }));
  expect(sent).toEqual([
    [
      { text: "Write `tests`", isDone: true, depth: 0 },
      { text: "Run them twice", isDone: false, depth: 1 },
      { text: "Deploy", isDone: false, depth: 1 },
    ],
  ]);
  expect(screen.queryByRole("textbox")).toBeNull();
});

test("a plan that is edited stays when the layout changes, until it is sent", async () => {
  const { sent, user, changeLayout } = open(plan);
  await user.click(screen.getByRole("button", { name: /^Plan/ }));
  await user.click(screen.getByRole("button", { name: "Edit plan" }));
  await user.click(screen.getByRole("textbox", { name: "Step 3" }));
  await user.keyboard(" twice");
  changeLayout();
  expect(screen.getByRole<HTMLInputElement>("textbox", { name: "Step 3" }).value).toBe("Run them twice");
  await user.click(screen.getByRole("button", { name: "Add step" }));
  expect(screen.getAllByRole("textbox")).toHaveLength(4);
  await user.click(screen.getByRole("button", { name: "Send and continue" }));
  expect(sent[0]?.map(({ text }) => text)).toEqual(["Read the **config**", "Write `tests`", "Run them twice"]);
  expect(screen.queryByRole("textbox")).toBeNull();
});

test("while it is edited a change of the model is reported and does not replace the fields", async () => {
  const { sent, user, show } = open(plan);
  await user.click(screen.getByRole("button", { name: /^Plan/ }));
  await user.click(screen.getByRole("button", { name: "Edit plan" }));
  show({ items: [{ text: "Other", isDone: true, depth: 0 }], seq: 12 });
  expect(screen.getByText(/^The plan has changed meanwhile/)).toBeDefined();
  expect(screen.getAllByRole("textbox")).toHaveLength(3);
  await user.keyboard("{Escape}");
  expect(sent).toEqual([]);
  expect(region()).toBeNull();
});
