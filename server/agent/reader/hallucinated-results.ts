/** Finds the markers at which a model starts to hallucinate results or user messages. */

export interface HallucinationMarker {
  /** Offset of the marker's first character. */
  readonly at: number;
  readonly end: number;
  /** A final answer: hallucinated only after an Action. */
  readonly isFinalAnswer: boolean;
}

/** Length of the longest marker with its line start, UTF-16 units; a window of this length contains any marker. */
export const hallucinationMarkerMaxChars = 96;

const hallucinationPattern =
  /(?<=^|\n)[ \t]{0,8}(?:[*_#]{1,4}[ \t]{0,4})?(?:Observation(?:[ _]?\d{1,3})?|观察|观察结果|(?<answer>Final Answer|最终答案|最终回答)|✿RESULT✿)[*_]{0,2}[ \t]{0,4}[:：]|<\/?(?:tool_response|tool_result|tool_results|function_results|function_result|function_response|tool_output|tool_outputs)>|\[TOOL_RESULTS\]|\[TOOL_RESULT\]|<\|im_start\|>\s{0,2}(?:user|tool)|<\|start_header_id\|>\s{0,2}(?:user|tool|ipython)|<start_of_turn>\s{0,2}(?:user|tool)|<\|(?:user|observation|tool|tool_response|START_TOOL_RESULT|start_of_role\|>(?:user|tool_response)<\|end_of_role)\|>|<[|｜]tool[▁_]outputs?[▁_]begin[|｜]>|<[|｜](?:User|tool▁output▁begin)[|｜]>|<\|start\|>(?:user|functions\.)|\[INST\]/g;

/** Returns the first marker at or after `from`. */
export function findHallucinationMarker(text: string, from: number): HallucinationMarker | null {
  hallucinationPattern.lastIndex = from;
  const found = hallucinationPattern.exec(text);
  if (found === null) return null;
  return { at: found.index, end: found.index + found[0].length, isFinalAnswer: found.groups?.answer !== undefined };
}
