/** Opens the server for viewers with the viewer page of an exported UI. Its modules load with the first active link. */
import type { ShareServerOpener } from "@/server/session/share/shared-view";
import type { ServerTls } from "../tls/server-tls";

/** `ui`: folder of the exported UI; `tls`: absent = plain http. */
export function makeShareServerOpener(ui: string, tls?: ServerTls): ShareServerOpener {
  return async (options) => {
    const [{ makeShareServer }, { makeSharePage }] = await Promise.all([
      import("./share-server"),
      import("./share-page"),
    ]);
    return makeShareServer(options, makeSharePage(ui), tls);
  };
}
