// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Connection } from "@/lib/models/models";
import { connectClient, renderForUser } from "../../shell/frame/test-dom";
import { ConnectionPage } from "./connection-page";

const connection: Connection = {
  id: "rack",
  name: "Rack",
  preset: "custom",
  baseUrl: "http://rack.example/v1",
  model: "",
  numCtx: 0,
  key: { from: "none" },
  local: true,
};
const refused = { ok: false, error: { code: "bad_input", facts: { field: "baseUrl" } } };

async function openPage(shown: Connection) {
  const { client } = await connectClient((name) => (name === "connections.save" ? refused : undefined));
  return renderForUser(client, <ConnectionPage connection={shown} />);
}

test("the reason of a refusal stays when the address is left unchanged", async () => {
  const user = await openPage(connection);
  await user.type(await screen.findByLabelText("Name"), " 2");
  await user.click(screen.getByRole("button", { name: "Save" }));
  const address = screen.getByLabelText("Base URL");
  await expect.poll(() => address.getAttribute("aria-invalid")).toBe("true");
  await user.click(address);
  await user.tab();
  expect(address.getAttribute("aria-invalid")).toBe("true");
});

test("user name and password of an address move to their fields when it is left", async () => {
  const user = await openPage(connection);
  const address = await screen.findByLabelText("Base URL");
  await user.clear(address);
  await user.type(address, "http://me:secret@rack.example/v1");
  await user.tab();
  expect(screen.getByDisplayValue("http://rack.example/v1")).toBe(address);
  expect(screen.getByDisplayValue("me")).toBeTruthy();
});

test("the advanced fields stay open after the key is sent as usual again", async () => {
  const user = await openPage({ ...connection, keyUse: { as: "password", name: "me" } });
  const use = await screen.findByLabelText<HTMLSelectElement>("How the key is sent");
  const details = use.closest("details");
  expect(details?.open).toBe(true);
  await user.selectOptions(use, "bearer");
  expect([use.value, details?.open]).toEqual(["bearer", true]);
});

test("the address at which the test found a server is used and tested with one click", async () => {
  const there = "http://127.0.0.1:8080/v1";
  const tested: unknown[] = [];
  const { client } = await connectClient((name, input) => {
    if (name !== "connections.test") return undefined;
    tested.push(input);
    const error = { code: "server_unreachable", facts: { suggested: there } };
    const steps = tested.length === 1 ? [{ step: "reach", ok: false, ms: 1, error }] : [];
    return { ok: true, value: { steps } };
  });
  const user = await renderForUser(client, <ConnectionPage connection={connection} />);
  await user.click(await screen.findByRole("button", { name: "Test connection" }));
  await user.click(await screen.findByRole("button", { name: "Use this address" }));
  expect(screen.getByLabelText<HTMLInputElement>("Base URL").value).toBe(there);
  await expect
    .poll(() => tested)
    .toMatchObject([{ draft: { baseUrl: connection.baseUrl } }, { draft: { baseUrl: there } }]);
});
