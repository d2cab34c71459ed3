/** Adds a real OpenAPI document to the product, which reads it as it reads those of its owner. Fetches nothing by itself. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { ApiSkip } from "@/lib/tools/openapi";
import { makeBench } from "../bench/bench";
import { startProduct } from "../bench/server/bench-product";

interface DocumentReport {
  readonly bytes: number;
  /** From the command to its answer, ms: all of the document is fetched from this machine, read and stored. */
  readonly tookMs: number;
  /** `JSON.parse` of its text, ms; null = it is no JSON. */
  readonly parseMs: number | null;
  /** Such as `OpenAPI 3.0.3`. */
  readonly format: string;
  readonly operations: number;
  readonly tools: number;
  /** Operations that are no tools, with the reason; at most 500. */
  readonly skipped: readonly ApiSkip[];
}

/** `path` = a file of JSON or YAML. Rejects if it is no document that can be used. */
export async function addDocument(path: string): Promise<DocumentReport> {
  const bytes = readFileSync(path);
  const parseMs = measureParse(bytes.toString("utf8"));
  const bench = makeBench({ quick: false });
  const documents = createServer((_request, response) => response.end(bytes));
  await new Promise<void>((resolve) => documents.listen(0, "127.0.0.1", resolve));
  try {
    const address = documents.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const place = { home: bench.folder("home"), project: bench.folder("project"), modelUrl: "http://127.0.0.1:9" };
    const product = await startProduct(bench, place);
    const at = performance.now();
    const { format, counts, skipped } = await product.call("openapi.add", { url: `http://127.0.0.1:${port}/document` });
    const tookMs = performance.now() - at;
    await product.end();
    const { operations, tools } = counts;
    return { bytes: bytes.length, tookMs, parseMs, format, operations, tools, skipped };
  } finally {
    bench.close();
    await new Promise((resolve) => documents.close(resolve));
  }
}

function measureParse(text: string): number | null {
  const at = performance.now();
  try {
    JSON.parse(text);
    return performance.now() - at;
  } catch {
    return null;
  }
}

/** The lines that `npm run soak` prints. */
export function describeReport(report: DocumentReport): readonly string[] {
  const { bytes, tookMs, parseMs, format, operations, tools, skipped } = report;
  const parse = parseMs === null ? "" : `, JSON.parse of it alone ${Math.round(parseMs)} ms`;
  return [
    `${format}, ${(bytes / 1e6).toFixed(1)} MB: added in ${Math.round(tookMs)} ms${parse}`,
    `${tools} of ${operations} operations are tools`,
    ...skipped.map(({ operation, kind, detail }) => `  ${operation}: ${kind}${detail === "" ? "" : ` (${detail})`}`),
  ];
}
