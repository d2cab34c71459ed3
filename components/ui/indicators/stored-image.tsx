"use client";
/** Image that loads when it mounts; shows its name while it loads and after a failure. */
import { useEffect, useState } from "react";
import { classes } from "../theme/classes";

interface StoredImageProps {
  /** Resolves with a data: URL; null = it could not be loaded. */
  readonly load: () => Promise<string | null>;
  /** File name or alternative text. */
  readonly name: string;
  readonly className?: string;
}

export function StoredImage({ load, name, className }: StoredImageProps) {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    let isShown = true;
    void load().then((loaded) => {
      if (isShown) setAddress(loaded);
    });
    return () => {
      isShown = false;
    };
  }, [load]);
  const imageClasses = classes("rounded-card border border-line", className);
  return address === null ? (
    <span className={classes(imageClasses, "grid place-items-center bg-surface text-small text-ink-muted")}>
      {name}
    </span>
  ) : (
    <img src={address} alt={name} className={classes(imageClasses, "object-cover")} />
  );
}
