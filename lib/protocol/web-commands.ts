/** Commands for the web tools. */
import * as z from "zod/mini";
import { type WebState, type WebTest, webProviderIds } from "../tools/web";
import { defineCommand, noInput } from "./command-input";

const provider = z.enum(webProviderIds);
const providers = z.array(z.object({ id: provider, isEnabled: z.boolean() })).check(z.maxLength(webProviderIds.length));
const address = z.string().check(z.maxLength(2_000));

export const webCommands = {
  "web.state": defineCommand<WebState>()(noInput),
  /**
   * Changes what is given. `providers` = in the order in which they are asked; `searxngAddress` "" = none. Fails with bad_input
   * if it is no address, and with the codes of a store.
   */
  "web.set": defineCommand<WebState>()(
    z.object({
      isEnabled: z.optional(z.boolean()),
      providers: z.optional(providers),
      searxngAddress: z.optional(address),
    }),
  ),
  /** Stores the API key of a search engine; "" deletes it. Fails with the codes of a store. */
  "web.set_key": defineCommand<WebState>()(z.object({ provider, key: z.string().check(z.maxLength(2_000)) })),
  /**
   * Returns a public page as a model gets it. Fails with tool_off while the web is off, with bad_input if it is no address, and as
   * `web_fetch` does (facts: `webFailure`, `host`).
   */
  "web.page": defineCommand<{ readonly text: string }>()(z.object({ address })),
  /** Searches once with a search engine, whether it is enabled or not. Fails with bad_input if its key or address is missing. */
  "web.test": defineCommand<WebTest>()(z.object({ provider })),
};
