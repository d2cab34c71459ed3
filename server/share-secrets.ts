/** What must reach no viewer, gathered: the keys of connections, the secrets of the environment, the bearer token, the home folder. Loaded by sharing with the first link. */
import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { makeRedactor, type Redactor, secretsOf } from "./security/redact";
import type { Store } from "./store/open-store";

export interface SecretsOptions {
  readonly store: Pick<Store, "keys">;
  readonly environment: NodeJS.ProcessEnv;
  /** Of server.json. */
  readonly bearer: string;
}

/** Made anew when a key was added or taken away. */
export function redactorOf({ store, environment, bearer }: SecretsOptions): () => Redactor {
  const fixed = [...secretsOf(environment), bearer];
  const homes = homesOf(environment);
  let keys = "";
  let redactor = makeRedactor({ secrets: fixed, homes });
  return () => {
    const kept = store.keys.all();
    const now = kept.join("\n");
    if (now !== keys) redactor = makeRedactor({ secrets: [...fixed, ...kept], homes });
    keys = now;
    return redactor;
  };
}

/** As it is called and as it is in truth. */
function homesOf(environment: NodeJS.ProcessEnv): readonly string[] {
  const named = [environment.HOME, environment.USERPROFILE, homedir()].filter(
    (home) => home !== undefined && home !== "",
  );
  return [...new Set(named.flatMap((home = "") => [home, realOf(home)]))];
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
