import { getUser } from "./users.js";

/** Names of the users with these ids. Uses getUser for each. */
export function nameList(ids) {
  return ids.map((id) => getUser(id).name).join(", ");
}
