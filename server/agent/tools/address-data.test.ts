import { describe, expect, test } from "vitest";
import { carriesData } from "./address-data";

const random = "qT7xVb3Kz9LmR2wYc8NfJ5hD1sGp4EaU";

describe("an address that names a page", () => {
  test.each([
    "https://docs.python.org/3/library/asyncio-task.html#asyncio.TaskGroup",
    "https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/Array/toSorted",
    "https://learn.microsoft.com/en-us/dotnet/api/microsoft.extensions.dependencyinjection.servicecollectionserviceextensions.addsingleton?view=net-8.0",
    "https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/util/concurrent/ConcurrentHashMap.html",
    "https://developer.apple.com/documentation/swiftui/view/navigationdestination(for:destination:)",
    "https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.30/#horizontalpodautoscalerspec-v2-autoscaling",
    "https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_CreateCapacityReservationBySplitting.html",
    "https://github.com/nodejs/node/blob/3f786850e387550fdab836ed7e6dc881de23001b/lib/internal/child_process.js#L420",
    "https://github.com/nodejs/node/compare/v20.11.0...v20.11.1",
    "https://gist.github.com/someone/0f1e2d3c4b5a69788796a5b4c3d2e1f0",
    "https://www.notion.so/Release-notes-of-March-0f1e2d3c4b5a69788796a5b4c3d2e1f0",
    "https://example.com/items/123e4567-e89b-12d3-a456-426614174000",
    "https://www.npmjs.com/package/@modelcontextprotocol/server-sequential-thinking",
    "https://en.wikipedia.org/wiki/List_of_International_Organization_for_Standardization_standards,_8000-8999",
    "https://zh.wikipedia.org/wiki/%E4%B8%AD%E5%8D%8E%E4%BA%BA%E6%B0%91%E5%85%B1%E5%92%8C%E5%9B%BD%E8%A1%8C%E6%94%BF%E5%8C%BA%E5%88%92",
    "https://stackoverflow.com/questions/11227809/why-is-processing-a-sorted-array-faster-than-processing-an-unsorted-array",
    "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
    "https://arxiv.org/abs/1706.03762v7",
    "https://doc.rust-lang.org/std/collections/struct.HashMap.html#method.get_or_insert_with",
    "https://docs.rs/tokio/latest/x86_64-unknown-linux-gnu/tokio/index.html",
    "https://blog.example.com/2024/01/02/how-to-install-node-20-on-ubuntu-22-04-step-by-step-in-5-minutes",
    "https://example.com/2024-01-02-12-30-release-3-2-1-notes",
    "https://www.postgresql.org/docs/16/functions-json.html",
    "https://registry.terraform.io/providers/hashicorp/aws/latest/docs/resources/cognito_identity_pool_provider_principal_tag",
    "https://cdn.example.com/assets/main.4f2a91bc.js",
    "https://example.com/%E0%A4%A",
    "https://d111111abcdef8.cloudfront.net/index.html",
    `https://example.com/?${"a".repeat(99)}`,
    `https://github.com/nodejs/node/compare/${"3f786850e387550fdab836ed7e6dc881de23001b"}...${"89e6c98d92887913cadf06b2adb97f26cde4849b"}`,
    "https://docs.example.com/v2/x86/2024/q3/h2/s3/ec2/iso8601",
  ])("%s", (url) => expect(carriesData(new URL(url))).toBe(false));
});

describe("an address that may carry data", () => {
  test.each([
    ["a key", `https://example.com/${random}`],
    ["a key between words", `https://example.com/log/user-${random}/ok`],
    ["a key as the name of a file", `https://example.com/img/${random}.png`],
    ["base64", `https://example.com/x/${Buffer.from("the user's name is Ada and her code").toString("base64")}`],
    ["base64 with its other characters", "https://example.com/x/Pz8_Pj4-aGVsbG8_d29ybGQ_Pz8-Pj4_eA"],
    [
      "base64 with percent codes",
      `https://example.com/${encodeURIComponent(Buffer.from("password: swordfish is here").toString("base64"))}`,
    ],
    [
      "hexadecimal digits beyond an id",
      `https://example.com/${Buffer.from("the password is swordfish").toString("hex")}`,
    ],
    ["many hexadecimal digits", `https://example.com/${"0f1e2d3c".repeat(12)}`],
    ["a JSON web token", "https://example.com/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N"],
    ["a long word", `https://example.com/${"a".repeat(65)}`],
    ["a long segment", `https://example.com/${"the user said that ".repeat(8)}`],
    ["a long segment with percent codes", `https://example.com/${encodeURIComponent("用户的名字和密码".repeat(16))}`],
    ["many segments", `https://example.com/${"some/more/words/".repeat(16)}`],
    ["a key in short segments", `https://example.com/${random.replace(/..../g, "$&/")}`],
    ["letters and digits in short segments", "https://example.com/a1b2/c3d4/e5f6/g7h8/i9j0/k1l2"],
    [
      "hexadecimal digits in short segments",
      `https://example.com/${Buffer.from("the password of the user Ada Lovelace is swordfish").toString("hex").replace(/.{12}/g, "$&/")}`,
    ],
    ["many ids", `https://example.com/${"0f1e2d3c4b/".repeat(9)}`],
    ["a word in the host", `https://${"a".repeat(40)}${"b".repeat(23)}.${"c".repeat(60)}.example.com/`],
    ["a key in the host", `https://${random}.example.com/`.replace(random, "q7x3b9k2m5w8c1n4f6h0d2s7g9p4e1u3")],
    ["a long query", `https://example.com/?${"a".repeat(100)}`],
  ])("%s", (_title, url) => expect(carriesData(new URL(url))).toBe(true));
});
