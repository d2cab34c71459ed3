/**
 * Formats the connections (names, addresses, models) as text that another gopi-web imports. Keys are never included.
 */
import { stringify } from "yaml";
import type { Connection } from "@/lib/models/models";

const exportHeader =
  "# Connections of gopi-web. Keys are not part of this file; each is entered again after the import.\n";

export function exportConnections(connections: readonly Connection[]): string {
  const rows = connections.map(
    ({ name, preset, baseUrl, model, numCtx, temperature, keyUse, sessionHeader, atOnce }) => ({
      name,
      preset,
      base_url: baseUrl,
      ...(model === "" ? {} : { model }),
      ...(numCtx === 0 ? {} : { window: numCtx }),
      temperature,
      session_header: sessionHeader,
      at_once: atOnce,
      ...(keyUse === undefined ? {} : { [keyUse.as === "password" ? "user" : "header"]: keyUse.name }),
    }),
  );
  return exportHeader + stringify({ connections: rows }, { lineWidth: 0 });
}
