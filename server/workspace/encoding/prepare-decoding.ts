/** Prepares the decoding of text, so that it does not hold the event loop. */
import { isUtf8 } from "node:buffer";
import { runStepsInSlices } from "@/server/base/steps";
import { buildLegacyTables } from "./legacy-encodings";
import { neverAborted } from "@/server/base/abort";

/** Builds the tables that bytes which are not UTF-8 need, in time slices; call it before `decodeText`. */
export async function prepareDecoding(bytes: Uint8Array): Promise<void> {
  if (!isUtf8(bytes)) await runStepsInSlices(buildLegacyTables(), neverAborted);
}
