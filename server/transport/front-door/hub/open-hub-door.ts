/** The front door of JupyterHub with all its parts: started before the server listens, so that the first answer has the hub's version. */
import type { Server } from "node:http";
import { timeLimit } from "@/server/base/abort";
import type { HubVariables } from "@/server/base/hub-variables";
import { listenAt } from "../../http/address-listeners";
import type { FrontDoor } from "../front-door";
import { makeHubClient } from "./hub-client";
import { makeHubFrontDoor } from "./hub-front-door";

/** A hub that does not answer at once does not delay the start, ms. */
const versionMs = 1_000;

export interface HubDoor {
  readonly frontDoor: FrontDoor;
  /** Listens exactly where the hub said. false = that is not possible; reported. */
  listen(http: Server): Promise<boolean>;
}

export function openHubDoor(hub: HubVariables, log: (line: string) => void): HubDoor {
  const client = makeHubClient(hub);
  const version = client.version(timeLimit(versionMs));
  return {
    frontDoor: makeHubFrontDoor({ hub, client, log, elapsed: () => performance.now() }),
    async listen(http) {
      const name = await version;
      // The hub warns about a server without it.
      if (name !== null)
        http.prependListener("request", (_request, response) => response.setHeader("X-JupyterHub-Version", name));
      const failure = await listenAt(http, hub.port, hub.host);
      if (failure === null) return true;
      const place = `${hub.host ?? "*"}:${hub.port}`;
      log(
        failure === "EADDRINUSE"
          ? `Port ${hub.port} of JUPYTERHUB_SERVICE_URL is in use. In a terminal of another server of JupyterHub, start gopi-web with: env -u JUPYTERHUB_API_TOKEN gopi-web`
          : `Can't listen on ${place} of JUPYTERHUB_SERVICE_URL: ${failure}.`,
      );
      return false;
    },
  };
}
