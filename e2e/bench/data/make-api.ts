/** A large OpenAPI document with the proportions of GitHub's: most of it is answers and examples, which are not read. */

const resources = 240;
const schemasPerResource = 4;
/** GitHub's has 1,223 operations, and 13 MB with indentation. */
export const apiOperations = resources * 5;

type Json = string | number | boolean | readonly Json[] | { readonly [name: string]: Json };

const ref = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` });
const words = (about: string, count: number): string =>
  Array.from({ length: count }, (_, index) => `Sentence ${index} of **${about}** says what a caller has to know.`).join(
    " ",
  );

/** A schema that leads to the next ones of its resource, and through them to further ones. */
function makeSchema(resource: number, level: number): Json {
  const deeper: readonly [string, Json][] =
    level + 1 < schemasPerResource ? [["child", ref("schemas", `r${resource}-${level + 1}`)]] : [];
  const plain = Array.from({ length: 14 }, (_, index): [string, Json] => [
    `field_${index}`,
    {
      type: index % 3 === 0 ? ["string", "null"] : index % 3 === 1 ? "integer" : "boolean",
      description: words(`field ${index}`, 1),
      examples: [`value ${index}`],
    },
  ]);
  return {
    title: `Resource ${resource}, level ${level}`,
    description: words(`resource ${resource}`, 2),
    type: "object",
    properties: {
      ...Object.fromEntries(plain),
      state: { type: "string", enum: ["open", "closed", "merged"], default: "open" },
      list: { type: "array", items: { anyOf: [{ type: "string" }, { type: "integer" }] } },
      ...Object.fromEntries(deeper),
    },
    required: ["field_1", "state"],
  };
}

const makeExample = (resource: number): Json => ({
  value: Array.from({ length: 19 }, (_, item) =>
    Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [
        `field_${index}`,
        `https://api.example.com/${resource}/${item}/${index}`,
      ]),
    ),
  ),
});

function makeOperation(resource: number, method: string, hasBody: boolean): Json {
  const schema = {
    type: "object",
    properties: {
      title: { type: "string", description: words("the title", 1) },
      labels: { type: "array", items: { oneOf: [{ type: "string" }, { type: "integer" }] } },
      // Every eighth body leads to three levels of schemas.
      ...(method === "patch" && resource % 4 === 0 ? { details: ref("schemas", `r${resource}-1`) } : {}),
      ...Object.fromEntries(
        Array.from({ length: 5 }, (_, index) => [
          `option_${index}`,
          { type: "string", description: words("an option", 1) },
        ]),
      ),
    },
    required: ["title"],
  };
  return {
    summary: `${method} of resource ${resource}`,
    description: words(`what ${method} does`, 7),
    tags: [`group${resource % 40}`],
    operationId: `group${resource % 40}/${method}-resource-${resource}`,
    externalDocs: { description: "API method documentation", url: `https://docs.example.com/${resource}#${method}` },
    parameters: ["owner", "repo", "page", "per-page", `id-${resource}`].map((name) => ref("parameters", name)),
    ...(hasBody ? { requestBody: { required: true, content: { "application/json": { schema } } } } : {}),
    responses: {
      "200": {
        description: "Response",
        content: {
          "application/json": {
            schema: { type: "array", items: ref("schemas", `r${resource}-0`) },
            examples: { default: ref("examples", `e${resource}`) },
          },
        },
      },
      "404": ref("responses", "not_found"),
    },
    "x-github": { githubCloudOnly: false, enabledForGitHubApps: true, category: "resources", subcategory: method },
  };
}

const makeParameter = (name: string, place: string): Json => ({
  name: name.replaceAll("-", "_"),
  description: words(name, 1),
  in: place,
  ...(place === "path" ? { required: true } : {}),
  schema: { type: name.includes("page") || name.startsWith("id") ? "integer" : "string" },
});

/** Returns the JSON, with indentation as GitHub's. */
export function makeLargeApi(): string {
  const numbers = Array.from({ length: resources }, (_, index) => index);
  const parameters = {
    owner: makeParameter("owner", "path"),
    repo: makeParameter("repo", "path"),
    page: makeParameter("page", "query"),
    "per-page": makeParameter("per-page", "query"),
    ...Object.fromEntries(numbers.map((one) => [`id-${one}`, makeParameter(`id-${one}`, "query")])),
  };
  const schemas = numbers.flatMap((resource) =>
    Array.from({ length: schemasPerResource }, (_, level) => [`r${resource}-${level}`, makeSchema(resource, level)]),
  );
  const paths = numbers.map((resource): [string, Json] => [
    `/repos/{owner}/{repo}/resources-${resource}`,
    {
      get: makeOperation(resource, "get", false),
      head: makeOperation(resource, "head", false),
      delete: makeOperation(resource, "delete", false),
      post: makeOperation(resource, "post", true),
      patch: makeOperation(resource, "patch", true),
    },
  ]);
  const document = {
    openapi: "3.0.3",
    info: { title: "Large API", version: "1.1.4", description: words("the API", 3) },
    servers: [{ url: "https://api.example.com" }],
    paths: Object.fromEntries(paths),
    components: {
      schemas: Object.fromEntries(schemas),
      examples: Object.fromEntries(numbers.map((resource) => [`e${resource}`, makeExample(resource)])),
      parameters,
      responses: { not_found: { description: "Resource not found" } },
    },
  };
  return JSON.stringify(document, null, 2);
}
