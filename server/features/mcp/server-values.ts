/** The values that a server's entry leaves open: variables and inputs, which the user sets or enters here. */
import { fail, ok, type Result } from "@/lib/events/error";
import type { McpValueView } from "@/lib/tools/mcp";
import { referencedNames } from "./config/references";
import type { ConfiguredServer } from "./configured-servers";
import type { McpServiceHost } from "./mcp-service";
import { valueName } from "./server-start";

/** Returns them without the values. Ordered by name. */
export function viewValues(
  { store, environment }: Pick<McpServiceHost, "store" | "environment">,
  server: ConfiguredServer,
): readonly McpValueView[] {
  const secrets = store.secrets.in("mcp");
  return [...referencedNames(server.config)].toSorted().map((name): McpValueView => {
    const input = server.inputs.find(({ id }) => name === `input:${id}`);
    const isStored = secrets.get(valueName(server, name)) !== null;
    const isSet = (environment[name] ?? "") !== "";
    return {
      name,
      ...(input === undefined || input.description === "" ? {} : { description: input.description }),
      isSecret: input?.isSecret ?? true,
      from: isStored ? "stored" : isSet ? "environment" : "none",
    };
  });
}

/** Stores a value that the server's entry names; "" deletes it. Fails with not_found. */
export function storeValue(
  store: Pick<McpServiceHost["store"], "secrets">,
  server: ConfiguredServer,
  name: string,
  value: string,
): Result<void> {
  if (!referencedNames(server.config).has(name)) return fail("not_found");
  return ok(store.secrets.in("mcp").set(valueName(server, name), value === "" ? null : value));
}
