/** Adds an upload to those of the tab, with its progress, its question and its cancellation. */
import type { AppClient } from "../../state/client";
import { randomText } from "../../state/new-id";
import type { RunningUpload, UploadQuestion } from "../../state/uploads";
import type { UploadReply } from "./upload-plan";

type UploadProgress = Pick<RunningUpload, "path" | "number" | "files" | "sentBytes" | "bytes">;

export interface StartedUpload {
  /** Aborted when the user cancels. */
  readonly signal: AbortSignal;
  readonly show: (progress: UploadProgress) => void;
  /** Null = the upload was cancelled instead. */
  readonly ask: (question: Omit<UploadQuestion, "answer">) => Promise<UploadReply | null>;
  /** Removes it from the list. */
  readonly end: () => void;
}

export function startUpload({ uploads }: Pick<AppClient, "uploads">): StartedUpload {
  const id = randomText();
  const controller = new AbortController();
  const { signal } = controller;
  const change = (fields: Partial<RunningUpload>): void =>
    uploads.update((all) => all.map((one) => (one.id === id ? { ...one, ...fields } : one)));
  const none: UploadProgress = { path: "", number: 0, files: 0, sentBytes: 0, bytes: 0 };
  uploads.update((all) => [...all, { id, ...none, question: null, cancel: () => controller.abort() }]);
  return {
    signal,
    show: change,
    ask: (question) =>
      new Promise((resolve) => {
        const cancel = (): void => resolve(null);
        signal.addEventListener("abort", cancel, { once: true });
        const answer: UploadQuestion["answer"] = (choice, isForAll) => {
          signal.removeEventListener("abort", cancel);
          change({ question: null });
          resolve({ choice, isForAll });
        };
        change({ question: { ...question, answer } });
      }),
    end: () => uploads.update((all) => all.filter((one) => one.id !== id)),
  };
}
