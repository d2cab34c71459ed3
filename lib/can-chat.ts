/** Which models answer in a conversation. Pure; used by the server and the command line. */
import type { ModelInfo } from "./models";

/** It can hold a conversation. Where the server told no capabilities only a name that says embedding rules a model out. */
export const canChat = ({ name, capabilities }: ModelInfo): boolean =>
  capabilities.length > 0 ? capabilities.includes("completion") : !/embed|\bbge-|minilm|rerank/i.test(name);
