/** The page of an extension in the hash of the settings' URL. Pure. */

const prefix = "extension/";

/** Ids contain no slash, and no setting has such a key. */
export const formatExtensionAddress = (projectId: string, path: string): string => `${prefix}${projectId}/${path}`;

/** Null = another address. */
export function parseExtensionAddress(
  address: string | null,
): { readonly projectId: string; readonly path: string } | null {
  const [, projectId, path] = /^extension\/([^/]+)\/(.+)$/s.exec(address ?? "") ?? [];
  return projectId === undefined || path === undefined ? null : { projectId, path };
}
