/** Every style of parameter, as a real HTTP server gets it: request line, headers and body, byte by byte. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { useWebServers } from "@/server/providers/egress/test-egress";
import { parseDocument } from "../document/parse-document";
import { readOperations } from "../operations/read-operations";
import { buildApiRequest } from "./build-request";
import { sendApiRequest } from "./send-request";

const folder = dirname(createRequire(import.meta.url).resolve("@readme/oas-examples/package.json"));
const never = new AbortController().signal;
const listen = useWebServers();

test.each(["3.0/json", "3.1/json"])("%s", async (version) => {
  const parsed = parseDocument(readFileSync(join(folder, version, "parameters-style.json"), "utf8"));
  if (!parsed.ok) throw new Error("not read");
  const got: string[] = [];
  const port = await listen((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => void chunks.push(chunk));
    request.on("end", () => {
      const { cookie, primitive, array, object } = request.headers;
      const headers = Object.entries({ cookie, primitive, array, object }).flatMap(([name, value]) =>
        value === undefined ? [] : [`${name}: ${String(value)}`],
      );
      const boundary = /boundary=(.*)/.exec(request.headers["content-type"] ?? "")?.[1] ?? "-";
      const body = Buffer.concat(chunks).toString("utf8").replaceAll(boundary, "B");
      got.push([`${request.method} ${request.url}`, ...headers, ...(body === "" ? [] : [body])].join("\n"));
      response.end("{}");
    });
  });
  const { operations } = readOperations(parsed.value, null);
  for (const { name, request: plan } of operations) {
    got.push(`# ${name}`);
    const values = { primitive: "a b&c", array: ["x", "y,z", "é"], object: { name: "n=1", description: "d" } };
    const request = buildApiRequest(plan, values, `http://127.0.0.1:${port}`);
    await sendApiRequest(request, never);
  }
  // The versions of the document use different methods for forms.
  expect(got.join("\n").replace(/^[A-Z]+ (.*form-data)/gm, "FORM $1")).toMatchInlineSnapshot(`
    "# cookies_standard
    GET /cookies
    cookie: primitive=a%20b%26c; array=x; array=y%2Cz; array=%C3%A9; name=n%3D1; description=d
    # cookies_form_nonExploded
    GET /cookies
    cookie: primitive=a%20b%26c; array=x,y%2Cz,%C3%A9; object=name,n%3D1,description,d
    # cookies_form_exploded
    GET /cookies
    cookie: primitive=a%20b%26c; array=x; array=y%2Cz; array=%C3%A9; name=n%3D1; description=d
    # headers_standard
    GET /anything/headers
    primitive: a b&c
    array: x,y,z,é
    object: name,n=1,description,d
    # headers_simple_nonExploded
    GET /anything/headers/simple
    primitive: a b&c
    array: x,y,z,é
    object: name,n=1,description,d
    # headers_simple_exploded
    POST /anything/headers/simple
    primitive: a b&c
    array: x,y,z,é
    object: name=n=1,description=d
    # paths_standard
    GET /anything/path/a%20b%26c/x,y%2Cz,%C3%A9/name,n%3D1,description,d
    # paths_matrix_nonExploded
    GET /anything/path/matrix/;primitive=a%20b%26c/;array=x,y%2Cz,%C3%A9/;object=name,n%3D1,description,d
    # paths_matrix_exploded
    POST /anything/path/matrix/;primitive=a%20b%26c/;array=x;array=y%2Cz;array=%C3%A9/;name=n%3D1;description=d
    # paths_label_nonExploded
    GET /anything/path/label/.a%20b%26c/.x,y%2Cz,%C3%A9/.name,n%3D1,description,d
    # paths_label_exploded
    POST /anything/path/label/.a%20b%26c/.x.y%2Cz.%C3%A9/.name=n%3D1.description=d
    # paths_simple_nonExploded
    GET /anything/path/simple/a%20b%26c/x,y%2Cz,%C3%A9/name,n%3D1,description,d
    # paths_simple_exploded
    POST /anything/path/simple/a%20b%26c/x,y%2Cz,%C3%A9/name=n%3D1,description=d
    # query_standard
    GET /anything/query?primitive=a%20b%26c&array=x&array=y%2Cz&array=%C3%A9&name=n%3D1&description=d
    # query_form_nonExploded
    GET /anything/query/form?primitive=a%20b%26c&array=x,y%2Cz,%C3%A9&object=name,n%3D1,description,d
    # query_form_exploded
    POST /anything/query/form?primitive=a%20b%26c&array=x&array=y%2Cz&array=%C3%A9&name=n%3D1&description=d
    # query_spaceDelimited_nonExploded
    GET /anything/query/spaceDelimited?array=x%20y%2Cz%20%C3%A9&object=name%20n%3D1%20description%20d
    # query_pipeDelimited_nonExploded
    GET /anything/query/pipeDelimited?array=x%7Cy%2Cz%7C%C3%A9&object=name%7Cn%3D1%7Cdescription%7Cd
    # query_deepObject_nonExploded
    GET /anything/query/deepObject?object%5Bname%5D=n%3D1&object%5Bdescription%5D=d
    # formData_standard
    FORM /anything/form-data
    --B
    Content-Disposition: form-data; name="primitive"

    a b&c
    --B
    Content-Disposition: form-data; name="array"

    x
    --B
    Content-Disposition: form-data; name="array"

    y,z
    --B
    Content-Disposition: form-data; name="array"

    é
    --B
    Content-Disposition: form-data; name="object"
    Content-Type: application/json

    {"name":"n=1","description":"d"}
    --B--

    # formData_form_nonExploded
    FORM /anything/form-data/form
    --B
    Content-Disposition: form-data; name="primitive"

    a b&c
    --B
    Content-Disposition: form-data; name="array"

    x,y,z,é
    --B
    Content-Disposition: form-data; name="object"

    name,n=1,description,d
    --B--

    # form_data_form_exploded
    FORM /anything/form-data/form
    --B
    Content-Disposition: form-data; name="primitive"

    a b&c
    --B
    Content-Disposition: form-data; name="array"

    x
    --B
    Content-Disposition: form-data; name="array"

    y,z
    --B
    Content-Disposition: form-data; name="array"

    é
    --B
    Content-Disposition: form-data; name="name"

    n=1
    --B
    Content-Disposition: form-data; name="description"

    d
    --B--

    # formData_spaceDelimited_nonExploded
    FORM /anything/form-data/spaceDelimited
    --B
    Content-Disposition: form-data; name="array"

    x y,z é
    --B
    Content-Disposition: form-data; name="object"

    name n=1 description d
    --B--

    # form_data_pipeDelimited_nonExploded
    FORM /anything/form-data/pipeDelimited
    --B
    Content-Disposition: form-data; name="array"

    x|y,z|é
    --B
    Content-Disposition: form-data; name="object"

    name|n=1|description|d
    --B--

    # form_data_deepObject_exploded
    FORM /anything/form-data/deepObject
    --B
    Content-Disposition: form-data; name="primitive"

    a b&c
    --B
    Content-Disposition: form-data; name="array"

    x
    --B
    Content-Disposition: form-data; name="array"

    y,z
    --B
    Content-Disposition: form-data; name="array"

    é
    --B
    Content-Disposition: form-data; name="object[name]"

    n=1
    --B
    Content-Disposition: form-data; name="object[description]"

    d
    --B--
    "
  `);
});
