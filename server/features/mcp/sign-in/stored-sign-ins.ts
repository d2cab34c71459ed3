/** Tokens and registrations in the key file, by server and by authorization server. */
import * as z from "zod/mini";
import { parseJson } from "@/server/base/parse-json";
import { computeHash } from "@/server/base/id";
import type { SecretStore } from "@/server/store/access/secrets";

const sessionSchema = z.object({
  issuer: z.string(),
  /** Address of the authorization server's metadata. */
  authorizationServer: z.string(),
  clientId: z.string(),
  resource: z.optional(z.string()),
  /** Time to renew the token, ms epoch; absent = the server does not report its expiry. */
  renewAt: z.optional(z.number()),
  /** The permissions that were requested; absent = none, or that was not stored. */
  scope: z.optional(z.string()),
  /** Permissions that the server has required since ("" = it named none); absent = it has not. */
  missingScope: z.optional(z.string()),
  /** The server is in a private network. */
  isPrivate: z.boolean(),
  /** The server that the user signed in to; absent = that was not stored. */
  owner: z.optional(z.object({ file: z.string(), name: z.string() })),
});

export type SignInSession = z.infer<typeof sessionSchema> & {
  readonly access: string;
  readonly refresh: string | null;
  readonly clientSecret: string | null;
};

const clientSchema = z.object({ clientId: z.string(), redirectUrl: z.string() });

export interface RegisteredClient extends z.infer<typeof clientSchema> {
  readonly clientSecret: string | null;
}

/** A server by the file that names it, absolute, and its name there. */
export type SignInOwner = NonNullable<SignInSession["owner"]>;

/** Throws StoreError. */
export interface StoredSignIns {
  /** `server` = its address. Null = the user is signed out. */
  session(server: string): SignInSession | null;
  saveSession(server: string, session: SignInSession | null): void;
  /** Deletes the sign-ins of other addresses than `used` whose owner `isRemoved`. */
  removeSessions(isRemoved: (owner: SignInOwner) => boolean, used: () => readonly string[]): void;
  /** Null = none is registered for this return address. */
  client(issuer: string, redirectUrl: string): RegisteredClient | null;
  saveClient(issuer: string, client: RegisteredClient | null): void;
}

/** Each secret has its own entry: what is stored is masked by its value. */
export function makeStoredSignIns(secrets: ReturnType<SecretStore["in"]>): StoredSignIns {
  const keyOf = (address: string): string => computeHash(address).slice(0, 24);
  const read = (address: string, part: string): string | null => secrets.get(`${keyOf(address)}.${part}`);
  const write = (address: string, part: string, value: string | null): void =>
    secrets.set(`${keyOf(address)}.${part}`, value === "" ? null : value);
  const readSession = (key: string) => sessionSchema.safeParse(parseJson(secrets.get(`${key}.session`) ?? ""));
  const removeSession = (key: string): void => {
    for (const part of ["access", "refresh", "client_secret", "session"]) secrets.set(`${key}.${part}`, null);
  };
  return {
    session(server) {
      const data = readSession(keyOf(server));
      const access = read(server, "access");
      if (!data.success || access === null) return null;
      return { ...data.data, access, refresh: read(server, "refresh"), clientSecret: read(server, "client_secret") };
    },
    saveSession(server, session) {
      if (session === null) return removeSession(keyOf(server));
      const { access, refresh, clientSecret, ...data } = session;
      write(server, "session", JSON.stringify(data));
      write(server, "refresh", refresh);
      write(server, "client_secret", clientSecret);
      write(server, "access", access);
    },
    removeSessions(isRemoved, used) {
      const keys = secrets.names().flatMap((name) => /^(.+)\.session$/.exec(name)?.[1] ?? []);
      const removed = keys.filter((key) => {
        const { data } = readSession(key);
        return data?.owner !== undefined && isRemoved(data.owner);
      });
      if (removed.length === 0) return;
      const left = new Set(used().map(keyOf));
      for (const key of removed) if (!left.has(key)) removeSession(key);
    },
    client(issuer, redirectUrl) {
      const data = clientSchema.safeParse(parseJson(read(issuer, "client") ?? ""));
      if (!data.success || data.data.redirectUrl !== redirectUrl) return null;
      return { ...data.data, clientSecret: read(issuer, "registered_secret") };
    },
    saveClient(issuer, client) {
      const { clientSecret = null, ...data } = client ?? {};
      write(issuer, "registered_secret", clientSecret);
      write(issuer, "client", client === null ? null : JSON.stringify(data));
    },
  };
}
