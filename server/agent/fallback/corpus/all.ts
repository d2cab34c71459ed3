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
import { slipCases } from "./slips";
import { smallCases } from "./small";
import { strangerCases } from "./strangers";
import type { Case } from "./case";

export const allCases: readonly Case[] = [
  ...qwenCases,
  ...qwenCoderCases,
  ...llamaCases,
  ...mistralCases,
  ...deepseekCases,
  ...harmonyCases,
  ...googleCases,
  ...slipCases,
  ...smallCases,
  ...agentCases,
  ...lineCases,
  ...elementCases,
  ...repairCases,
  ...proseCases,
  ...chineseCases,
  ...adversaryCases,
  ...strangerCases,
];
