// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { SandboxState, SandboxUse } from "@/lib/permissions/guard";
import { settingsDefaults } from "@/lib/settings/settings";
import { connectClient, renderForUser } from "../../shell/frame/test-dom";
import { FullAccessWarning } from "./full-access-warning";

const missing: SandboxState = { program: null, works: false, why: "not_installed", fix: "sudo dnf install bubblewrap" };
const plain = "Full access: commands run without asking. Ends with this session or a restart.";
const none = "There's no sandbox here, so nothing confines them.";
const fix = "To get one, run sudo dnf install bubblewrap, then restart gopi-web.";

test.each<[string, SandboxUse, SandboxState, string]>([
  ["is used", "full_access", { program: "bubblewrap", works: true }, plain.replace("asking.", "asking, in a sandbox.")],
  ["is missing", "full_access", missing, `${plain} ${none} ${fix}`],
  ["fails for no known cause", "full_access", { program: "bubblewrap", works: false, why: "x" }, `${plain} ${none}`],
  ["is off", "off", missing, plain],
])("Full access, where the sandbox %s, says what that means", async (_name, sandbox, state, text) => {
  const { client } = await connectClient((name) =>
    name === "settings.sandbox" ? { ok: true, value: state } : undefined,
  );
  client.serverState.merge({ settings: { ...settingsDefaults, sandbox } });
  await renderForUser(client, <FullAccessWarning onLeave={() => undefined} />);
  await expect
    .poll(() => [...document.querySelectorAll("p")].map((line) => line.textContent).join(" "), { timeout: 60_000 })
    .toBe(text);
  expect(screen.getByRole("button", { name: "Back to Ask" })).toBeDefined();
});
