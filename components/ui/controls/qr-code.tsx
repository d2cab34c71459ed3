"use client";
/**
 * QR code of a text: dark on white with a quiet zone in every theme, as cameras require. The encoder loads on first
 * use.
 */
import { useEffect, useState } from "react";
import { classes } from "../theme/classes";

interface QrCodeProps {
  readonly text: string;
  /** Accessible name: the link's destination. */
  readonly label: string;
  readonly className?: string;
}

interface QrDrawing {
  /** Modules along one side, including the quiet zone. */
  readonly size: number;
  readonly path: string;
}

/** Width of the quiet zone in modules. */
const quietModules = 4;

export function QrCode({ text, label, className }: QrCodeProps) {
  const [drawn, setDrawn] = useState<QrDrawing | null>(null);
  useEffect(() => {
    let wanted = true;
    void import("uqr").then(({ encode }) => {
      const { data, size } = encode(text, { ecc: "M", border: quietModules });
      if (wanted) setDrawn({ size, path: qrPath(data) });
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

/** Returns an SVG path with one rectangle for each run of dark modules in a row. */
export function qrPath(rows: readonly (readonly boolean[])[]): string {
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
