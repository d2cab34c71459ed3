/** Pins the files that the page's address names to a new session: `?pin=src/a.ts&pin=b.md`. */
import type { PinControl } from "../../state/workbench/component-handles";
import { navigate } from "../navigation/router";
import { currentPath } from "../../state/base-path";

/** Removes them from the address, so that a reload does not pin them again. Refusals are shown. */
export async function pinAddressFiles({ setPinned }: Pick<PinControl, "setPinned">): Promise<void> {
  const query = new URLSearchParams(location.search);
  const paths = query.getAll("pin");
  query.delete("pin");
  const rest = query.size === 0 ? "" : `?${query}`;
  navigate(currentPath() + rest + location.hash, "replace");
  for (const path of paths) await setPinned(path, true);
}
