/** Redactor for share links: connection keys as they are sent, environment secrets, the bearer token, the home folder. */
import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { keyForms, splitCredentials } from "@/lib/models/key-use";
import { makeRedactor, type Redactor, secretValues } from "@/server/security/redaction/redact";
import type { Store } from "@/server/store/open-store";

interface SecretRedactorOptions {
  readonly store: Pick<Store, "connections" | "secrets">;
  readonly environment: NodeJS.ProcessEnv;
  /** Bearer token of server.json. */
  readonly bearer: string;
}

/** Returns the current redactor; rebuilt after the keys change. */
export function makeSecretRedactor({ store, environment, bearer }: SecretRedactorOptions): () => Redactor {
  const fixed = [...secretValues(environment), bearer, ...environmentKey(environment)];
  const homes = homeFolders(environment);
  let keys = "";
  let redactor = makeRedactor({ secrets: fixed, homes });
  return () => {
    const secrets = [...store.secrets.all(), ...sentKeys(store)];
    const now = secrets.join("\n");
    if (now !== keys) redactor = makeRedactor({ secrets: [...fixed, ...secrets], homes });
    keys = now;
    return redactor;
  };
}

/** The keys of connections in the forms in which they are sent. */
const sentKeys = ({ connections, secrets }: SecretRedactorOptions["store"]): readonly string[] =>
  connections.list().flatMap(({ id, keyUse }) => {
    const key = secrets.in("connections").get(id);
    return key === null ? [] : keyForms(key, keyUse);
  });

/** The key of the environment's connection, if its address has a user name. */
function environmentKey({ OPENAI_BASE_URL: address = "", OPENAI_API_KEY }: NodeJS.ProcessEnv): readonly string[] {
  const credentials = splitCredentials(address.trim());
  const key = credentials?.key ?? OPENAI_API_KEY?.trim() ?? "";
  return credentials === null || key === "" ? [] : keyForms(key, credentials.keyUse);
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
