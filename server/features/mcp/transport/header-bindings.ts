/** Parameters that a tool's schema binds to headers (`x-mcp-header`, MCP 2026-07-28, SEP-2243). */
import { isJsonObject, type Json, type JsonObject } from "@/lib/events/content";

const headerKey = "x-mcp-header";
const boundTypes: readonly (Json | undefined)[] = ["string", "integer", "boolean"];
/** RFC 9110, 5.6.2 */
const headerName = /^[!#$%&'*+.^_`|~\w-]+$/;
/** Their values are no schemas. */
const valueKeys: ReadonlySet<string> = new Set(["default", "const", "enum", "examples"]);

/**
 * Whether each bound parameter is reached by `properties` alone, is a text, an integer or a boolean, and has a header of its
 * own. A client must not offer a tool for which this is not so.
 */
export function hasValidHeaderBindings(schema: JsonObject): boolean {
  const bound = new Set<string>();
  const bind = ({ [headerKey]: name, type }: JsonObject, isParameter: boolean): boolean => {
    if (name === undefined) return true;
    if (!isParameter || typeof name !== "string" || !headerName.test(name) || !boundTypes.includes(type)) return false;
    const isNew = !bound.has(name.toLowerCase());
    bound.add(name.toLowerCase());
    return isNew;
  };
  const visit = (node: Json, isParameter: boolean, isReached: boolean): boolean => {
    if (Array.isArray(node)) return node.every((one: Json) => visit(one, false, false));
    if (!isJsonObject(node)) return true;
    return (
      bind(node, isParameter) &&
      Object.entries(node).every(([key, child]) => {
        if (valueKeys.has(key)) return true;
        const properties = key === "properties" && isJsonObject(child) ? Object.values(child) : null;
        return properties === null
          ? visit(child, false, false)
          : properties.every((property) => visit(property, isReached, isReached));
      })
    );
  };
  return visit(schema, false, true);
}
