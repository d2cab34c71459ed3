/** Limits of requests. */
export const waitMs = 200;
/** See retryLimit in docs/limits.md. */
export const retryLimit = 5;
