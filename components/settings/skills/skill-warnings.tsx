/** Shows the peculiarities of a skill or a folder of skills, each with its remedy. */
import { CircleAlert, Info } from "lucide-react";
import { type SkillPlaceWarning, type SkillWarning as Warning, skillProblemKinds } from "@/lib/tools/skills";
import { type FullMessages, useFullMessages } from "../../messages/full-messages";
import { Icon } from "../../ui/indicators/icon";
import { VisibleText } from "../../ui/text/visible-text";

const problems: ReadonlySet<string> = new Set(skillProblemKinds);
/** Their counts and limits are bytes. */
const inBytes: ReadonlySet<string> = new Set(["too_large", "frontmatter_large"]);

type Sentence = string | ((one: string, other: string) => string);

/** Fills a sentence with what there is of its values, in their order. */
function fillSentence(sentence: Sentence, values: readonly string[]): string {
  const [one = "", other = ""] = values;
  return typeof sentence === "string" ? sentence : sentence(one, other);
}

/** Returns the sentence of a warning. */
function skillWarningText({ kind, line, detail, count, limit }: Warning, messages: FullMessages): string {
  const { skills, figures } = messages;
  const format = inBytes.has(kind) ? figures.bytes : figures.number;
  const numbers = [count, limit].flatMap((value) =>
    value === undefined ? [] : [format(value).replace("\u00a0", " ")],
  );
  const text = fillSentence(skills.warnings[kind], [...(detail === undefined ? [] : [detail]), ...numbers]);
  return line === undefined ? text : skills.inLine(line, text);
}

export function SkillWarnings({ warnings }: { readonly warnings: readonly Warning[] }) {
  const messages = useFullMessages();
  const { skills: text, common } = messages;
  if (warnings.length === 0) return null;
  return (
    <section aria-label={text.warningsTitle} className="grid gap-2">
      <h3 className="font-semibold">{text.warningsTitle}</h3>
      <ul className="grid gap-2 rounded-card border border-line bg-raised px-3.5 py-3">
        {warnings.map((warning, index) => {
          const isProblem = problems.has(warning.kind);
          return (
            <li key={index} className="flex gap-2.5">
              <Icon
                of={isProblem ? CircleAlert : Info}
                className={isProblem ? "mt-0.5 text-danger" : "mt-0.5 text-ink-faint"}
              />
              <p className="min-w-0 max-w-[68ch] [overflow-wrap:anywhere]">
                <VisibleText text={skillWarningText(warning, messages)} names={common.hidden} />
              </p>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

export function PlaceWarnings({ warnings }: { readonly warnings: readonly SkillPlaceWarning[] }) {
  const { skills: text, common, figures } = useFullMessages();
  return (
    <ul className="grid gap-2">
      {warnings.map(({ kind, path, limit }, index) => (
        <li key={index} className="flex gap-2.5">
          <Icon of={Info} className="mt-0.5 text-ink-faint" />
          <div className="min-w-0 [overflow-wrap:anywhere]">
            <code className="font-mono text-small text-ink-muted">
              <VisibleText text={path} names={common.hidden} />
            </code>
            <p className="max-w-[68ch]">
              {fillSentence(text.placeWarnings[kind], limit === undefined ? [] : [figures.number(limit)])}
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}
