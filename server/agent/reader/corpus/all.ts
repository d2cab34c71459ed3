/** All cases of the corpus. */
import { adversaryCases } from "./adversary";
import { agentCases } from "./agents";
import { deepseekCases } from "./deepseek";
import { elementCases } from "./elements";
import { googleCases } from "./google";
import { harmonyCases } from "./harmony";
import { lineCases } from "./lines";
import { llamaCases } from "./llama";
import { mistralCases } from "./mistral";
import { chineseCases, proseCases } from "./prose";
import { qwenCases } from "./qwen";
import { qwenCoderCases } from "./qwen-coder";
import { repairCases } from "./repairs";
import { commonMistakeCases } from "./common-mistakes";
import { smallCases } from "./small";
import { specialTokenCases } from "./special-tokens";
import { unknownToolCases } from "./unknown-tools";
import type { ReaderCase } from "./reader-case";

export const allCases: readonly ReaderCase[] = [
  ...qwenCases,
  ...qwenCoderCases,
  ...llamaCases,
  ...mistralCases,
  ...deepseekCases,
  ...harmonyCases,
  ...googleCases,
  ...commonMistakeCases,
  ...smallCases,
  ...specialTokenCases,
  ...agentCases,
  ...lineCases,
  ...elementCases,
  ...repairCases,
  ...proseCases,
  ...chineseCases,
  ...adversaryCases,
  ...unknownToolCases,
];
