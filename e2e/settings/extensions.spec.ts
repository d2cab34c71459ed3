/** Extensions: their page, a tool call, slash commands by a prompt and by a script, the card of a gate. */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Page } from "@playwright/test";
import { onlyInFull } from "../fixtures/full-run";
import { expect, test } from "../fixtures/test";
import { findViolations } from "../pages/axe";

test.use({ hasOwnServer: true, opensPage: false });

function writeFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  if (text.startsWith("#!")) chmodSync(path, 0o755);
}

const definition = `description: Looks up tickets, and guards the release.
env: [TICKET_URL]
tools:
  - name: find_ticket
    description: Finds a ticket by its number.
    parameters: { type: object, properties: { number: { type: integer } }, required: [number] }
    run: ticket.sh
commands:
  - { name: review, description: Reviews a file, prompt: "Review $1 with care." }
  - { name: notes, description: Notes of a version, run: notes.sh }
on:
  - { event: [run_end, error], run: ticket.sh }
`;

/** Writes an extension that can be used, one with a gate and one that cannot be used. */
function writeExtensions(home: string): void {
  const place = join(home, "extensions");
  writeFile(join(place, "tickets/extension.yaml"), definition);
  writeFile(
    join(place, "tickets/ticket.sh"),
    "#!/usr/bin/env bash\ncat > /dev/null\necho 'Ticket 7: the total is wrong'\n",
  );
  writeFile(join(place, "tickets/notes.sh"), "#!/usr/bin/env bash\nread -r _call\necho 'Notes of the version'\n");
  writeFile(
    join(place, "guard.sh"),
    `#!/usr/bin/env bash\n# gopi:\n#   description: Asks before each command.\n#   gate: { before_tool: }\nif grep -q '"tool_name":"bash"'; then echo '{"decision":"ask","reason":"commands are looked at twice"}'; fi\n`,
  );
  writeFile(join(place, "broken/extension.yaml"), "tools:\n  - name: [\n");
}

const field = (page: Page) => page.locator("[data-composer][data-state=idle] textarea");

async function openExtension(page: Page, origin: string, name: string): Promise<void> {
  await page.goto(`${origin}/settings/extensions`);
  await page.getByRole("button", { name, exact: true }).click();
}

async function enable(page: Page, origin: string, name: string): Promise<void> {
  await openExtension(page, origin, name);
  await page.getByRole("button", { name: "Enable", exact: true }).click();
  await expect(page.getByText("Enabled", { exact: true })).toBeVisible();
}

