"use client";
/** A text as a QR code: dark on white with its quiet zone in every theme, because cameras read it. The encoder loads when it is drawn. */
import { useEffect, useState } from "react";
import { classes } from "./classes";

export interface QrCodeProps {
  readonly text: string;
  /** What it leads to, for screen readers. */
  readonly label: string;
  readonly className?: string;
}

interface Drawing {
  /** Modules along one side, the quiet zone included. */
  readonly size: number;
  readonly path: string;
}

/** Modules around the code that cameras need to be empty. */
const quietModules = 4;

export function QrCode({ text, label, className }: QrCodeProps) {
  const [drawn, setDrawn] = useState<Drawing | null>(null);
  useEffect(() => {
    let wanted = true;
    void import("uqr").then(({ encode }) => {
      const { data, size } = encode(text, { ecc: "M", border: quietModules });
      if (wanted) setDrawn({ size, path: pathOf(data) });
    });
    return () => {
      wanted = false;
    };
  }, [text]);
  const size = drawn?.size ?? 1;
  return (
    <svg
      role="img"
      aria-label={label}
      aria-busy={drawn === null}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className={classes("aspect-square rounded-card", className)}
    >
      <rect width={size} height={size} fill="white" />
      {drawn !== null && <path d={drawn.path} fill="black" />}
    </svg>
  );
}

/** One rectangle for each run of dark modules in a row. */
export function pathOf(rows: readonly (readonly boolean[])[]): string {
  const parts: string[] = [];
  rows.forEach((row, y) => {
    let from = -1;
    for (let x = 0; x <= row.length; x += 1) {
      const isDark = row[x] === true;
      if (isDark && from < 0) from = x;
      if (isDark || from < 0) continue;
      parts.push(`M${from} ${y}h${x - from}v1h${from - x}z`);
      from = -1;
    }
  });
  return parts.join("");
}
