/** Sends one file as the body of a request, with progress, which `fetch` does not report. */
import type { ProjectId } from "@/lib/events/id";
import type { Result } from "@/lib/events/error";
import { pageSecretHeader } from "@/lib/protocol/socket";
import type { UploadAnswer, UploadConflict } from "@/lib/workspace/upload";
import { parsePostedAnswer, toHttpFailure } from "../../state/connection/post-call";
import { pageSecret } from "../../state/connection/sign-in";
import { withBasePath } from "../../state/base-path";

interface UploadRequest {
  readonly projectId: ProjectId;
  readonly folder: string;
  readonly name: string;
  readonly conflict: UploadConflict;
  /** Of the file to replace. */
  readonly version: string | null;
  readonly file: File;
  readonly onProgress: (sentBytes: number) => void;
}

/** "cut" = the connection ended without an answer, "cancelled" = by the signal. */
export function sendUpload(
  { projectId, folder, name, conflict, version, file, onProgress }: UploadRequest,
  signal: AbortSignal,
): Promise<Result<UploadAnswer> | "cut" | "cancelled"> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    const abort = (): void => request.abort();
    const end = (answer: Result<UploadAnswer> | "cut" | "cancelled") => (): void => {
      signal.removeEventListener("abort", abort);
      resolve(answer);
    };
    const query = new URLSearchParams({ project: projectId, folder, name, conflict });
    if (version !== null) query.set("version", version);
    request.open("POST", withBasePath(`/api/file?${query.toString()}`));
    request.setRequestHeader("content-type", "application/octet-stream");
    const page = pageSecret();
    if (page !== null) request.setRequestHeader(pageSecretHeader, page);
    request.upload.onprogress = ({ loaded }) => onProgress(loaded);
    request.onload = () =>
      end(parsePostedAnswer<Result<UploadAnswer>>(request.responseText) ?? toHttpFailure(request.status))();
    request.onerror = end("cut");
    request.onabort = end("cancelled");
    signal.addEventListener("abort", abort);
    if (signal.aborted) end("cancelled")();
    else request.send(file);
  });
}
