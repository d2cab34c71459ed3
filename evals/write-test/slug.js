/** Turns a title into the last part of an address: "Hello, World!" is hello-world. */
export const slug = (title) =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
