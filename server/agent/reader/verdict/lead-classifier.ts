/**
 * Classifies the text around a call: intention, example, quotation or explanation. English and Chinese; "for example"
 * in more languages.
 */

/** Length of text examined before and after a call. */
export const contextMaxChars = 600;

/** "I will", "let me", "calling": the following call is intended. */
const intentionPattern =
  /\b(?:I(?:'|’)?ll|I(?:'|’)m (?:going|about)|I (?:will|am going|am about|need|should|must|want|can now|have) ?(?:to)?|let me|let(?:'|’)s|we (?:need|should|must|can|will|have)|(?:next|first|last) step|going to|first,? (?:read|list|look|find|search|check)|next,?|now,?|(?:calling|reading|running|checking|listing|searching|looking|opening|using|creating|writing|editing|executing|finding|deleting) )|(?:我(?:将|会|来|要|先|现在|需要|们先|们来|们需要)|让我|接下来|首先|现在|正在|下面(?:我|开始)|调用|读取|查看|执行|好的)/i;

/** Overrides an intention. */
const examplePattern =
  /\b(?:for example|for instance|e\.g\.|as an example|(?:an|this|one|simple|following) example|example (?:call|usage|of|request|tool|json|output)|examples?\s*[:：]\s*$|sample (?:call|request|usage)|(?:would|could|might|may|should|must) (?:look|be written|be called|be used) |you (?:can|could|may|might|would|should|must|have to|need to) (?:then |also |just |simply |now )?(?:call|use|write|send|run|invoke|emit|print|do|try|ask)|(?:format|syntax|structure|schema|template|usage|form) (?:is|would be|looks|for (?:a|the|this|calling))|(?:format|syntax|usage|template|schema|form)\s*[:：]\s*$|(?:do not|don(?:'|’)t|never|avoid) (?:write|writing|call|calling|use|using|run|running|send|emit)|instead of (?:writing|calling|using|this)|hypothetical\w*|\bwhen (?:I|you|we|it|the \w+) [^.]*[:：]\s*$|(?:the|a|each|every) (?:model|assistant|agent|llm) (?:would|will|can|could|might|writes|emits|prints|sends|calls|answers)|tool calls? (?:are|work|looks?|is written)|calls? (?:looks?|is written|are written))|^\W*(?:examples?|usage)\W*$|例如|比如|譬如|举例|举个例|示例|样例|范例|例子|格式(?:如下|为|是|应)|语法|(?:你|您|用户|模型)(?:可以|应该|需要|能够|会)|可以这样|像这样|类似(?:于|这样)|形如|形式(?:如下|为)|不要|而不是|用法/i;

/** The user is asked for consent first: the call is not intended yet. */
const proposalPattern =
  /\b(?:should|shall|may|can|could) I\b[^.!]*[?？]\s*$|\b(?:do|would) you (?:want|like|agree|mind|approve)\b[^.!]*[?？]\s*$|\b(?:okay|ok|alright|all right|fine|right)[?？]\s*$|\bif (?:you (?:agree|approve|confirm|wish|want|would like|like|prefer|say)|that(?:'|’)?s? (?:is )?(?:ok|okay|fine|alright))\b|\bI would (?:then |next |also |now |just |simply )?(?:call|run|use|execute|send|write|invoke|delete|edit)\b|(?:要不要|是否|需要我|可以吗|好吗|行吗)[^。！]{0,40}[?？:：]\s*$|如果(?:你|您)(?:同意|愿意|想|希望|需要)/i;

/** "For example" in the languages most used with models. */
const foreignExamplePattern =
  /zum Beispiel|beispielsweise|z\. ?B\.|würden? .{0,60}(?:aussehen|lauten)|par exemple|por ejemplo|por exemplo|per esempio|na przykład|например|örneğin|例えば|예를 들어|misalnya|ví dụ/i;

/** Something follows: a text, or the call itself. Applies only without an intention. */
const presentationPattern =
  /\b(?:is|are|was|were|has|have|had|contains?|contained|shows?|showed|says|said|reads|looks|returns?|returned|prints?|printed|found|received|receives|got|gave|gives|writes?|wrote|sent|sends|defined|written|includes?|recorded|becomes?)\b.{0,60}[:：]\s*$|^\W*(?:the |your |my |its )?(?:[\w-]+ )?(?:output|logs?|response|contents?|body|result|results|diff|patch|request|payload|json|data|message|record|entry|snippet|transcript|file|code)\W*[:：]\W*$|^\W*(?:file\b.{0,40}|[\w./-]+\.\w{1,5}\W*)[:：]?\W*$|\bhere(?:'s| is| are) (?:the|your|a|an|my|what)\b(?!.{0,30}\b(?:tool|function|next) (?:call|step)).{0,80}$|\bthe following\b.{0,60}[:：]\s*$|\b(?:like this|as follows)\b[^.]{0,40}[:：]\s*$|(?:文件|日志|输出|响应|内容|配置|结果|返回|记录|数据|模型).{0,40}[:：]\s*$|如下\s*[:：]?\s*$/i;

/** Negated actions. */
const negationPattern =
  /\b(?:(?:will|would|can|could|should|must|do|did|does|am|is|are) ?not|cannot|(?:won|can|wouldn|shouldn|mustn|don|didn|isn|aren)(?:'|’)?t|never|refuse to|refused to|not going to|without) (?:be )?(?:call|run|execute|use|send|do|delete|remove|write|edit|change|invoke|make|issue|perform|try)\w*|(?:不会|不能|不应|不该|不可|不要|拒绝|禁止|无法|别)(?:再|去|直接|擅自|随便)?(?:调用|执行|运行|删除|使用|写入|修改|做)/i;

/** A quoted conversation. */
const transcriptPattern = /(?:^|\n)[ \t]*\**(?:User|Human|用户|Question)\**[ \t]*[:：]/;

/** Inside data: an opening bracket, a comma, a key. */
const insideDataPattern = /(?:[{[(,=|]|["'\w]["']\s*:)\s*$/;

/** Returns the last sentence and the one before it in the same paragraph. */
function lastSentences(lead: string): { readonly before: string; readonly sentence: string } {
  const trimmed = lead.trimEnd();
  const paragraph = trimmed.slice(trimmed.lastIndexOf("\n\n") + 1).trim();
  const sentences = paragraph.split(/(?<=[.!?])\s+|(?<=[。！？])|\n/).filter((one) => one.trim() !== "");
  return { before: sentences.at(-2) ?? "", sentence: (sentences.at(-1) ?? "").trim() };
}

const removeQuotes = (sentence: string): string => sentence.replaceAll(/"[^"\n]*"|`[^`\n]*`/g, "");

type Announcement = "meant" | "plain" | "presented" | "shown";

/**
 * Classifies the text before a call: `meant` = an intention, `plain` = no indication, `presented` = "here is the X:", which
 * introduces a call as well as a text, `shown` = an example, a negation, a question or data.
 */
export function classifyLead(lead: string): Announcement {
  if (lead.trim() === "") return "plain";
  if (insideDataPattern.test(lead.slice(-40))) return "shown";
  const { before, sentence } = lastSentences(lead.slice(-contextMaxChars));
  const words = removeQuotes(sentence);
  if (examplePattern.test(words) || foreignExamplePattern.test(words) || proposalPattern.test(words)) return "shown";
  if (negationPattern.test(sentence) || transcriptPattern.test(lead)) return "shown";
  if (intentionPattern.test(sentence)) return "meant";
  if (examplePattern.test(removeQuotes(before))) return "shown";
  return presentationPattern.test(sentence) ? "presented" : "plain";
}

const explanationPattern =
  /^(?:this|that|the above|above|it|these|here|where|in this|note|with this|as you|which|and|so that|because|where|or|the (?:call|command|json|tool|format|result))\b|^(?:这|上面|以上|其中|该|此|上述|注意|说明)/i;
const continuationPattern = /\b(?:I|me|my|we|us|let(?:'|’)?s)\b|我/i;

/** Whether the text after a call talks about it instead of continuing. */
export const isExplanation = (tail: string): boolean => {
  const first = tail.trimStart().slice(0, 160);
  return explanationPattern.test(first) && !continuationPattern.test(first);
};
