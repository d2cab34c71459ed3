"use client";
/** A Markdown file as the conversation draws Markdown: raw HTML is text, remote images are links. */
import { useMemo, useRef } from "react";
import type { ProjectId } from "@/lib/events/id";
import { imageTypeOf } from "@/lib/workspace/image-type";
import { parentFolder, resolveAddress } from "@/lib/workspace/project-path";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { MarkdownLinksContext } from "../../ui/markdown/links";
import { Markdown } from "../../ui/markdown/markdown";
import { CenteredMessage } from "../centered-message";
import { headingName } from "./heading-name";
import { useLostFocus } from "./use-lost-focus";
import { withBasePath } from "../../state/base-path";

interface MarkdownPreviewProps {
  readonly projectId: ProjectId;
  readonly path: string;
  readonly text: string;
}

/** A longer text would block the page while it is drawn. */
const maxChars = 500_000;

export function MarkdownPreview({ projectId, path, text }: MarkdownPreviewProps) {
  const { call, workbench, toasts } = useClient();
  const { editor, figures } = useFullMessages();
  const region = useRef<HTMLDivElement>(null);
  useLostFocus(region);
  const links = useMemo(() => {
    const resolve = (address: string): string | null => resolveAddress(parentFolder(path), address);
    const open = (target: string | null, line: number | undefined): void => {
      if (target === null) toasts.show({ text: editor.outsideLink, look: "danger" });
      else workbench.openFile(target, line ?? null);
    };
    return {
      openPath: open,
      file: {
        openLink: (address: string, line: number | undefined) => open(resolve(address), line),
        loadImage: async (address: string) => {
          const target = resolve(address);
          if (target === null || imageTypeOf(target) === null) return null;
          const answer = await call("files.link", { projectId, path: target });
          return answer.ok ? withBasePath(answer.value.url) : null;
        },
        openHeading: (name: string) => {
          const headings = region.current?.querySelectorAll("h3, h4, h5") ?? [];
          const wanted = headingName(name);
          [...headings].find(({ textContent }) => headingName(textContent) === wanted)?.scrollIntoView();
        },
      },
    };
  }, [call, editor, path, projectId, toasts, workbench]);
  if (text.length > maxChars) return <CenteredMessage text={editor.tooLongPreview} note={figures.bytes(text.length)} />;
  return (
    <div
      ref={region}
      tabIndex={0}
      role="region"
      aria-label={editor.renderedText}
      className="min-h-0 flex-1 overflow-auto px-6 py-5 -outline-offset-1 focus-visible:outline-1 max-tablet:px-4"
    >
      <MarkdownLinksContext value={links}>
        <Markdown text={text} live={false} className="mx-auto max-w-3xl" />
      </MarkdownLinksContext>
    </div>
  );
}
