/** Change counts such as +42 −7 in the colours of added and removed lines; a zero is shown only if both are zero. */
export function PlusMinus({ added, removed }: { readonly added: number; readonly removed: number }) {
  return (
    <span className="inline-flex gap-1.5 tabular-nums">
      {(added > 0 || removed === 0) && <span className="text-added">+{added}</span>}
      {(removed > 0 || added === 0) && <span className="text-removed">−{removed}</span>}
    </span>
  );
}
