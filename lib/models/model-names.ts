/** Comparison of model names. */

/** Whether a name means this model: one without a tag means `:latest`, as in Ollama. */
export const isSameModelName = (name: string, model: string): boolean => name === model || `${name}:latest` === model;
