/** Where a model begins to write what only a tool or the user can say. Used by read-text and call-reader. */

export interface Invention {
  /** The first character of the marker. */
  readonly at: number;
  readonly end: number;
  /** A final answer: invented only behind an Action. */
  readonly answer: boolean;
}

/** The longest marker with its line start, in UTF-16 units; a window of this length holds every one. */
export const inventionMaxChars = 96;

const marker =
  /(?<=^|\n)[ \t]{0,8}(?:[*_#]{1,4}[ \t]{0,4})?(?:Observation(?:[ _]?\d{1,3})?|观察|观察结果|(?<answer>Final Answer|最终答案|最终回答)|✿RESULT✿)[*_]{0,2}[ \t]{0,4}[:：]|<\/?(?:tool_response|tool_result|tool_results|function_results|function_result|function_response|tool_output|tool_outputs)>|\[TOOL_RESULTS\]|\[TOOL_RESULT\]|<\|im_start\|>\s{0,2}(?:user|tool)|<\|start_header_id\|>\s{0,2}(?:user|tool|ipython)|<start_of_turn>\s{0,2}(?:user|tool)|<\|(?:user|observation|tool|tool_response|START_TOOL_RESULT|start_of_role\|>(?:user|tool_response)<\|end_of_role)\|>|<[|｜]tool[▁_]outputs?[▁_]begin[|｜]>|<[|｜](?:User|tool▁output▁begin)[|｜]>|<\|start\|>(?:user|functions\.)|\[INST\]/g;

/** The first marker at or behind `from`. */
export function nextInvention(text: string, from: number): Invention | null {
  marker.lastIndex = from;
  const found = marker.exec(text);
  if (found === null) return null;
  return { at: found.index, end: found.index + found[0].length, answer: found.groups?.answer !== undefined };
}
