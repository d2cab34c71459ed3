// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { asId, type ProjectId } from "@/lib/events/id";
import { en } from "../../messages/en";
import { enLate } from "../../messages/en-late";
import { connectClient, renderForUser } from "../frame/test-dom";
import { ProjectTerminals } from "./project-terminals";

const projectId = asId<ProjectId>("p1");

test("where no terminal can run, one sentence says why, and another attempt is possible", async () => {
  const answers = new Map<string, unknown>([
    ["terminal.list", { ok: true, value: { terminals: [] } }],
    ["terminal.open", { ok: false, error: { code: "terminal_unavailable" } }],
  ]);
  const { client, inputsOf } = await connectClient((name) => answers.get(name));
  const user = await renderForUser(
    client,
    <ProjectTerminals projectId={projectId} onEmpty={undefined}>
      {null}
    </ProjectTerminals>,
  );
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toBe(en.errors.sentences.terminal_unavailable);
  expect(inputsOf("terminal.open")).toHaveLength(1);
  const [retry] = screen.getAllByRole("button", { name: enLate.terminal.open });
  if (retry !== undefined) await user.click(retry);
  await expect.poll(() => inputsOf("terminal.open").length).toBe(2);
});
