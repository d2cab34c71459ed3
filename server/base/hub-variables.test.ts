import { expect, test } from "vitest";
import { parseHubVariables } from "./hub-variables";

/** Variables that JupyterHub 3.0 sets for the default server of `ann`. */
const variables = {
  JUPYTERHUB_SERVICE_URL: "http://127.0.0.1:46487/user/ann/",
  JUPYTERHUB_SERVICE_PREFIX: "/user/ann/",
  JUPYTERHUB_API_URL: "http://127.0.0.1:8081/hub/api",
  JUPYTERHUB_ACTIVITY_URL: "http://127.0.0.1:8081/hub/api/users/ann/activity",
  JUPYTERHUB_BASE_URL: "/",
  JUPYTERHUB_HOST: "",
  JUPYTERHUB_USER: "ann",
  JUPYTERHUB_SERVER_NAME: "",
  JUPYTERHUB_CLIENT_ID: "jupyterhub-user-ann",
  JUPYTERHUB_OAUTH_CALLBACK_URL: "/user/ann/oauth_callback",
  JUPYTERHUB_OAUTH_ACCESS_SCOPES: '["access:servers!server=ann/", "access:servers!user=ann"]',
};

const parse = (changes: Readonly<Record<string, string | undefined>>) =>
  parseHubVariables({ ...variables, ...changes }, "token");

test("the variables of a hub say where to listen, whom to let in and whom to ask", () => {
  expect(parse({})).toEqual({
    user: "ann",
    server: "",
    host: "127.0.0.1",
    port: 46_487,
    publicAddress: { origins: [], prefix: "/user/ann" },
    apiUrl: "http://127.0.0.1:8081/hub/api",
    token: "token",
    clientId: "jupyterhub-user-ann",
    authorizeUrl: "/hub/api/oauth2/authorize",
    homeUrl: "/hub/home",
    callbackUrl: "/user/ann/oauth_callback",
    callbackPath: "/oauth_callback",
    folder: null,
    scopes: ["access:servers!server=ann/", "access:servers!user=ann"],
    activityUrl: "http://127.0.0.1:8081/hub/api/users/ann/activity",
    activityMs: 300_000,
  });
});

test.each([
  ["http://127.0.0.1:46487/user/ann/", "127.0.0.1", 46_487],
  ["http://0.0.0.0:8888/user/ann/", "0.0.0.0", 8888],
  ["http://:8888/user/ann/", null, 8888],
  ["http://*:8888/user/ann/", null, 8888],
  ["http://[::]:8888/user/ann/", null, 8888],
  ["http://[::1]:8888/user/ann/", "::1", 8888],
  ["http://node-17.cluster:8888", "node-17.cluster", 8888],
])("JUPYTERHUB_SERVICE_URL=%s: listens on %s, port %i", (url, host, port) => {
  expect(parse({ JUPYTERHUB_SERVICE_URL: url })).toMatchObject({ host, port });
});

test("the name of the scopes before JupyterHub 3.0 is read, too", () => {
  const older = { JUPYTERHUB_OAUTH_ACCESS_SCOPES: undefined, JUPYTERHUB_OAUTH_SCOPES: '["access:servers"]' };
  expect(parse(older)).toMatchObject({ scopes: ["access:servers"] });
});

test("the folder that the hub names may begin in the home folder", () => {
  expect(parse({ JUPYTERHUB_ROOT_DIR: "~/work", HOME: "/home/ann" })).toMatchObject({ folder: "/home/ann/work" });
  expect(parse({ JUPYTERHUB_ROOT_DIR: "/data/~x" })).toMatchObject({ folder: "/data/~x" });
});

