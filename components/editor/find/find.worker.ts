/** Web worker that finds and replaces in the text it received last. */
import { Text } from "@codemirror/state";
import type { FindRequest, FindResponse } from "./finder";
import { findMatches, findReplacements } from "./find-text";

let text = Text.empty;
postMessage({ kind: "ready" } satisfies FindResponse);

addEventListener("message", ({ data }: MessageEvent<FindRequest>) => {
  if (data.text !== null) text = Text.of(data.text.split("\n"));
  const { query, job } = data;
  postMessage(
    (job.kind === "find"
      ? { kind: "matches", ...findMatches(query, text, job.max) }
      : { kind: "changes", changes: findReplacements(query, text, job.only) }) satisfies FindResponse,
  );
});
