/** Captures typing while the target field is still loading. */

/** Focuses a hidden field. `take` removes it and returns the typed text. Browser only. */
export function startTypeAhead(label: string): { readonly take: () => string } {
  const field = document.createElement("textarea");
  field.setAttribute("aria-label", label);
  field.dataset.typeAhead = "";
  // Not display:none, because the field must be focusable.
  field.style.cssText = "position:fixed;top:0;left:0;width:1px;height:1px;opacity:0;font-size:16px;";
  document.body.append(field);
  field.focus();
  return {
    take: () => {
      const text = field.value;
      field.remove();
      return text;
    },
  };
}
