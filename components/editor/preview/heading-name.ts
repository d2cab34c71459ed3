/** Returns the name by which links refer to a heading, as GitHub forms it: lower case, `-` for spaces, no punctuation. */
export const headingName = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, "")
    .replace(/\s/g, "-");
