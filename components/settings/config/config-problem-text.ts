/** Sentences for the problems of `config.yaml` and `models.yaml`. Pure. */
import type { ConfigProblem, ConfigValueSpec } from "@/lib/settings/config-keys";
import type { FullMessages } from "../../messages/full-messages";

type ConfigFileMessages = FullMessages["config"]["file"];

/** Returns the sentence for a problem, without its line. */
export function configProblemText(
  { code, key = "", wanted = { kind: "text" }, syntax = "other" }: ConfigProblem,
  text: ConfigFileMessages,
): string {
  if (code === "bad_syntax") return text.syntax[syntax];
  if (code === "bad_value") return text.problems.bad_value(key, wantedText(wanted, text.wanted));
  return code === "too_large" ? text.problems.too_large : text.problems[code](key);
}

const wantedText = (wanted: ConfigValueSpec, text: ConfigFileMessages["wanted"]): string =>
  wanted.orAuto ? text.orAuto(wantedKindText(wanted, text)) : wantedKindText(wanted, text);

function wantedKindText(wanted: ConfigValueSpec, text: ConfigFileMessages["wanted"]): string {
  if (wanted.kind === "choice") return text.choice(wanted.values.join(", "));
  if (wanted.kind === "time") return text[wanted.unit](wanted.least, wanted.most);
  return "least" in wanted ? text[wanted.kind](wanted.least, wanted.most) : text[wanted.kind];
}
