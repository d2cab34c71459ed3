/** Commands about who may do what: sharing, devices, rules, settings. Part of the table in command.ts. */
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
  /** Makes a link and tells it, once. The listener for viewers starts with the first. */
  "share.create": command<{ share: Share; links: readonly Link[] }>()(
    z.object({
      sessionId,
      kind: z.enum(["live", "frozen"]),
      outputs: z.boolean(),
      hours: z.number().check(z.gt(0), z.lte(limits.shareMaxHours)),
    }),
  ),
  "share.list": command<{ shares: readonly Share[] }>()(z.object({ sessionId: z.optional(sessionId) })),
  /** Its viewers are cut off at once. */
  "share.revoke": command<null>()(z.object({ shareId: id<ShareId>() })),
  /** A viewer's own share. */
  "share.open": command<SharedSession>()(none, "viewer"),
  "devices.list": command<{ devices: readonly Device[] }>()(none),
  /** It is signed out at once, its tabs are cut off. */
  "devices.revoke": command<null>()(z.object({ id: idText })),
  /** One-time links by which another device of the owner signs in; empty while the server listens on this machine only. */
  "devices.link": command<{ links: readonly Link[] }>()(none),
  /** Back to this machine only, until the next start. */
  "network.close": command<NetworkState>()(none),
  "settings.read": command<Settings>()(none),
  "settings.write": command<Settings>()(z.object({ patch: z.partial(settingsSchema) })),
  /** `config.yaml` as it is on disk. */
  "config.read": command<ConfigFile>()(none),
  /**
   * Saves the text when it has no problem but warnings; `saved` = false otherwise. `before` = the text it was made from: fails with
   * changed_meanwhile when the file is another one by now.
   */
  "config.write": command<{ file: ConfigFile; saved: boolean }>()(fileText),
  /** `models.yaml` as it is on disk. */
  "config.read_models": command<ConfigFile>()(none),
  /** The same for `models.yaml` as config.write for `config.yaml`. */
  "config.write_models": command<{ file: ConfigFile; saved: boolean }>()(fileText),
  /** What a configuration file of another tool, or an export of ours, would change. Changes nothing. Fails with bad_import. */
  "config.import_preview": command<ConfigImport>()(z.object({ text: importText })),
  /** Does it; keys are stored with their connections. Connections are added, never replaced. Fails with bad_import, too_many. */
  "config.import": command<ConfigImport>()(z.object({ text: importText })),
  /** All connections as a file for another gopi-web, without their keys. */
  "config.export": command<{ name: string; text: string }>()(none),
  "rules.list": command<{ rules: readonly Rule[] }>()(z.object({ projectId: z.optional(projectId) })),
  /** A new one without id. The same pattern twice in a project is one rule. */
  "rules.save": command<{ rule: Rule }>()(
    z.object({ id: z.optional(id<RuleId>()), projectId, effect: z.enum(ruleEffects), pattern }),
  ),
  "rules.remove": command<null>()(z.object({ ruleId: id<RuleId>() })),
  /** What would be decided now, in this mode, for a command or a path. Runs nothing. */
  "rules.test": command<{ decision: Decision }>()(
    z.object({
      projectId,
      mode: z.enum(modes),
      kind: z.enum(["exec", "read", "write", "delete"]),
      target: z.string().check(z.minLength(1), z.maxLength(limits.commandMaxChars)),
    }),
  ),
  /** What was decided without asking, newest first; `before` = the last id of the page before. */
  "decisions.list": command<{ decisions: readonly AutomaticDecision[]; more: boolean }>()(
    z.object({
      projectId: z.optional(projectId),
      sessionId: z.optional(sessionId),
      kind: z.optional(z.enum(["allow", "refuse"])),
      before: z.optional(seq),
    }),
  ),
} as const;
