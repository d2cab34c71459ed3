/** Renders components into happy-dom for tests of behaviour; `connectClient` connects their client to a socket server. */
import { createServer } from "node:http";
import { act, cleanup, configure, fireEvent, render, waitFor } from "@testing-library/react";
import userEvent, { type UserEvent } from "@testing-library/user-event";
import type { DetachedWindowAPI } from "happy-dom";
import type { ReactNode } from "react";
import { Server } from "socket.io";
import { expect, onTestFinished } from "vitest";
import type { Welcome } from "@/lib/protocol/answers";
import type { CommandName } from "@/lib/protocol/command";
import type { Push } from "@/lib/protocol/push";
import { settingsDefaults } from "@/lib/settings/settings";
import type { AppClient } from "../../state/client";
import { testClient, withProviders } from "./test-render";

// Generous, for a slow and busy machine, as in vitest.config.ts.
configure({ asyncUtilTimeout: 120_000 });

declare global {
  var happyDOM: DetachedWindowAPI;
}

/** Renders in English and returns the user of the page; everything is unmounted after the test. */
export async function renderForUser(client: AppClient, children: ReactNode): Promise<UserEvent> {
  const tree = await withProviders(client, children);
  // happy-dom has no top layer.
  HTMLElement.prototype.showPopover = () => undefined;
  onTestFinished(() => {
    cleanup();
    localStorage.clear();
    sessionStorage.clear();
  });
  await act(async () => void render(tree));
  return userEvent.setup({ delay: null });
}

/** Presses Escape: a key event that nothing prevented cancels the dialog opened last, as browsers do. */
export async function pressEscape(user: UserEvent): Promise<void> {
  let isPrevented = false;
  const recordDefault = (event: Event): void => {
    isPrevented = event.defaultPrevented;
  };
  addEventListener("keydown", recordDefault);
  await user.keyboard("{Escape}");
  removeEventListener("keydown", recordDefault);
  const dialog = [...document.querySelectorAll("dialog[open]")].at(-1);
  if (!isPrevented && dialog !== undefined) fireEvent(dialog, new Event("cancel", { cancelable: true }));
}

const welcome = {
  version: "0",
  home: "/home/user",
  projects: [],
  settings: settingsDefaults,
  models: { status: "unknown", host: "", models: [], loaded: [], canStart: false },
  pulls: [],
  connections: [],
  shares: [],
  network: { owner: [], shares: [], machine: [] },
  movedAside: null,
} as const satisfies Welcome;

export interface ConnectedClient {
  /** A client that is online and has received the welcome, with the default settings and nothing else. */
  readonly client: AppClient;
  /** Returns the inputs of the received calls of a command, oldest first. */
  readonly inputsOf: (name: CommandName) => readonly unknown[];
  readonly push: (push: Push) => void;
}

/**
 * Starts a server on a free port and connects a client to it until the test ends. `answer` returns the answer of a
 * call; undefined = `{}` without an error.
 */
export async function connectClient(answer: (name: string, input: unknown) => unknown): Promise<ConnectedClient> {
  const received: { readonly name: string; readonly input: unknown }[] = [];
  const http = createServer();
  const io = new Server(http);
  io.on("connection", (socket) => {
    socket.on("call", async (name: string, input: unknown, reply: (value: unknown) => void) => {
      received.push({ name, input });
      const value = name === "app.welcome" ? { ok: true, value: welcome } : await answer(name, input);
      reply(value ?? { ok: true, value: {} });
    });
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const address = http.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  happyDOM.setURL(`http://127.0.0.1:${address.port}/`);
  const client = testClient();
  onTestFinished(async () => {
    client.connection.close();
    client.cache.clear();
    await io.close();
  });
  client.connection.connect();
  await waitFor(() => expect(client.serverState.get().settings).toBeDefined());
  return {
    client,
    inputsOf: (name) => received.filter((call) => call.name === name).map(({ input }) => input),
    push: (push) => void io.emit("push", push),
  };
}
