/** A JupyterHub whose person, answers and faults a test chooses: its OAuth, the person of a token, reports of activity. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text as readText } from "node:stream/consumers";

/** half = the connection ends within the answer; silent = no answer; page = the page of a proxy; number = that status. */
type HubFault = "half" | "silent" | "page" | "endless" | "redirect" | number;

interface TestPerson {
  readonly name: string;
  readonly scopes: readonly string[];
}

export interface TestHub {
  readonly origin: string;
  /** The person who is signed in at the hub. */
  person: TestPerson;
  /** By the path below `/hub/api`: `/oauth2/token`, `/user`, `/`, `/users/ann/activity`. */
  readonly faults: Map<string, HubFault>;
  /** Bodies of the reports, in order. */
  readonly reports: unknown[];
  /** Method and path of every request, without the query. */
  readonly requests: string[];
  /** Tokens of the persons who signed in. */
  readonly tokens: Map<string, TestPerson>;
  /** The variables of the server of `ann` that listens on the port. */
  variables(port: number, changes?: Readonly<Record<string, string>>): Record<string, string>;
  close(): Promise<void>;
}

export const hubVersion = "3.0.0";
/** The token of the server itself. */
export const hubServerToken = "server-token-of-the-hub";
export const annPrefix = "/user/ann";
export const ann: TestPerson = { name: "ann", scopes: ["access:servers!server=ann/", "read:users:name!user=ann"] };

export async function startTestHub(): Promise<TestHub> {
  const codes = new Map<string, TestPerson>();
  const fresh = (): string => randomBytes(16).toString("hex");
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "", origin);
    const path = url.pathname.replace(/^\/hub\/api/, "");
    hub.requests.push(`${request.method} ${url.pathname}`);
    const body = await readText(request);
    const fault = hub.faults.get(path);
    if (fault !== undefined) return sendFault(response, fault);
    const token = /^token (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
    const send = (status: number, value: unknown): void =>
      void response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(value));
    if (path === "/") return send(200, { version: hubVersion });
    if (path === "/oauth2/authorize") {
      const code = fresh();
      codes.set(code, hub.person);
      const target = new URL(url.searchParams.get("redirect_uri") ?? "", origin);
      target.searchParams.set("code", code);
      target.searchParams.set("state", url.searchParams.get("state") ?? "");
      return void response.writeHead(302, { Location: `${target.pathname}${target.search}` }).end();
    }
    if (path === "/oauth2/token") {
      const form = new URLSearchParams(body);
      const person = codes.get(form.get("code") ?? "");
      codes.delete(form.get("code") ?? "");
      if (person === undefined || form.get("client_secret") !== hubServerToken) return send(400, { error: "invalid" });
      const access_token = fresh();
      hub.tokens.set(access_token, person);
      return send(200, { access_token, token_type: "Bearer" });
    }
    if (path === "/user") {
      const person = hub.tokens.get(token);
      return person === undefined ? send(403, { status: 403 }) : send(200, { ...person, kind: "user" });
    }
    if (path.endsWith("/activity") && token === hubServerToken) {
      hub.reports.push(JSON.parse(body));
      return send(200, null);
    }
    send(404, { status: 404 });
  }
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  const hub: TestHub = {
    origin,
    person: ann,
    faults: new Map(),
    reports: [],
    requests: [],
    tokens: new Map(),
    variables: (port, changes = {}) => ({
      JUPYTERHUB_API_TOKEN: hubServerToken,
      JPY_API_TOKEN: hubServerToken,
      JUPYTERHUB_SERVICE_URL: `http://127.0.0.1:${port}${annPrefix}/`,
      JUPYTERHUB_SERVICE_PREFIX: `${annPrefix}/`,
      JUPYTERHUB_API_URL: `${origin}/hub/api`,
      JUPYTERHUB_ACTIVITY_URL: `${origin}/hub/api/users/ann/activity`,
      JUPYTERHUB_BASE_URL: "/",
      JUPYTERHUB_HOST: origin,
      JUPYTERHUB_USER: "ann",
      JUPYTERHUB_SERVER_NAME: "",
      JUPYTERHUB_CLIENT_ID: "jupyterhub-user-ann",
      JUPYTERHUB_OAUTH_CALLBACK_URL: `${annPrefix}/oauth_callback`,
      JUPYTERHUB_OAUTH_ACCESS_SCOPES: '["access:servers!server=ann/", "access:servers!user=ann"]',
      ...changes,
    }),
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
  return hub;
}

function sendFault(response: ServerResponse, fault: HubFault): void {
  const head = { "Content-Type": "application/json" };
  switch (fault) {
    case "silent":
      return;
    case "half":
      response.writeHead(200, { ...head, "Content-Length": "500" });
      return void response.write('{"name": "ann", ', () => response.destroy());
    case "endless": {
      response.writeHead(200, head);
      const piece = "x".repeat(65_536);
      const more = (): void => {
        while (!response.destroyed && response.write(piece));
      };
      response.on("drain", more);
      return more();
    }
    case "page":
      return void response.writeHead(200, { "Content-Type": "text/html" }).end("<html>Please sign in</html>");
    case "redirect":
      return void response.writeHead(302, { Location: "http://127.0.0.1:9/" }).end();
    default:
      response.writeHead(fault, head).end('{"status": "no"}');
  }
}
