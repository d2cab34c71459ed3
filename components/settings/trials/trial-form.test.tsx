// @vitest-environment happy-dom
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { eventually } from "@/lib/testing/test-waits";
import { asId, type ProjectId } from "@/lib/events/id";
import { connectClient, renderForUser } from "../../shell/frame/test-dom";
import { ToolTrialForm } from "./tool-trial";

const parameters = { type: "object", properties: { count: { type: "integer" } }, required: ["count"] };
const preview = { source: "shop", tool: "buy", input: { count: 2 }, definition: "a" };

async function openForm(run: unknown) {
  const calls: [string, unknown][] = [];
  const server = await connectClient((name, input) => {
    calls.push([name, input]);
    if (name === "trials.tool") return { ok: true, value: { parameters } };
    if (name === "trials.preview") return { ok: true, value: preview };
    if (name === "trials.run") return run;
    if (name === "trials.stop") return { ok: true, value: null };
    return undefined;
  });
  const user = await renderForUser(server.client, <ToolTrialForm projectId={asId<ProjectId>("p1")} tool="shop__buy" />);
  const form = within(await screen.findByRole("region", { name: "Try shop__buy" }));
  await user.type(form.getByRole("textbox"), "2");
  await user.click(form.getByRole("button", { name: "Show call" }));
  expect((await form.findByRole("region", { name: "Show call" })).textContent).toContain('"count": 2');
  const named = (name: string) => calls.filter(([one]) => one === name).map(([, input]) => input);
  return { user, form, named };
}

test("a call is shown before it is made, and what the tool reports after it", async () => {
  const { user, form, named } = await openForm({ ok: true, value: { text: "bought", images: [], failed: true } });
  expect(named("trials.preview")).toEqual([{ projectId: "p1", tool: "shop__buy", input: { count: 2 } }]);
  expect(named("trials.run")).toEqual([]);
  await user.click(form.getByRole("button", { name: "Call" }));
  expect((await form.findByRole("region", { name: "Answer" })).textContent).toBe("bought");
  expect(form.getByText("The tool reports that it failed.")).toBeDefined();
  expect(named("trials.run")).toMatchObject([{ input: { count: 2 }, definition: "a" }]);
});

test("a trial that runs can be stopped, and is stopped when the form changes", async () => {
  const { user, form, named } = await openForm(new Promise(() => {}));
  await user.click(form.getByRole("button", { name: "Call" }));
  await user.click(await form.findByRole("button", { name: "Stop" }));
  const [started] = named("trials.run");
  await eventually(() => expect(named("trials.stop")).toHaveLength(1));
  expect(started).toMatchObject(named("trials.stop")[0] ?? {});
  await user.type(form.getByRole("textbox"), "3");
  await eventually(() => expect(named("trials.stop")).toHaveLength(2));
  expect(form.queryByRole("button", { name: "Stop" })).toBeNull();
});

test("why a call was not made is said in words", async () => {
  const { user, form } = await openForm({ ok: false, error: { code: "changed_meanwhile" } });
  await user.click(form.getByRole("button", { name: "Call" }));
  expect(await form.findByText("The tool has changed since the call was shown. Show the call again.")).toBeDefined();
});

test("that the user stopped a trial is not shown as an error", async () => {
  const { user, form } = await openForm({ ok: false, error: { code: "aborted" } });
  await user.click(form.getByRole("button", { name: "Call" }));
  expect((await form.findByText(/^Stopped\./)).className).not.toContain("danger");
});
