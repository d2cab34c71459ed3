/** Commands for MCP servers. */
import * as z from "zod/mini";
import type { ImageRef } from "../events/content";
import type { AgentError } from "../events/error";
import type { ElicitationView } from "../tools/elicitation";
import type { McpFound, McpOffers, McpState } from "../tools/mcp";
import { defineCommand, hash, projectId } from "./command-input";

/** Id of a server or name of a tool. */
const name = z.string().check(z.minLength(1), z.maxLength(200));
/** Configuration as another program writes it. */
const configText = z.string().check(z.minLength(1), z.maxLength(500_000));
const names = z.array(name).check(z.maxLength(500));
const elicitedText = z.string().check(z.maxLength(20_000));
const elicitedValue = z.union([
  elicitedText,
  z.number(),
  z.boolean(),
  z.readonly(z.array(elicitedText).check(z.maxLength(100))),
]);
const ofServer = { projectId, server: name };

export const mcpCommands = {
  "mcp.state": defineCommand<McpState>()(z.object({ projectId })),
  /** Lists the servers of a text; absent = of the files of other programs on this machine. Fails with bad_input. */
  "mcp.find": defineCommand<McpFound>()(z.object({ text: z.optional(configText) })),
  /**
   * Adds servers of a text, or of the files of other programs, to the home's file. Nothing is started. Fails with bad_input,
   * exists, too_many, no_permission.
   */
  "mcp.add": defineCommand<McpState>()(z.object({ projectId, text: z.optional(configText), names })),
  /**
   * Approves how a server is started: starts it once, stores its tools, and ends it. Of one that is approved, only its tools
   * are listed again. The `mcp` push has the result. `launch` = `launchHash` as it was shown. Fails with not_found, and with
   * changed_meanwhile if it would be started otherwise now.
   */
  "mcp.approve": defineCommand<McpState>()(z.object({ ...ofServer, launch: hash })),
  /**
   * Approves tools of a server as they were shown. Fails with not_found, and with changed_meanwhile if one of them has
   * changed since; then none is approved.
   */
  "mcp.accept": defineCommand<McpState>()(
    z.object({ ...ofServer, tools: z.array(z.object({ name, hash })).check(z.maxLength(500)) }),
  ),
  /** Fails with not_found. */
  "mcp.set_tool": defineCommand<McpState>()(
    z.object({ ...ofServer, tool: name, isOff: z.optional(z.boolean()), isPinned: z.optional(z.boolean()) }),
  ),
  /** Stores a value that a server's entry names; "" deletes it. Fails with not_found. */
  "mcp.set_value": defineCommand<McpState>()(
    z.object({ ...ofServer, name, value: z.string().check(z.maxLength(20_000)) }),
  ),
  /** Writes `disabled` of a server into the home's file. Fails with not_found, no_permission; not_allowed for another's. */
  "mcp.disable": defineCommand<McpState>()(z.object({ ...ofServer, disabled: z.boolean() })),
  /**
   * Removes a server from the home's file, with its approval; of a server of a project's file only the approval. Fails with
   * not_found, no_permission.
   */
  "mcp.remove": defineCommand<McpState>()(z.object(ofServer)),
  /**
   * Prepares a sign-in to a server at an address, for ten minutes; returns the address that the user opens in a browser.
   * `launch` = `launchHash` as it was shown. Fails with not_found, changed_meanwhile, bad_input, not_allowed, tool_failed,
   * timeout.
   */
  "mcp.sign_in": defineCommand<{ readonly address: string }>()(z.object({ ...ofServer, launch: hash })),
  /**
   * Takes the address that the browser was sent back to. Returns the path of the server's page, and why the sign-in failed.
   * Fails with not_found if the address belongs to no sign-in that runs.
   */
  "mcp.finish_sign_in": defineCommand<{ readonly page: string; readonly error?: AgentError }>()(
    z.object({ address: z.string().check(z.minLength(1), z.maxLength(8_192)) }),
  ),
  /** Deletes the tokens of a server and ends its connections. Fails with not_found. */
  "mcp.sign_out": defineCommand<McpState>()(z.object(ofServer)),
  /**
   * Finds the newest version of the package that a server runs, with the user's own package manager, and writes it into the
   * home's file: another launch, which needs another approval. `launch` = `launchHash` as it was shown. Fails with not_found,
   * not_allowed for a server of a project's file, changed_meanwhile, aborted after `mcp.stop_pin`, bad_input, no_permission,
   * and with tool_failed (`reason`: `program_missing`, `pin_unknown`, `pin_unreachable`, `pin_failed`).
   */
  "mcp.pin": defineCommand<{ readonly version: string; readonly state: McpState }>()(
    z.object({ ...ofServer, launch: hash }),
  ),
  /** Stops the search for the version. Fails with not_found. */
  "mcp.stop_pin": defineCommand<McpState>()(z.object(ofServer)),
  /** Ends its process. Fails with not_found. */
  "mcp.stop": defineCommand<McpState>()(z.object(ofServer)),
  /** Questions of servers that wait for the user, in all projects. */
  "mcp.questions": defineCommand<{ readonly questions: readonly ElicitationView[] }>()(z.object({})),
  /**
   * Answers a question; `content` = the values of its form. Fails with not_found if it does not wait any more, and with
   * bad_input if a value does not fit its field.
   */
  "mcp.answer": defineCommand<null>()(
    z.object({
      question: name,
      action: z.enum(["accept", "decline", "cancel"]),
      content: z.optional(z.record(name, elicitedValue)),
    }),
  ),
  /** Prompts and resources of approved servers, as they listed them when they were tested; nothing is started. */
  "mcp.offers": defineCommand<McpOffers>()(z.object({ projectId })),
  /** Starts a server and returns the text of a prompt. Fails with not_found, gone, binary, and like a start. */
  "mcp.prompt": defineCommand<{ readonly text: string }>()(
    z.object({ ...ofServer, prompt: name, input: z.record(name, elicitedText) }),
  ),
  /**
   * Starts a server and returns the text of a resource, or, if it is only images, those, as `images.add` returns them. Fails
   * with not_found, gone, binary, too_large, bad_image, and like a start.
   */
  "mcp.resource": defineCommand<{ readonly text: string } | { readonly images: readonly ImageRef[] }>()(
    z.object({ ...ofServer, uri: z.string().check(z.minLength(1), z.maxLength(1_000)) }),
  ),
  /** Returns the last output of a server beside the protocol; secrets are masked. Fails with not_found. */
  "mcp.log": defineCommand<{ readonly text: string }>()(z.object(ofServer)),
};
