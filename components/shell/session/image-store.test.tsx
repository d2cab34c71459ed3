// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { connectClient, renderForUser } from "../frame/test-dom";
import { useImageStore } from "./image-store";

function CheckButton() {
  const images = useImageStore({ model: "sees", connection: "cellar" });
  return (
    <button type="button" onClick={() => void images.check()}>
      Check
    </button>
  );
}

test("images are checked for the model of its connection", async () => {
  const server = await connectClient((name) => (name === "images.check" ? { ok: true, value: null } : undefined));
  const user = await renderForUser(server.client, <CheckButton />);
  await user.click(screen.getByRole("button"));
  expect(server.inputsOf("images.check")).toEqual([{ model: "sees", connection: "cellar" }]);
});