test("a hub with an origin of its own, a base and a public URL", () => {
  const changes = {
    JUPYTERHUB_HOST: "https://hub.example.org",
    JUPYTERHUB_BASE_URL: "/lab/",
    JUPYTERHUB_SERVICE_PREFIX: "/lab/user/ann%40home/two/",
    JUPYTERHUB_OAUTH_CALLBACK_URL: "https://ann.hub.example.org/lab/user/ann%40home/two/oauth_callback",
    JUPYTERHUB_PUBLIC_URL: "https://ann.hub.example.org/lab/user/ann%40home/two/",
    JUPYTERHUB_ACTIVITY_INTERVAL: "0",
  };
  expect(parse(changes)).toMatchObject({
    authorizeUrl: "https://hub.example.org/lab/hub/api/oauth2/authorize",
    publicAddress: { origins: ["https://ann.hub.example.org"], prefix: "/lab/user/ann%40home/two" },
    callbackPath: "/oauth_callback",
    activityMs: 0,
  });
});

test.each([
  [{ JUPYTERHUB_USER: undefined }, "JUPYTERHUB_USER isn't set"],
  [{ JUPYTERHUB_SERVICE_URL: "" }, "JUPYTERHUB_SERVICE_URL isn't set"],
  [{ JUPYTERHUB_SERVICE_URL: "http://127.0.0.1/user/ann/" }, "isn't an address with a port"],
  [{ JUPYTERHUB_SERVICE_URL: "http://127.0.0.1:0/user/ann/" }, "isn't an address with a port"],
  [{ JUPYTERHUB_SERVICE_URL: "http://127.0.0.1:70000/" }, "isn't an address with a port"],
  [{ JUPYTERHUB_SERVICE_URL: "http://a@b:80/" }, "isn't an address with a port"],
  [{ JUPYTERHUB_SERVICE_URL: "https://127.0.0.1:8888/" }, "internal_ssl isn't supported"],
  [{ JUPYTERHUB_SSL_KEYFILE: "/x" }, "internal_ssl isn't supported"],
  [{ JUPYTERHUB_SERVICE_PREFIX: "/" }, "JUPYTERHUB_SERVICE_PREFIX=/ isn't a path"],
  [{ JUPYTERHUB_SERVICE_PREFIX: "/user/%2e%2e/" }, "isn't a path"],
  [{ JUPYTERHUB_SERVICE_PREFIX: '/user/"x/' }, "isn't a path"],
  [{ JUPYTERHUB_API_URL: "hub/api" }, "JUPYTERHUB_API_URL=hub/api isn't an http or https address"],
  [{ JUPYTERHUB_HOST: "hub.example.org" }, "JUPYTERHUB_HOST=hub.example.org isn't an http or https address"],
  [{ JUPYTERHUB_OAUTH_CALLBACK_URL: "/user/bob/oauth_callback" }, "isn't below JUPYTERHUB_SERVICE_PREFIX"],
  [{ JUPYTERHUB_OAUTH_CALLBACK_URL: "/user/ann/" }, "isn't below JUPYTERHUB_SERVICE_PREFIX"],
  [{ JUPYTERHUB_OAUTH_ACCESS_SCOPES: undefined }, "isn't a list of scopes"],
  [{ JUPYTERHUB_OAUTH_ACCESS_SCOPES: "[]" }, "isn't a list of scopes"],
  [{ JUPYTERHUB_OAUTH_ACCESS_SCOPES: "[1]" }, "isn't a list of scopes"],
  [{ JUPYTERHUB_OAUTH_ACCESS_SCOPES: "access:servers" }, "isn't a list of scopes"],
  [{ JUPYTERHUB_PUBLIC_URL: "https://hub.example.org/user/bob/" }, "isn't an address with the path /user/ann/"],
  [{ JUPYTERHUB_ACTIVITY_INTERVAL: "soon" }, "isn't a number of seconds"],
  [{ JUPYTERHUB_ACTIVITY_INTERVAL: "-1" }, "isn't a number of seconds"],
])("%j: a sentence, not a start", (changes, sentence) => {
  expect(parse(changes)).toContain(sentence);
});
