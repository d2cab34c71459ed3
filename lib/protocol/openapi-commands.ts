/** Commands for APIs that an OpenAPI document describes. */
import * as z from "zod/mini";
import type { ApiToolRow, ApiToolView, ApiTrialRequest, ApiView, OpenApiState } from "../tools/openapi";
import type { ToolTrial } from "../tools/trials";
import { defineCommand, hash, idText, json, noInput } from "./command-input";

/** Id of an API, name of a tool or of a scheme. */
const name = z.string().check(z.minLength(1), z.maxLength(200));
const address = z.string().check(z.minLength(1), z.maxLength(4_000));
/** Place of a document: an address, or an upload. `name` = that of its file; absent = it was pasted. */
const url = z.optional(address);
const upload = z.optional(name);
const fileName = z.optional(z.string().check(z.maxLength(500)));

/** Characters of one part of an upload. */
export const apiPartMaxChars = 300_000;

export const openApiCommands = {
  "openapi.state": defineCommand<OpenApiState>()(noInput),
  /**
   * Sends a part of a text, from part 0 on; the server holds two texts, in memory. Fails with bad_input if a part before is
   * missing, with too_large.
   */
  "openapi.upload": defineCommand<null>()(
    z.object({
      upload: name,
      part: z.int().check(z.nonnegative(), z.maximum(10_000)),
      text: z.string().check(z.maxLength(apiPartMaxChars)),
    }),
  ),
  /**
   * Reads a document from an address or an upload, and adds its API. Its tools can be called when the host of its requests
   * is confirmed, which the one of the typed address is. Fails with bad_input (`reason`, `line`), tool_failed (`reason`,
   * `host`, `status`), too_large, too_many, exists (`id`, `name`: the API whose document is at this address), and the codes
   * of a store.
   */
  "openapi.add": defineCommand<ApiView>()(z.object({ url, upload, name: fileName })),
  /**
   * Reads the document again, from its address or an upload. What has changed waits for an approval. Fails as `openapi.add`,
   * and with not_found.
   */
  "openapi.reload": defineCommand<ApiView>()(z.object({ api: name, upload, name: fileName })),
  /** Confirms where requests go. Fails with not_found, and with bad_input if it is no address. */
  "openapi.confirm": defineCommand<ApiView>()(z.object({ api: name, address })),
  "openapi.enable": defineCommand<ApiView>()(z.object({ api: name, isEnabled: z.boolean() })),
  /** Removes an API with its keys, approvals and rules. Fails with not_found. */
  "openapi.remove": defineCommand<null>()(z.object({ api: name })),
  /** Stores the key of a scheme; "" deletes it. Fails with not_found, and with bad_input if it cannot be sent. */
  "openapi.set_key": defineCommand<ApiView>()(
    z.object({ api: name, scheme: name, key: z.string().check(z.maxLength(8_000)) }),
  ),
  /**
   * Lists tools by name, at most 50 from `from` on: those with all words of `search` in name, path or description. `waiting`
   * = those that wait for an approval. Fails with not_found.
   */
  "openapi.tools": defineCommand<{ readonly tools: readonly ApiToolRow[]; readonly total: number }>()(
    z.object({
      api: name,
      search: z.string().check(z.maxLength(200)),
      waiting: z.boolean(),
      from: z.int().check(z.nonnegative()),
    }),
  ),
  /** Fails with not_found. */
  "openapi.tool": defineCommand<ApiToolView>()(z.object({ api: name, tool: name })),
  /** Switches or pins a tool; without one, all. Fails with not_found. */
  "openapi.set_tool": defineCommand<ApiView>()(
    z.object({ api: name, tool: z.optional(name), isOff: z.optional(z.boolean()), isPinned: z.optional(z.boolean()) }),
  ),
  /**
   * Approves tools as they were shown; one that is gone is forgotten. Fails with not_found, and with changed_meanwhile if
   * one of them has changed since; then none is approved.
   */
  "openapi.accept": defineCommand<ApiView>()(
    z.object({ api: name, tools: z.array(z.object({ name, hash })).check(z.maxLength(2_000)) }),
  ),
  /**
   * Returns the request that an input would send, without keys; nothing is sent. Fails with not_found, with
   * changed_meanwhile if the tool cannot be called now, and with bad_input if the input does not fit (`detail` = why).
   */
  "openapi.preview": defineCommand<ApiTrialRequest>()(z.object({ api: name, tool: name, input: json })),
  /**
   * Sends it as a call of a model is sent. `trial` = a new id; the same one again has the answer of the first. Fails as
   * `openapi.preview`, with aborted after `openapi.stop_trial`, and with tool_failed and timeout (`detail` = why).
   */
  "openapi.try": defineCommand<ToolTrial>()(z.object({ api: name, tool: name, input: json, trial: idText })),
  /** Stops a trial that runs. */
  "openapi.stop_trial": defineCommand<null>()(z.object({ trial: idText })),
};
