// @vitest-environment happy-dom
import { createServer } from "node:http";
import { screen } from "@testing-library/react";
import { Server } from "socket.io";
import { expect, onTestFinished, test, vi } from "vitest";
import { signIn as text } from "../../messages/en/late/sign-in";
import { renderForUser } from "../frame/test-dom";
import { testClient } from "../frame/test-render";
import { SignInPage } from "./sign-in-page";

/** Shows the page of a server that accepts no socket, and answers sign-ins with this. */
async function showPage(answer: Response): Promise<void> {
  const http = createServer();
  const io = new Server(http);
  io.use((_socket, next) => next(new Error("unauthorized")));
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const address = http.address();
  happyDOM.setURL(`http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`);
  const client = testClient();
  vi.stubGlobal("fetch", () => Promise.resolve(answer));
  onTestFinished(async () => {
    vi.unstubAllGlobals();
    client.connection.close();
    await io.close();
  });
  await renderForUser(client, <SignInPage result={null} />);
}

test("without a front door the page asks for a link", async () => {
  await showPage(Response.json({ ok: false, error: { code: "not_allowed" } }, { status: 401 }));
  await screen.findByText(text.note);
  expect(screen.queryByRole("alert")).toBeNull();
});

test("a browser that the front door let in, and that has no sign-in all the same, gets a button", async () => {
  await showPage(Response.json({ ok: true, value: { page: "secret" } }));
  await screen.findByText(text.atDoor(location.host));
  expect(screen.getByRole("button", { name: text.submit })).toBeDefined();
});