test("extensions are listed with their errors, enabled, changed, and made from a template", async ({
  page,
  server,
  place,
}) => {
  await page.goto(`${server.origin}/settings/extensions`);
  await expect(page.getByText("No extensions yet")).toBeVisible();
  expect(await findViolations(page)).toEqual([]);

  writeExtensions(place.home);
  await page.getByRole("button", { name: "Reload" }).click();
  const list = page.getByRole("list", { name: `Extensions in ${join(place.home, "extensions")}` });
  await expect(list.getByRole("listitem")).toHaveCount(3);
  await expect(list).toContainText("1 tool · 2 commands · 1 listener");
  await expect(list).toContainText("It can stop tool calls");
  expect(await findViolations(page)).toEqual([]);

  await expect(list).toContainText("extension.yaml, line 3: The text here or just above isn't valid YAML.");
  await list.getByRole("button", { name: "broken" }).click();
  await expect(page.getByRole("region", { name: "Problems" })).toContainText(
    "extension.yaml, line 3: The text here or just above isn't valid YAML.",
  );
  await page.getByRole("button", { name: "All extensions" }).click();

  await list.getByRole("button", { name: "tickets" }).click();
  const parts = page.getByRole("region", { name: "What it may do" });
  for (const text of ["find_ticket(number: number)", "/review", "TICKET_URL", "not set", "ticket.sh", "a run ends"])
    await expect(parts).toContainText(text);
  await parts.getByRole("button", { name: "notes.sh" }).click();
  await expect(parts.getByRole("region", { name: "notes.sh" })).toContainText("echo 'Notes of the version'");
  expect(await findViolations(page)).toEqual([]);
  await page.getByRole("button", { name: "Enable", exact: true }).click();
  await expect(page.getByText("Enabled", { exact: true })).toBeVisible();

  writeFile(join(place.home, "extensions/tickets/notes.sh"), "#!/usr/bin/env bash\necho other\n");
  await page.reload();
  await expect(page.getByText("Changed, review")).toBeVisible();
  await parts.getByRole("button", { name: "notes.sh Changed" }).click();
  const difference = parts.getByRole("region", { name: "What changed in notes.sh" });
  await expect(difference).toContainText("echo 'Notes of the version'");
  await expect(difference).toContainText("echo other");
  expect(await findViolations(page)).toEqual([]);
  await parts.getByRole("button", { name: "Show the whole file" }).click();
  await expect(parts.getByRole("region", { name: "notes.sh", exact: true })).toContainText("echo other");
  await page.getByRole("button", { name: "Enable the changed files" }).click();
  await expect(page.getByText("Enabled", { exact: true })).toBeVisible();

  await page.getByRole("button", { name: "All extensions" }).click();
  await page.getByRole("button", { name: "New from template" }).click();
  const form = page.getByRole("dialog", { name: "New from template" });
  await expect(form.getByRole("textbox", { name: "Name" })).toBeFocused();
  expect(await findViolations(page)).toEqual([]);
  await form.getByRole("textbox", { name: "Name" }).fill("Mine");
  await expect(form).toContainText("Use up to 24 lower-case letters");
  await form.getByRole("textbox", { name: "Name" }).fill("mine");
  await form.getByRole("radio", { name: "Python" }).check({ force: true });
  await form.getByRole("button", { name: "Create" }).click();
  await expect(page.getByRole("heading", { name: "mine" })).toBeVisible();
  await expect(page.getByText(join(place.home, "extensions/mine"), { exact: true })).toBeVisible();
  await expect(page.getByText("Created. Edit its files, then enable it.")).toBeVisible();
  await expect(page.getByRole("button", { name: "All extensions" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(list.getByRole("button", { name: "mine" })).toBeFocused();
  await expect(list.getByRole("listitem")).toHaveCount(4);
});

test(
  "a slash command puts its text into the message field and sends nothing",
  onlyInFull,
  async ({ page, server, place }) => {
    writeExtensions(place.home);
    await enable(page, server.origin, "tickets");
    // The page gets the commands of extensions only after Enter.
    let answer = (): void => undefined;
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.routeWebSocket(/socket\.io/, (socket) => {
      const toServer = socket.connectToServer();
      socket.onMessage(async (message) => {
        if (message.includes("extensions.commands")) await isAnswered;
        toServer.send(message);
      });
    });
    await page.goto(server.origin);
    await field(page).pressSequentially("/review src/b.ts");
    await field(page).press("Enter");
    await expect(page.getByText("Sends as soon as everything is ready.")).toBeVisible();
    answer();
    await expect(field(page)).toHaveValue("Review src/b.ts with care.");
    await field(page).fill("/rev");
    const menu = page.getByRole("listbox", { name: "Commands of extensions" });
    await expect(menu.getByRole("option")).toHaveText([/\/review.*Reviews a file/]);
    await field(page).press("Enter");
    await expect(field(page)).toHaveValue("/review ");
    await field(page).fill("/review src/a.ts");
    await field(page).press("Enter");
    await expect(field(page)).toHaveValue("Review src/a.ts with care.");
    // Commands of the program come first, in a group of their own.
    await field(page).fill("/re");
    const all = page.getByRole("listbox", { name: "Commands", exact: true });
    await expect(all.getByRole("group")).toHaveCount(2);
    const options = all.getByRole("option");
    await expect(options.first()).toContainText("/resume");
    await expect(options.last()).toContainText("/review");
    expect(await findViolations(page)).toEqual([]);
    await field(page).press("ArrowUp");
    await expect(options.last()).toHaveAttribute("aria-selected", "true");
    await field(page).press("Enter");
    await expect(field(page)).toHaveValue("/review ");
    await field(page).fill("/re");
    await field(page).press("Escape");
    await expect(all).toHaveCount(0);
    await field(page).fill("/notes");
    await expect(menu).toBeHidden();
    await field(page).press("Enter");
    await expect(field(page)).toHaveValue("Notes of the version");
  },
);

test.describe("in a session", () => {
  const ticket = { name: "toolbox", arguments: { tool: "tickets__find_ticket", input: { number: 7 } } };
  const command = { name: "bash", arguments: { command: "ls" } };
  test.use({
    script: {
      turns: [
        { text: "", toolCalls: [ticket] },
        { text: "Found." },
        { text: "", toolCalls: [command] },
        { text: "Listed." },
      ],
    },
  });

  test("a tool asks at its first call, and a gate asks on the card of a call that only reads", async ({
    page,
    server,
    place,
  }) => {
    writeExtensions(place.home);
    await enable(page, server.origin, "tickets");
    await enable(page, server.origin, "guard");
    await page.goto(server.origin);
    await field(page).fill("Find it.");
    await field(page).press("Enter");
    const card = page.locator("[data-approval]");
    await expect(card).toContainText("Use tickets__find_ticket");
    await expect(card).toContainText("First call in this project");
    await card.getByRole("button", { name: /^Allow once/ }).click();
    await expect(page.getByText("Found.", { exact: true })).toBeVisible();

    await field(page).fill("List it.");
    await field(page).press("Enter");
    await expect(card.locator("[data-gate]")).toContainText("The gate of guard asks you");
    await expect(card.locator("[data-gate]")).toContainText("commands are looked at twice");
    expect(await findViolations(page)).toEqual([]);
    await card.getByRole("button", { name: /^Allow once/ }).click();
    await expect(page.getByText("Listed.", { exact: true })).toBeVisible();
  });
});

test.describe("in Chinese", onlyInFull, () => {
  test.use({ locale: "zh-CN" });

  test("extensions are listed and described", async ({ page, server, place }) => {
    await page.goto(`${server.origin}/settings/extensions`);
    await expect(page.getByText("还没有扩展")).toBeVisible();
    writeExtensions(place.home);
    await page.getByRole("button", { name: "重新加载" }).click();
    await page.getByRole("button", { name: "tickets", exact: true }).click();
    await expect(page.getByRole("region", { name: "它能做什么" })).toContainText("将文本写入消息框");
  });
});
