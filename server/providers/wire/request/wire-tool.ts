/** A tool of a request, in the form that both wire protocols share. */
import type { Json } from "@/lib/events/content";
import type { ToolSchema } from "@/lib/models/stored-prompt";

export const wireTool = ({ name, description, parameters }: ToolSchema): Json => ({
  type: "function",
  function: { name, description, parameters },
});
