/** Sources of regular expressions for the tags of all model families. */

/** Prefix of DeepSeek and GigaChat. */
export const barPrefix = "[|｜‖]{1,2}(?:DSML|GCML)[|｜‖]{1,2} ?";

/** Prefixes: `minimax:`, `seed:`, `antml:`, `longcat_`, `dots_`, and those with bars. */
export const tagPrefix = `(?:[a-zA-Z]+:|longcat_|dots_|${barPrefix})?`;

/** Suffix of Hunyuan's tags: the id of the checkpoint. */
export const tagSuffix = String.raw`(?::\w{1,16})?`;
