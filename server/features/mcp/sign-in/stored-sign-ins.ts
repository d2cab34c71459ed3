/** Tokens and registrations in the key file, by server and by authorization server. */
import * as z from "zod/mini";
import { parseJson } from "@/server/base/parse-json";
import { computeHash } from "@/server/base/id";
import type { SecretStore } from "@/server/store/access/secrets";

const sessionSchema = z.object({
  issuer: z.string(),
  /** Where the metadata of the authorization server is. */
  authorizationServer: z.string(),
  clientId: z.string(),
  resource: z.optional(z.string()),
  /** ms epoch; absent = the server does not say. */
  expiresAt: z.optional(z.number()),
  /** The server is in a private network. */
  isPrivate: z.boolean(),
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

/** Throws StoreError. */
export interface StoredSignIns {
  /** `server` = its address. Null = the user is signed out. */
  session(server: string): SignInSession | null;
  saveSession(server: string, session: SignInSession | null): void;
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
  return {
    session(server) {
      const data = sessionSchema.safeParse(parseJson(read(server, "session") ?? ""));
      const access = read(server, "access");
      if (!data.success || access === null) return null;
      return { ...data.data, access, refresh: read(server, "refresh"), clientSecret: read(server, "client_secret") };
    },
    saveSession(server, session) {
      if (session === null) {
        for (const part of ["access", "refresh", "client_secret", "session"]) write(server, part, null);
        return;
      }
      const { access, refresh, clientSecret, ...data } = session;
      write(server, "session", JSON.stringify(data));
      write(server, "refresh", refresh);
      write(server, "client_secret", clientSecret);
      write(server, "access", access);
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
