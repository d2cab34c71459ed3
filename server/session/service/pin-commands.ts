/** Commands that pin files to the context of a session, and report what the model has of them. */
import type { CommandInput, CommandOutput } from "@/lib/protocol/command";
import { fail, ok, type Result } from "@/lib/events/error";
import { limits } from "@/lib/settings/settings";
import { checkPin, planNewPins } from "../context/pinned-files";
import type { SessionClient, SessionLookup, SessionServiceOptions } from "./session-service";
import { neverAborted } from "@/server/base/abort";

export interface PinCommands {
  /**
   * Pins or unpins a file. Fails with not_found, in_bin, and when pinning with too_many, too_large and the codes of
   * reading.
   */
  pin(input: CommandInput<"session.pin">, client: SessionClient): Promise<Result<CommandOutput<"session.pin">>>;
  /** Reads the pinned files now. Fails with not_found. */
  pins(input: CommandInput<"session.pins">, client: SessionClient): Promise<Result<CommandOutput<"session.pins">>>;
  /** Reads files that are to be pinned to a new session. Fails with not_found (project). */
  previewPins(
    input: CommandInput<"session.preview_pins">,
    client: SessionClient,
  ): Promise<Result<CommandOutput<"session.preview_pins">>>;
}

export function makePinCommands(
  { services, access, projects }: SessionServiceOptions,
  lookup: SessionLookup,
): PinCommands {
  const signalOf = ({ disconnected }: SessionClient): AbortSignal => disconnected ?? neverAborted;
  return {
    async pin({ sessionId, commandId, path, pinned }, client) {
      const session = lookup.writable(sessionId);
      if (!session.ok) return session;
      const { view } = session.value;
      if (pinned && view.model === null) await access.ensureListed("");
      const content = pinned ? await checkPin(view, path, services, signalOf(client)) : ok({ label: path });
      if (!content.ok) return content;
      const still = lookup.writable(sessionId);
      if (!still.ok) return still;
      const { label } = content.value;
      const others = still.value.view.pins.filter((pin) => pin.path !== label).map((pin) => ({ path: pin.path }));
      if (pinned && others.length >= limits.pinnedFiles)
        return fail("too_many", undefined, { limit: limits.pinnedFiles });
      return ok(still.value.update({ pins: pinned ? [...others, { path: label }] : others }, commandId));
    },
    async pins({ sessionId }, client) {
      const session = lookup.get(sessionId);
      if (!session.ok) return session;
      await session.value.readPins(signalOf(client));
      return ok(session.value.pins());
    },
    async previewPins({ projectId, paths, model, connection }, client) {
      const project = await projects.get(projectId);
      if (!project.ok) return project;
      await access.ensureListed(connection ?? "");
      const wanted = model === undefined ? undefined : { name: model, connection };
      return ok(await planNewPins({ projectId, paths, wanted }, services, signalOf(client)));
    },
  };
}
