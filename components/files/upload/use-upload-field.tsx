"use client";
/** The hidden field with which the user chooses files to upload, and the uploads that run. */
import { lazy, type ReactNode, Suspense, useRef } from "react";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { useStore } from "../../state/store";

const UploadList = lazy(async () => ({ default: (await import("./upload-list")).UploadList }));

interface UploadField {
  /** Lets the user choose files for a folder. */
  readonly choose: (folder: string) => void;
  readonly field: ReactNode;
}

export function useUploadField(onChosen: (folder: string, files: readonly File[]) => void): UploadField {
  const { files } = useFullMessages();
  const input = useRef<HTMLInputElement>(null);
  const target = useRef("");
  return {
    choose: (folder) => {
      target.current = folder;
      input.current?.click();
    },
    field: (
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={files.upload}
        onChange={({ currentTarget }) => {
          onChosen(target.current, [...(currentTarget.files ?? [])]);
          currentTarget.value = "";
        }}
      />
    ),
  };
}

export function Uploads() {
  const { uploads } = useClient();
  const running = useStore(uploads, (all) => all);
  return (
    running.length > 0 && (
      <Suspense>
        <UploadList uploads={running} />
      </Suspense>
    )
  );
}
