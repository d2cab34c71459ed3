/** Redactor for share links: connection keys as they are sent, environment secrets, the bearer token, the home folder. */
import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import type { ModelAccess } from "@/server/models/access/model-access";
import { makeRedactor, type Redactor, secretValues } from "@/server/security/redaction/redact";
import type { Store } from "@/server/store/open-store";

interface SecretRedactorOptions {
  readonly store: Pick<Store, "secrets">;
  readonly access: Pick<ModelAccess, "connections">;
  readonly environment: NodeJS.ProcessEnv;
  /** Bearer token of server.json. */
  readonly bearer: string;
}

/** Returns the current redactor; rebuilt after the keys change. */
export function makeSecretRedactor({ store, access, environment, bearer }: SecretRedactorOptions): () => Redactor {
  const fixed = [...secretValues(environment), bearer];
  const homes = homeFolders(environment);
  let keys = "";
  let redactor = makeRedactor({ secrets: fixed, homes });
  return () => {
    const secrets = [...store.secrets.all(), ...access.connections.sentKeys()];
    const now = secrets.join("\n");
    if (now !== keys) redactor = makeRedactor({ secrets: [...fixed, ...secrets], homes });
    keys = now;
    return redactor;
  };
}

/** The home folders, as named and with links resolved. */
function homeFolders(environment: NodeJS.ProcessEnv): readonly string[] {
  const named = [environment.HOME, environment.USERPROFILE, homedir()].filter(
    (home) => home !== undefined && home !== "",
  );
  return [...new Set(named.flatMap((home = "") => [home, resolveLinks(home)]))];
}

function resolveLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
