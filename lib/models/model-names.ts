/** Comparison of model names. */

const withLatestTag = (name: string): string => (/:[^/]*$/.test(name) ? name : `${name}:latest`);

/** Whether both names mean one model: a name without a tag means `:latest`, as in Ollama. */
export const isSameModelName = (one: string, other: string): boolean => withLatestTag(one) === withLatestTag(other);
