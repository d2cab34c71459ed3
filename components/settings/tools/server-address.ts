/** The page of a server in the hash of the settings' URL. Pure. */

const prefix = "mcp/";

/** Ids contain no slash, and no setting has such a key. */
export const formatServerAddress = (projectId: string, serverId: string): string => `${prefix}${projectId}/${serverId}`;

/** Null = another address. */
export function parseServerAddress(
  address: string | null,
): { readonly projectId: string; readonly serverId: string } | null {
  if (address?.startsWith(prefix) !== true) return null;
  const [projectId = "", serverId = ""] = address.slice(prefix.length).split("/");
  return { projectId, serverId };
}
