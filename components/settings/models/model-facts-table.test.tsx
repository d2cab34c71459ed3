// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { connectClient, renderForUser } from "../../shell/frame/test-dom";
import { ModelFactsTable } from "./model-facts-table";

test("the server's parser and renderer are named, where a model has them", async () => {
  const { client } = await connectClient(() => undefined);
  const model = { name: "m", capabilities: ["completion"], cloud: false };
  const window = { model: "m", chosen: 8_192, by: "default", steps: [] } as const;
  const details = { name: "m", parameters: "", template: "", parser: "qwen3-coder", renderer: "", license: "", window };
  await renderForUser(client, <ModelFactsTable model={model} details={details} />);
  expect(screen.getAllByRole("term").map((term) => term.textContent)).toEqual(["Capabilities", "Parser"]);
  expect(screen.getByText("qwen3-coder")).toBeDefined();
});
