/** Commands for channels, of the owner alone. Each change is pushed as `channels`. */
import * as z from "zod/mini";
import { type ChannelPairing, type ChannelView, channelKinds } from "../channels/channels";
import { remoteRights } from "../permissions/remote-rights";
import { defineCommand, noInput, projectId } from "./command-input";

const tokenMaxChars = 300;
const addressMaxChars = 300;

const kind = z.enum(channelKinds);
/** A person's id in the messenger. */
const personId = z.string().check(z.regex(/^[A-Za-z0-9_-]{1,40}$/));

export const channelCommands = {
  /** All channels that exist, also those that are off. */
  "channels.list": defineCommand<{ readonly channels: readonly ChannelView[] }>()(noInput),
  /**
   * Changes a channel; absent members stay. A channel that is on connects again. `projectId` null = the
   * personal workspace; `apiAddress` "" = the messenger's own. `takesOver` = a connection of another program to the same
   * account of the messenger, which `connection` reports as the error `conflict`, may be ended this time. Fails with
   * not_found (project), and bad_input; facts: `why` = address, or token (it has none, and cannot be switched on).
   */
  "channels.set": defineCommand<ChannelView>()(
    z.object({
      kind,
      isOn: z.optional(z.boolean()),
      apiAddress: z.optional(z.string().check(z.maxLength(addressMaxChars))),
      projectId: z.optional(z.nullable(projectId)),
      takesOver: z.optional(z.literal(true)),
    }),
  ),
  /** Stores a token, which is never returned; null deletes it and switches the channel off unless the environment has one. */
  "channels.set_token": defineCommand<ChannelView>()(
    z.object({ kind, token: z.nullable(z.string().check(z.regex(/^\S+$/), z.maxLength(tokenMaxChars))) }),
  ),
  /**
   * Makes a code that pairs one person, with the right `talk`; an earlier code ends. Fails with server_unreachable while the
   * channel is not online.
   */
  "channels.pair": defineCommand<ChannelPairing>()(z.object({ kind })),
  /** Fails with not_found. */
  "channels.set_person": defineCommand<ChannelView>()(
    z.object({
      kind,
      id: personId,
      right: z.optional(z.enum(remoteRights)),
      isPaused: z.optional(z.boolean()),
    }),
  ),
  /** Ends the pairing of a person; the sessions stay. Fails with not_found. */
  "channels.remove_person": defineCommand<ChannelView>()(z.object({ kind, id: personId })),
} as const;
