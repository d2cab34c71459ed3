/** Sources of regular expressions for the tags of all model families. */

/** Prefix of DeepSeek and GigaChat. */
export const barPrefix = "[|｜‖]{1,2}(?:DSML|GCML)[|｜‖]{1,2} ?";

/** Prefixes: `minimax:`, `seed:`, `antml:`, those of K2 Horizon, LongCat, dots and IQuest, and those with bars. */
export const tagPrefix = String.raw`(?:[a-zA-Z]+:|ifm\||longcat_|dots_|iquestcoder_|${barPrefix})?`;

/** Suffix of Hunyuan's tags: the id of the checkpoint. */
export const tagSuffix = String.raw`(?::\w{1,16})?`;

/** Names of the tags that open calls. */
export const callTagNames =
  "tool_calls?|tool-calls?|toolcalls?|tools?|function_calls?|functioncalls?|functions|tool_use|tool_code|use_tool|call|TOOLCALL|TOOL_CALL|tool_request";
