import { expect, test } from "vitest";
import { asId, type BlobId, type CallId, type Hash } from "@/lib/events/id";
import type { ReviewLogRecord } from "@/server/store/sessions/file-log";
import { buildReviewHistory } from "./review-history";

test("the steps of a log keep their order when the clock is set back", () => {
  const callId = asId<CallId>("c1");
  const after = asId<Hash>("after");
  const own: readonly ReviewLogRecord[] = [
    { type: "file_change", callId, path: "a.txt", before: asId<BlobId>("before"), mode: 0o644, seq: 1, at: 2_000 },
    { type: "call", callId, files: [{ path: "a.txt", after }], seq: 2, at: 1_000 },
  ];
  const { files } = buildReviewHistory([{ isOwn: true, records: own }]);
  expect(files.get("a.txt")).toMatchObject([{ kind: "write", after }]);
});
