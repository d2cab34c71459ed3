/** The page of a skill in the hash of the settings' URL. Pure. */

const prefix = "skill/";

/** Ids contain no slash, and no setting has such a key. */
export const formatSkillAddress = (projectId: string, folder: string): string => `${prefix}${projectId}/${folder}`;

/** Null = another address. */
export function parseSkillAddress(
  address: string | null,
): { readonly projectId: string; readonly folder: string } | null {
  if (address?.startsWith(prefix) !== true) return null;
  const rest = address.slice(prefix.length);
  const end = rest.indexOf("/");
  return end < 0 ? null : { projectId: rest.slice(0, end), folder: rest.slice(end + 1) };
}
