/** Commands for access and configuration: share links, devices, network, settings, rules and the log of decisions. */
import * as z from "zod/mini";
import { isRecord } from "../events/content";
import { type ConfigFile, parseSettings } from "../settings/config-keys";
import { type ConfigImport, type ForeignConfigFile, foreignConfigFiles } from "../settings/foreign-config";
import { defineCommand, brandedId, idText, noInput, pattern, projectId, seq, sessionId } from "./command-input";
import type { LoggedDecision, SandboxState } from "../permissions/guard";
import type { RuleId, ShareId } from "../events/id";
import { type Decision, modes, type Rule, ruleEffects } from "../permissions/policy";
import { limits, type Settings } from "../settings/settings";
import type { Device, AddressLink, NetworkState, Share, SharedSession } from "./share";

/** Maximum lifetime of a share link, hours. */
const shareMaxHours = 720;

/** The text of a file, or one of those that `config.find_imports` returns. */
const importSource = z
  .object({
    text: z.optional(z.string().check(z.maxLength(limits.configMaxChars))),
    file: z.optional(z.enum(foreignConfigFiles)),
  })
  .check(z.refine(({ text, file }) => (text === undefined) !== (file === undefined)));

const fileText = z.object({
  text: z.string().check(z.maxLength(limits.configMaxChars)),
  before: z.string().check(z.maxLength(limits.configMaxChars)),
});

/** Unknown names have no effect, so that a page of another version can be open. */
const settingsPatch = z.pipe(
  z.custom<Readonly<Record<string, unknown>>>(isRecord),
  z.transform((values, context): Partial<Settings> => {
    const { settings, bad } = parseSettings(values);
    for (const name of bad)
      context.issues.push({ code: "custom", path: [name], input: values[name], message: "not allowed" });
    return settings;
  }),
);

export const accessCommands = {
  /** Creates a share link; its token is returned only here. The first link starts the listener for viewers. */
  "share.create": defineCommand<{ share: Share; links: readonly AddressLink[] }>()(
    z.object({
      sessionId,
      kind: z.enum(["live", "frozen"]),
      outputs: z.boolean(),
      hours: z.number().check(z.gt(0), z.lte(shareMaxHours)),
    }),
  ),
  "share.list": defineCommand<{ shares: readonly Share[] }>()(z.object({ sessionId: z.optional(sessionId) })),
  /** Disconnects the viewers of the share immediately. */
  "share.revoke": defineCommand<null>()(z.object({ shareId: brandedId<ShareId>() })),
  /** Returns the share the calling viewer is connected to. */
  "share.open": defineCommand<SharedSession>()(noInput, "viewer"),
  "devices.list": defineCommand<{ devices: readonly Device[] }>()(noInput),
  /** Signs the device out and disconnects its tabs immediately. */
  "devices.revoke": defineCommand<null>()(z.object({ id: idText })),
  /**
   * Returns one-time sign-in links for another device of the owner; empty while the server listens on loopback only.
   */
  "devices.link": defineCommand<{ links: readonly AddressLink[] }>()(noInput),
  /** Stops listening on network addresses until the next start. */
  "network.close": defineCommand<NetworkState>()(noInput),
  "settings.read": defineCommand<Settings>()(noInput),
  "settings.write": defineCommand<Settings>()(z.object({ patch: settingsPatch })),
  /** Returns whether commands can be sandboxed on this machine; the first call tests it. */
  "settings.sandbox": defineCommand<SandboxState>()(noInput),
  /** Returns `config.yaml` as stored on disk. */
  "config.read": defineCommand<ConfigFile>()(noInput),
  /**
   * Writes `config.yaml` if `text` has no problems other than warnings; otherwise `saved` is false. `before` is the
   * text the edit started from: fails with changed_meanwhile if the file on disk differs from it.
   */
  "config.write": defineCommand<{ file: ConfigFile; saved: boolean }>()(fileText),
  /** Returns `models.yaml` as stored on disk. */
  "config.read_models": defineCommand<ConfigFile>()(noInput),
  /** Writes `models.yaml`; same contract as config.write. */
  "config.write_models": defineCommand<{ file: ConfigFile; saved: boolean }>()(fileText),
  /**
   * Parses a configuration file of another tool, or an export of gopi-web, without applying it. Fails with bad_import, and for a
   * file of this machine with not_found, too_large, no_permission.
   */
  "config.import_preview": defineCommand<ConfigImport>()(importSource),
  /**
   * Applies the import; API keys are stored with their connections. Connections are added, never replaced. Fails as the preview,
   * and with too_many.
   */
  "config.import": defineCommand<ConfigImport>()(importSource),
  /** Returns the configuration files of other tools on this machine, in their usual places. */
  "config.find_imports": defineCommand<{ readonly files: readonly { file: ForeignConfigFile; path: string }[] }>()(
    noInput,
  ),
  /** Exports settings, model options and connections as a file for another gopi-web installation, without API keys. */
  "config.export": defineCommand<{ name: string; text: string }>()(noInput),
  "rules.list": defineCommand<{ rules: readonly Rule[] }>()(z.object({ projectId: z.optional(projectId) })),
  /**
   * Creates a rule if `brandedId` is absent. Within a project a pattern is unique: saving it again changes the existing rule.
   */
  "rules.save": defineCommand<{ rule: Rule }>()(
    z.object({ id: z.optional(brandedId<RuleId>()), projectId, effect: z.enum(ruleEffects), pattern }),
  ),
  "rules.remove": defineCommand<null>()(z.object({ ruleId: brandedId<RuleId>() })),
  /** Returns the policy decision for a command or path in the given mode, without running it. */
  "rules.test": defineCommand<{ decision: Decision }>()(
    z.object({
      projectId,
      mode: z.enum(modes),
      kind: z.enum(["exec", "read", "write", "delete"]),
      target: z.string().check(z.minLength(1), z.maxLength(limits.commandMaxChars)),
    }),
  ),
  /** Lists the decisions about calls, newest first; `before` is the last id of the previous page. */
  "decisions.list": defineCommand<{ decisions: readonly LoggedDecision[]; more: boolean }>()(
    z.object({
      projectId: z.optional(projectId),
      sessionId: z.optional(sessionId),
      kind: z.optional(z.enum(["allow", "refuse"])),
      before: z.optional(seq),
    }),
  ),
} as const;
