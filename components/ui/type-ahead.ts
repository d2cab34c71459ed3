/** Keeps what is typed while the field it is meant for is still on its way. */

/** Takes the focus at once. `take` ends it and gives what was typed. Browser only. */
export function startTypeAhead(label: string): { readonly take: () => string } {
  const field = document.createElement("textarea");
  field.setAttribute("aria-label", label);
  field.dataset.typeAhead = "";
  // Not display:none, which could not have the focus.
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
