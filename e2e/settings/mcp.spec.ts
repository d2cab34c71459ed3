/** The settings page of MCP servers, with a real server that has tools for files. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { onlyInFull } from "../fixtures/full-run";
import { callCommand } from "../fixtures/call-command";
import { expect, test } from "../fixtures/test";
import { findViolations } from "../pages/axe";

test.use({ hasOwnServer: true, opensPage: false });

const program = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-filesystem/dist/index.js");
const launch = { command: process.execPath, args: [program, "."] };
const configuration = JSON.stringify({
  mcpServers: {
    files: { ...launch, env: { FILES_TOKEN: "ghp_0123456789abcdefghijABCDEFGHIJ012345" } },
    broken: { command: "no-such-program-here" },
  },
});

/** The row of a tool in the list of the server's page. */
const toolRow = (page: Page, name: string): Locator =>
  page.getByRole("listitem").filter({ has: page.getByRole("switch", { name: `Offer ${name} to the model` }) });

test("a server is pasted, approved, switched, read, disabled and removed", async ({ page, server, place }) => {
  const file = join(place.home, "mcp.json");
  const stored = (): unknown => JSON.parse(readFileSync(file, "utf8"));
  await page.goto(`${server.origin}/settings/tools`);
  await expect(page.getByText("No servers yet")).toBeVisible();

  await page.getByRole("button", { name: "Paste a configuration" }).click();
  const field = page.getByRole("textbox", { name: "Configuration" });
  await field.fill(configuration.slice(0, -2));
  await expect(
    page.getByRole("dialog").getByText(/^Line 1: This isn't JSON: at column \d+, "[,}]" is expected\./),
  ).toBeVisible();
  await field.fill(configuration);
  const found = page.getByRole("list", { name: "Found servers" });
  await expect(found.getByText("1 secret is moved to the key file: FILES_TOKEN")).toBeVisible();
  await found.getByRole("checkbox", { name: "Add broken" }).uncheck();
  await page.getByRole("button", { name: "Add 1 server" }).click();

  // Nothing has been started; the secret is in the key file.
  const approve = page.getByRole("button", { name: "Test and approve" });
  await expect(approve).toBeVisible();
  await expect(page.getByText("Its tools are listed once it is approved.")).toBeVisible();
  expect(stored()).toEqual({ mcpServers: { files: { ...launch, env: { FILES_TOKEN: "${FILES_TOKEN}" } } } });
  await approve.click();
  const read = toolRow(page, "read_text_file");
  await expect(read.getByRole("switch")).toBeChecked();
  await expect(page.getByText(/^Not running, starts at its first call · \d+ tools · [\d.]+k tokens$/)).toBeVisible();
  expect(await findViolations(page)).toEqual([]);

  await read.getByRole("switch").click();
  await expect(read.getByRole("switch")).not.toBeChecked();
  await expect(page.getByText(/ · \d+ of \d+ tools on · /)).toBeVisible();
  await read.getByRole("button", { name: /^Pin / }).click();
  await expect(read.getByRole("button", { name: "Unpin read_text_file" })).toBeVisible();
  await read.getByRole("button", { name: /^read_text_file/ }).click();
  await expect(read.getByRole("region", { name: "Parameters" })).toContainText('"path": {');

  await page.getByRole("button", { name: "Log", exact: true }).click();
  await expect(page.getByRole("region", { name: "Log of files" })).toContainText("running on stdio");
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Disable" }).click();
  await expect(page.getByText(/^Disabled · /)).toBeVisible();
  expect(stored()).toMatchObject({ mcpServers: { files: { disabled: true } } });
  await page.reload();
  await expect(read.getByRole("switch")).not.toBeChecked();
  await page.getByRole("button", { name: "Enable" }).click();
  await expect(page.getByText(/^Not running, starts at its first call · /)).toBeVisible();

  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await page.getByRole("button", { name: "Remove server" }).click();
  await expect(page.getByText("No servers yet")).toBeVisible();
  expect(stored()).toEqual({ mcpServers: {} });
});

test(
  "why a server cannot be started is said, and once its entry is corrected in the file it can be",
  onlyInFull,
  async ({ page, server, place }) => {
    await page.goto(`${server.origin}/settings/tools`);
    await page.getByRole("button", { name: "Paste a configuration" }).click();
    await page.getByRole("textbox", { name: "Configuration" }).fill('"git": { "command": "no-such-program-here" }');
    await page.getByRole("button", { name: "Add 1 server" }).click();
    await page.getByRole("button", { name: "Test and approve" }).click();
    await expect(
      page.getByText('There is no program "no-such-program-here" on this machine. Install it,'),
    ).toBeVisible();
    await expect(page.getByText("Not approved", { exact: true })).toBeVisible();
    writeFileSync(join(place.home, "mcp.json"), JSON.stringify({ mcpServers: { git: launch } }));
    // The server looks at the file at most twice a second.
    const { projects } = await callCommand(server, "project.list", {});
    const [project] = projects;
    if (project === undefined) throw new Error("no project");
    const state = () => callCommand(server, "mcp.state", { projectId: project.id });
    await expect.poll(async () => JSON.stringify(await state())).toContain(program);
    await page.reload();
    await expect(page.getByText(program, { exact: false })).toBeVisible();
    await page.getByRole("button", { name: "Test and approve" }).click();
    await expect(toolRow(page, "read_text_file")).toBeVisible();
    await expect(page.getByText("There is no program", { exact: false })).toBeHidden();
  },
);

test(
  "servers of a project's file are listed after trust, get their values, and lose their approval on request",
  onlyInFull,
  async ({ page, server }) => {
    const { projects } = await callCommand(server, "project.list", {});
    const [project] = projects;
    if (project === undefined) throw new Error("no project");
    mkdirSync(join(project.path, ".vscode"), { recursive: true });
    const inputs = [{ id: "token", type: "promptString", description: "Token of the files", password: true }];
    writeFileSync(
      join(project.path, ".vscode/mcp.json"),
      JSON.stringify({ inputs, servers: { files: { ...launch, env: { FILES_TOKEN: "${input:token}" } } } }),
    );
    await page.goto(`${server.origin}/settings/tools`);
    await expect(
      page.getByText("This project isn't trusted, so the servers in .vscode/mcp.json aren't read."),
    ).toBeVisible();
    await callCommand(server, "project.trust", { projectId: project.id, trusted: true });
    await page.reload();
    await expect(page.getByText("from this project's .vscode/mcp.json")).toBeVisible();
    await page.getByRole("button", { name: "files", exact: true }).click();
    const values = page.getByRole("region", { name: "Values" });
    await expect(values.getByText("Not set")).toBeVisible();
    await values.getByLabel("token", { exact: true }).fill("abc123abc123");
    await values.getByRole("button", { name: "Save input:token" }).click();
    await expect(values.getByText("Entered here")).toBeVisible();
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "Test and approve" }).click();
    await expect(toolRow(page, "read_text_file")).toBeVisible();
    await page.getByRole("button", { name: "Withdraw approval" }).click();
    await expect(page.getByText("Not approved", { exact: true })).toBeVisible();
  },
);

test.describe("in Chinese", onlyInFull, () => {
  test.use({ locale: "zh-CN" });

  test("a server is pasted and approved", async ({ page, server }) => {
    await page.goto(`${server.origin}/settings/tools`);
    await page.getByRole("button", { name: "粘贴配置" }).click();
    await page.getByRole("textbox", { name: "配置" }).fill(JSON.stringify({ files: launch }));
    await page.getByRole("button", { name: "添加 1 个服务器" }).click();
    await expect(page.getByText("这条命令会以你的权限在此电脑上运行。", { exact: false })).toBeVisible();
    await page.getByRole("button", { name: "测试并批准" }).click();
    await expect(page.getByText(/^未运行，首次调用时启动 · \d+ 个工具 · /)).toBeVisible();
    await page.getByRole("switch", { name: "向模型提供 read_text_file" }).click();
    await expect(page.getByText(/ · 已启用 \d+ \/ \d+ 个工具 · /)).toBeVisible();
    await page.getByRole("button", { name: "移除", exact: true }).click();
    await page.getByRole("button", { name: "移除服务器" }).click();
    await expect(page.getByText("还没有服务器")).toBeVisible();
  });
});
