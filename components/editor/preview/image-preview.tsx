"use client";
/** An image file, loaded from the server. */
import { useEffect, useState } from "react";
import type { ProjectId } from "@/lib/events/id";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { CenteredMessage } from "../centered-message";
import { ImageView } from "./image-view";
import { withBasePath } from "../../state/base-path";

interface ImagePreviewProps {
  readonly projectId: ProjectId;
  readonly path: string;
  /** Another object when the file may have changed on disk. */
  readonly version: object;
}

export function ImagePreview({ projectId, path, version }: ImagePreviewProps) {
  const { call } = useClient();
  const { errors } = useFullMessages();
  const [address, setAddress] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    let isShown = true;
    void call("files.link", { projectId, path }).then((answer) => {
      if (!isShown) return;
      if (answer.ok) setAddress(withBasePath(answer.value.url));
      setProblem(answer.ok ? null : errors.sentences[answer.error.code]);
    });
    return () => {
      isShown = false;
    };
  }, [call, projectId, path, version, errors]);
  if (problem !== null) return <CenteredMessage text={problem} note={path} />;
  return <ImageView address={address} path={path} />;
}
