/** One call, `bash ls`, in the forms in which models write it after a lead. */
const json = '{"name": "bash", "arguments": {"command": "ls"}}';

/** JSON without a mark of a model's own syntax. */
export const weakForms: readonly string[] = [json, `\`\`\`json\n${json}\n\`\`\``];

export const markedForms: readonly string[] = [
  '<tool name="bash">\n<command>ls</command>\n</tool>',
  `<tool_call>\n${json}\n</tool_call>`,
  "<function=bash>\n<parameter=command>\nls\n</parameter>\n</function>",
  "<tool_call>\n<function=bash>\n<parameter=command>\nls\n</parameter>\n</function>\n</tool_call>",
  "<tool_call>bash\n<arg_key>command</arg_key>\n<arg_value>ls</arg_value>\n</tool_call>",
  '<invoke name="bash">\n<parameter name="command">ls</parameter>\n</invoke>',
  "<bash>\n<command>ls</command>\n</bash>",
  `[TOOL_CALLS][${json}]`,
  '[TOOL_CALLS]bash[ARGS]{"command": "ls"}',
  `<|python_tag|>${json}`,
  '<|channel|>commentary to=functions.bash <|constrain|>json<|message|>{"command": "ls"}<|call|>',
  '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>bash<｜tool▁sep｜>{"command": "ls"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  '```tool_code\nbash(command="ls")\n```',
  'Action: bash\nAction Input: {"command": "ls"}',
];
