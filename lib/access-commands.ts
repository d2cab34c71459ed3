/** Commands for access and configuration: share links, devices, network, settings, rules and automatic decisions. */
import * as z from "zod/mini";
import type { ConfigFile } from "./config-keys";
import type { ConfigImport } from "./foreign-config";
import { command, id, idText, none, pattern, projectId, seq, sessionId } from "./command-input";
import type { AutomaticDecision } from "./guard";
import type { RuleId, ShareId } from "./id";
import { type Decision, modes, type Rule, ruleEffects } from "./policy";
import { limits, type Settings } from "./settings";
import { settingsSchema } from "./settings-schema";
import type { Device, Link, NetworkState, Share, SharedSession } from "./share";

const importText = z.string().check(z.minLength(1), z.maxLength(limits.configMaxChars));

const fileText = z.object({
  text: z.string().check(z.maxLength(limits.configMaxChars)),
  before: z.string().check(z.maxLength(limits.configMaxChars)),
});

export const accessCommands = {
  /** Creates a share link; its token is returned only here. The first link starts the listener for viewers. */
  "share.create": command<{ share: Share; links: readonly Link[] }>()(
    z.object({
      sessionId,
      kind: z.enum(["live", "frozen"]),
      outputs: z.boolean(),
      hours: z.number().check(z.gt(0), z.lte(limits.shareMaxHours)),
    }),
  ),
  "share.list": command<{ shares: readonly Share[] }>()(z.object({ sessionId: z.optional(sessionId) })),
  /** Disconnects the viewers of the share immediately. */
  "share.revoke": command<null>()(z.object({ shareId: id<ShareId>() })),
  /** Returns the share the calling viewer is connected to. */
  "share.open": command<SharedSession>()(none, "viewer"),
  "devices.list": command<{ devices: readonly Device[] }>()(none),
  /** Signs the device out and disconnects its tabs immediately. */
  "devices.revoke": command<null>()(z.object({ id: idText })),
  /**
   * Returns one-time sign-in links for another device of the owner; empty while the server listens on loopback only.
   */
  "devices.link": command<{ links: readonly Link[] }>()(none),
  /** Stops listening on network addresses until the next start. */
  "network.close": command<NetworkState>()(none),
  "settings.read": command<Settings>()(none),
  "settings.write": command<Settings>()(z.object({ patch: z.partial(settingsSchema) })),
  /** Returns `config.yaml` as stored on disk. */
  "config.read": command<ConfigFile>()(none),
  /**
   * Writes `config.yaml` if `text` has no problems other than warnings; otherwise `saved` is false. `before` is the
   * text the edit started from: fails with changed_meanwhile if the file on disk differs from it.
   */
  "config.write": command<{ file: ConfigFile; saved: boolean }>()(fileText),
  /** Returns `models.yaml` as stored on disk. */
  "config.read_models": command<ConfigFile>()(none),
  /** Writes `models.yaml`; same contract as config.write. */
  "config.write_models": command<{ file: ConfigFile; saved: boolean }>()(fileText),
  /**
   * Parses a configuration file of another tool, or an export of gopi-web, without applying it. Fails with bad_import.
   */
  "config.import_preview": command<ConfigImport>()(z.object({ text: importText })),
  /**
   * Applies the import; API keys are stored with their connections. Connections are added, never replaced. Fails with
   * bad_import, too_many.
   */
  "config.import": command<ConfigImport>()(z.object({ text: importText })),
  /** Exports all connections as a file for another gopi-web installation, without their API keys. */
  "config.export": command<{ name: string; text: string }>()(none),
  "rules.list": command<{ rules: readonly Rule[] }>()(z.object({ projectId: z.optional(projectId) })),
  /**
   * Creates a rule if `id` is absent. Within a project a pattern is unique: saving it again changes the existing rule.
   */
  "rules.save": command<{ rule: Rule }>()(
    z.object({ id: z.optional(id<RuleId>()), projectId, effect: z.enum(ruleEffects), pattern }),
  ),
  "rules.remove": command<null>()(z.object({ ruleId: id<RuleId>() })),
  /** Returns the policy decision for a command or path in the given mode, without running it. */
  "rules.test": command<{ decision: Decision }>()(
    z.object({
      projectId,
      mode: z.enum(modes),
      kind: z.enum(["exec", "read", "write", "delete"]),
      target: z.string().check(z.minLength(1), z.maxLength(limits.commandMaxChars)),
    }),
  ),
  /** Lists automatic decisions, newest first; `before` is the last id of the previous page. */
  "decisions.list": command<{ decisions: readonly AutomaticDecision[]; more: boolean }>()(
    z.object({
      projectId: z.optional(projectId),
      sessionId: z.optional(sessionId),
      kind: z.optional(z.enum(["allow", "refuse"])),
      before: z.optional(seq),
    }),
  ),
} as const;
