"use client";
/** Tells that a typed name can't be that of a branch or a tag. */
import { isRefName } from "@/lib/workspace/ref-name";
import { useFullMessages } from "../../messages/full-messages";

export function NameNote({ name }: { readonly name: string }) {
  const { gitRefs: text } = useFullMessages();
  return (
    <p role="status" className="w-full text-small text-pretty text-ink-muted empty:hidden">
      {name !== "" && !isRefName(name) && text.invalidName}
    </p>
  );
}
