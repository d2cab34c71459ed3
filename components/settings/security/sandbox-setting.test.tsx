// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { SandboxState, SandboxUse } from "@/lib/permissions/guard";
import { settingsDefaults } from "@/lib/settings/settings";
import { connectClient, renderForUser } from "../../shell/frame/test-dom";
import { SandboxSetting } from "./sandbox-setting";

const works: SandboxState = { program: "bubblewrap", works: true };
const missing: SandboxState = { program: null, works: false, why: "not_installed", fix: "sudo apt install bubblewrap" };
const broken: SandboxState = { program: "bubblewrap", works: false, why: "bwrap: no permissions" };

test.each<[SandboxUse, SandboxState, string]>([
  ["full_access", works, "Available here, using bubblewrap."],
  [
    "full_access",
    missing,
    "Not available on this machine: bubblewrap isn't installed. Commands run without it. To get it, run sudo apt install bubblewrap, then restart gopi-web.",
  ],
  ["full_access", broken, "Doesn't work here: bwrap: no permissions. Commands run without it."],
  ["always", broken, "Doesn't work here: bwrap: no permissions. Commands ask before running without it."],
  ["off", broken, "Doesn't work here: bwrap: no permissions."],
  ["off", { program: null, works: false, why: "unknown_system" }, "Not available on this system."],
])("with the sandbox %s and %j the setting says: %s", async (sandbox, state, text) => {
  const { client } = await connectClient((name) =>
    name === "settings.sandbox" ? { ok: true, value: state } : undefined,
  );
  client.serverState.merge({ settings: { ...settingsDefaults, sandbox } });
  await renderForUser(client, <SandboxSetting />);
  await expect
    .poll(() => screen.getAllByRole("status").map((one) => one.textContent), { timeout: 60_000 })
    .toContain(text);
});
