/**
 * Classifies the node types of the bash grammar for the judgement, as a closed list: a command with any other type, or with
 * a type in a position where nothing judges it, is unreadable.
 */

/** The children are statements. */
const groups = [
  "program",
  "list",
  "pipeline",
  "subshell",
  "compound_statement",
  "negated_command",
  "if_statement",
  "elif_clause",
  "else_clause",
  "while_statement",
  "do_group",
] as const;

/** Statements that the parser reads by their type. */
const statements = [
  "command",
  "redirected_statement",
  "file_redirect",
  "heredoc_redirect",
  "herestring_redirect",
  "variable_assignment",
  "variable_assignments",
  "declaration_command",
  "unset_command",
  "for_statement",
  "c_style_for_statement",
  "case_statement",
  "case_item",
  "test_command",
  "function_definition",
] as const;

/** Words and expressions, and what they consist of: judged by the statement that contains them. */
const parts = [
  "command_name",
  "word",
  "number",
  "string",
  "string_content",
  "raw_string",
  "ansi_c_string",
  "translated_string",
  "concatenation",
  "simple_expansion",
  "expansion",
  "variable_name",
  "special_variable_name",
  "command_substitution",
  "process_substitution",
  "arithmetic_expansion",
  "brace_expression",
  "extglob_pattern",
  "regex",
  "array",
  "subscript",
  "unary_expression",
  "binary_expression",
  "parenthesized_expression",
  "postfix_expression",
  "ternary_expression",
  "test_operator",
  "file_descriptor",
  "heredoc_start",
  "heredoc_body",
  "heredoc_content",
  "heredoc_end",
] as const;

const kinds: ReadonlyMap<string, "group" | "statement" | "part" | "comment"> = new Map([
  ...groups.map((type) => [type, "group"] as const),
  ...statements.map((type) => [type, "statement"] as const),
  ...parts.map((type) => [type, "part"] as const),
  ["comment", "comment"] as const,
]);

/** Returns the kind of a node type; null for a type that is not on the list. */
export const nodeKind = (type: string): "group" | "statement" | "part" | "comment" | null => kinds.get(type) ?? null;
