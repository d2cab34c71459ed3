// @vitest-environment happy-dom
import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { errors } from "../../messages/en/errors";
import { connectClient, renderForUser } from "../../shell/frame/test-dom";
import { ConfigFileSetting } from "./config-file-setting";

test("a file that cannot be read has its reason instead of a placeholder, until it can be read", async () => {
  const path = "/home/user/config.yaml";
  let answer: object = { ok: false, error: { code: "is_folder" } };
  const server = await connectClient((name) => (name === "config.read" ? answer : undefined));
  await renderForUser(server.client, <ConfigFileSetting name="config" />);
  expect((await screen.findByRole("alert")).textContent).toContain(errors.sentences.is_folder);
  answer = { ok: true, value: { path, text: "", problems: [] } };
  server.push({ type: "config", problems: [] });
  await screen.findByText(path);
  await waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
});
