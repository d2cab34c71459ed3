"use client";
/** An SVG text as an image: it runs no scripts and loads nothing. */
import { useEffect, useState } from "react";
import { ImageView } from "./image-view";

export function SvgPreview({ path, text }: { readonly path: string; readonly text: string }) {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    const created = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
    setAddress(created);
    return () => URL.revokeObjectURL(created);
  }, [text]);
  return <ImageView address={address} path={path} />;
}
