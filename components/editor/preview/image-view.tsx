"use client";
/** An image: fitted to the pane or in its own size, with its dimensions. Drawn as an image, so nothing in it runs. */
import { Maximize, Scan } from "lucide-react";
import { useRef, useState } from "react";
import { useFullMessages } from "../../messages/full-messages";
import { IconButton } from "../../ui/controls/icon-button";
import { classes } from "../../ui/theme/classes";
import { CenteredMessage } from "../centered-message";
import { useLostFocus } from "./use-lost-focus";

interface ImageViewProps {
  /** null = it is not known yet. */
  readonly address: string | null;
  readonly path: string;
}

interface ImageSize {
  readonly width: number;
  readonly height: number;
}

export function ImageView({ address, path }: ImageViewProps) {
  const { editor } = useFullMessages();
  const region = useRef<HTMLDivElement>(null);
  useLostFocus(region);
  const [isBroken, setBroken] = useState(false);
  const [size, setSize] = useState<ImageSize | null>(null);
  const [isFitted, setFitted] = useState(true);
  const [shown, setShown] = useState(address);
  if (shown !== address) {
    setShown(address);
    setBroken(false);
  }
  if (isBroken) return <CenteredMessage text={editor.image.broken} note={path} />;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex h-8 shrink-0 items-center gap-2 border-b border-line px-2 text-small text-ink-muted max-tablet:h-12">
        <span role="status" className="tabular-nums">
          {size === null ? "" : editor.image.size(size.width, size.height)}
        </span>
        <IconButton
          icon={isFitted ? Scan : Maximize}
          name={isFitted ? editor.image.ownSize : editor.image.fit}
          size="small"
          side="below"
          onClick={() => setFitted(!isFitted)}
        />
      </div>
      <div
        ref={region}
        tabIndex={0}
        role="region"
        aria-label={editor.image.region}
        className="grid min-h-0 flex-1 overflow-auto p-4 -outline-offset-1 focus-visible:outline-1"
      >
        {address !== null && (
          <img
            src={address}
            alt={path}
            draggable={false}
            onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
              setSize({ width: naturalWidth, height: naturalHeight })
            }
            onError={() => setBroken(true)}
            className={classes("m-auto", isFitted ? "max-h-full max-w-full object-contain" : "max-w-none")}
          />
        )}
      </div>
    </div>
  );
}
