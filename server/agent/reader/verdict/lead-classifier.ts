/**
 * Classifies the text around a call: intention, example, proposal, denial, quotation or explanation. English and
 * Chinese; examples, proposals and denials in German, French, Spanish, Russian and Japanese as well.
 */

/** Length of text examined before and after a call. */
export const contextMaxChars = 600;

/** "I will", "let me", "calling": the following call is intended. */
const intentionPattern =
  /\b(?:I(?:'|’)?ll|I(?:'|’)m (?:going|about)|I (?:will|am going|am about|need|should|must|want|can now|have) ?(?:to)?|let me|let(?:'|’)s|we (?:need|should|must|can|will|have)|(?:next|first|last) step|going to|first,? (?:read|list|look|find|search|check)|next,?|now,?|(?:calling|reading|running|checking|listing|searching|looking|opening|using|creating|writing|editing|executing|finding|deleting) )|(?:我(?:将|会|来|要|先|再|马上|这就|现在|需要|们先|们来|们需要)|让我|我去|(?:^|，)(?:先|再|来)?(?:确认|看看|检查|列出|读取|查看)|接下来|首先|现在|正在|下面(?:我|开始)|调用|读取|查看|执行|好的)/i;

/** Examples and formats; they override an intention. */
const examplePatterns: readonly RegExp[] = [
  /\b(?:for example|for instance|e\.g\.|hypothetical\w*|tool calls? (?:are|work)|sample (?:call|request|usage)|example (?:call|usage|request|tool)|illustrat\w+|(?:is|are|find|see|of) (?:an|another|two|three|some|a few|a \w+) (?:\w+ )?examples?(?! (?:file|folder|project|app))|an? (?:typical|valid|possible|usual) (?:\w+ )?call)\b|\be\.g\./iu,
  /^\W*(?:(?:this|that|here) is |here['’]s |as |see )?(?:(?:an|one|another|the following|(?:a |the )?(?:simple|short|small|quick|basic|following)) )?(?:examples?|usage)(?: of| output| json| \d|\W*$)/iu,
  /(?<!\bwhat\b.*)\b(?:would|could|might|may) (?:look|be (?:written|called|used)) |\bcalls? (?:\w+ ){0,2}(?:looks?|(?:should|must) (?:look|be (?:written|sent|formatted))|(?:is|are) written)\b/iu,
  /\b(?:you|one)(?:['’]d| can| could| may| might| would| should| must| have to| need to) (?:then |also |just |simply |now )?(?:call|use|write|send|run|invoke|emit|print|do|try|ask)\b/iu,
  /\b(?:an?|the|each|every) (?:model|assistant|agent|llm) (?:would|will|can|could|might|writes|emits|prints|answers)\b/iu,
  /\b(?:format|syntax|schema|template|usage|form) (?:(?:is|would be|looks)(?: as follows| like this| this)?\W*$|for (?:(?:an?|the|this|tool) )*(?:calls?|tools?|calling)\b)/iu,
  /^(?:.*\b(?:in|with|using) )?\W*(?:(?:use|the|this|following|correct|right|expected|call|tool|json) )*(?:format|syntax|usage|template|schema|form)\s*[:：]\s*$/iu,
  /^\W*instead of (?:writing|calling|using|this)|\bwhen (?:I|you|we|it|the \w+) [^.]*, (?:I|you|we) (?:write|call|send|emit)\b[^.]*[:：]\s*$|^\W*(?:this|that|here)(?: is|['’]s) (?:how (?:you|one|we|it is|tool)|(?:how|what) (?:an?|the|tool) (?:\w+ )?calls?)\b/iu,
  /例如|比如|譬如|举例|举个例|示例(?!\S{0,3}(?:已|有|过时|不对))|样例|范例|例子[:：]|格式(?:如下|为|是|应)|语法(?:如下|为|是|[:：])|(?:你|您|用户|模型)(?:可以|应该|需要|能够|会)[^，。]{0,6}(?:写|调用|输出|发送|使用|运行|执行)|(?:可以|^\W*)这样(?!就)|比方|假设|像这样|类似(?:于|这样)|形如|形式(?:如下|为)|而不是|用法|^\W*如[:：]/iu,
  /^\W*as (?:an?|one|another) (?:\w+ )?example\b|\bcall would (?:then |simply )?be\b|^\W*(?:consider|take|as|see|to give|by way of|let['’]?s take|an?|one|just|here['’]?s?(?: is)?)\b(?: \w+){0,3} examples?(?: (?:would|could) be)?\W*$|^\W*examples? \([^)]*\)\W*$|^\W*(?:by way of|as) examples?\W*$|^\W*something like(?: this)?\W*$|^\W*(?:an? )?sample\W*$|\b(?:possible|illustrative|such an?) (?:\w+ )?calls?\b/iu,
  /\b(?:shape|form|structure|anatomy) of (?:an?|the|this|such|every|each) (?:\w+ )?calls?\b|\bcalls? (?:has|have|takes?|follows?|uses?) (?:the|this|a) (?:\w+ )?(?:shape|form|format|structure|syntax)\b|^\W*(?:the )?(?:general|generic|basic|usual) (?:form|shape|pattern|syntax|structure|call)\W*$|^\W*schematically\W*$/iu,
  /\b(?:users?|people|developers?|someone|somebody) (?:would|could|might) (?:then |also |\w+ly )?(?:write|type|call|run|enter|use|send)\b|\bone (?:\w+ly )?(?:writes|calls|types|runs)\b|\byou(?:['’]ll|['’]d| will| would| may| might)? (?:want|need|have) to (?:call|use|write|run|send|execute)\b|^\W*(?:suppose|imagine)\b|\bI (?:would|could|might|should) have (?:called|run|used|written|executed|sent)\b/iu,
  /\b(?:only|just|merely) an? (?:\w+ )?(?:demo|demonstration|sketch)\b|\bfor (?:demonstration|demo|illustration|illustrative)(?: purposes?)?(?: only)?\W*$|^\W*demo(?:nstration)?\W*$|^\W*(?:(?:this|that|the following) is |the |an? )?(?:wrong|bad|incorrect|invalid)(?: (?:way|example|usage|call|form|format|syntax)(?: to do (?:it|this|that))?)?\W*$|\b(?:what|how) not to (?:do|call|write|run|use)\b|\bthis (?:is not|isn['’]t) (?:an? |the )?(?:\w+ )?call\b/iu,
  /示范|示意|(?:^|[^\p{L}]|只是\S{0,3})演示[:：]|仅供参考|仅作|(?:一般|错误|正确)(?:写法|用法)|写法(?:如下|是)|请(?:你|您)?(?:自己|自行)|^[^\p{L}]*(?:工具)?(?:调用|标准|通用|一般|正确|基本|输出)?(?:格式|模板|语法)[:：]\s*$|反例|^[^\p{L}]*(?:假如|倘若|设想|试想)|我会(?:这样|这么)?写|(?:你|您|用户|模型|助手)(?:也|还)?(?:可以|应该|需要|可能会|会|能|可)[^，。]{0,6}(?:写|输入|(?<!测)试)/iu,
  /^[^\p{L}]*(?:(?:hier|voici|aquí|вот)\s+)?(?:(?:ein|un)\s+)?(?:\p{L}+\s+)?(?:Beispiel|exemple|ejemplo|пример)(?:\s+\p{L}+)?[^\p{L}]*$|(?:titre d['’]|como |modo de |qu['’]un |solo un )(?:exemple|ejemplo)|(?:nur|lediglich) ein Beispiel|(?:просто|лишь) пример|^[^\p{L}]*(?:etwa|ungefähr)(?: so)?[^\p{L}]*$|^[^\p{L}]*(?:quelque chose comme|algo (?:así|como)|что-то вроде|примерно так)|wäre (?:der|ein) Aufruf|Aufruf wäre|качестве примера|к примеру|Veranschaulichung|zur Illustration|(?:pour|titre d['’]) ?illustr|para ilustrar|для иллюстрации/iu,
  /^[^\p{L}]*(?:(?:das|die|le|la|el)\s+)?(?:Aufrufformat|allgemeine Form|format d['’]appel|forme générale|formato de (?:la )?llamada|forma general|формат вызова|общий вид)(?!\p{L})/iu,
  /(?:schreib|ruf|führ)t man(?!\p{L})|(?:Modell|Assistent|modèle|modelo|asistente|модель|ассистент)\p{L}*\s(?:würde|schreibt|écri|escrib|напис|пишет)|^[^\p{L}]*(?:angenommen|supposons|imaginons|supongamos|imaginemos|предположим|допустим|представим)(?!\p{L})/iu,
  /(?<!\p{L})ich (?:würde|könnte)\s[^,.]*(?:schreib|ruf|führ|verwend|lösch)|(?<!\p{L})j['’](?:écrirais|exécuterais|appellerais|utiliserais|enverrais)|(?<!\p{L})je (?:pourrais|lancerais)(?!\p{L})|(?<!\p{L})(?:escribiría|ejecutaría|llamaría|usaría|podría (?:ejecut|llam|escrib|us))|(?<!\p{L})(?:я|вы)\s(?:мог\p{L}* )?бы\s(?:мог\p{L}* )?(?:напис|выполн|вызв|запуст|использ)|вы могли бы/iu,
  /(?:(?:tienes?|hay) que|deberías?) (?:ejecut|escrib|llam|us)|(?:вам|тебе) (?:нужно|надо|следует) (?:выполн|напис|вызв|запуст)|обычно пиш|^[^\p{L}]*(?:falsch|so nicht|faux|incorrecto|неправильно|неверно)[^\p{L}]*$/iu,
  /(?:一|呼び出し|悪い|良い|簡単な)例|^[^\p{L}]*(?:形式|書式|構文)[:：]\s*$|こともできます|(?:書く|出力する)でしょう/iu,
  /想[^，。]{0,12}，可以?(?:使用|用|执行|运行|输入)|的调用(?:是|为|如下)[:：]\s*$/u,
  /(?:zum|als) Beispiel|z\. ?B\.|par exemple|por (?:ejemplo|exemplo)|per esempio|na przykład|например|örneğin|例えば|たとえば|예를 들어|misalnya|ví dụ/iu,
  /^[^\p{L}]*(?:(?:hier ist|voici|aquí (?:hay|está|tienes)|вот|это|以下は)\s*)?(?:(?:ein|un)\s+)?(?:Beispiel|exemple|ejemplo|пример|(?:使用)?例(?:です)?[：:])/iu,
  /^[^\p{L}]*(?:(?:das|die|le|la|el)\s+)?(?:format|syntaxe?|formato|sintaxis|формат|синтаксис|形式|構文)\s*(?:(?:ist|lautet|es|est)[\s:]|так|は|:)/iu,
  /(?:Aufruf|appel|llamada|вызов|呼び出し)[^,.]*(?:\saus[\s:]|aussehen|ressembl|se v[ei]|выгляд|のように)|würden? .{0,60}(?:aussehen|lauten)/iu,
  /(?<!\p{L})(?:du|man|Sie|vous|tu|on|puedes?|podrías?|можно|можете|можешь)\s(?:\p{L}+\s){0,4}(?:schreib|ruf|aufruf|ausführ|verwend|benutz|écri|appel|lanc|exécut|utilis|escrib|llam|ejecut|напис|вызв|использ|выполн)|se escrib|así se llama|sería así|so (?:ruft|schreibt) |^\W*etwa so|так (?:вызыва|пиш)|(?:このように|次のように)書/iu,
];

/** A question or a condition: the user decides first. A question about the project is none. */
const proposalPatterns: readonly RegExp[] = [
  /^(?!\W*(?:what|where|which|why|how|who|is|are|does|did|has|have|was|were|any)\b(?!.*\b(?:I|you|we|us|okay|ok|fine|alright|all right)\b)|[^我你您]*(?:什么|哪|怎么|为何|多少|有没有)[^我你您]*$).*[?？][^\p{L}]*$/isu,
  /\b(?:does|do) (?:that|this|it|these) (?:look|sound|seem) (?:right|good|ok|okay|fine|correct|reasonable|alright)\b[^?？]*[?？]|\btell me (?:if|whether|when)\b|\b(?:once|after|when|until|unless|as soon as|if) you(?:['’]d| would| have)? (?:agree|approve|confirm|object|allow|permit|like)\b|\bwait(?:ing)? for your (?:approval|confirmation|permission|consent|ok|okay)\b|\byour (?:approval|permission|consent|agreement|go-ahead)\b|^\W*please (?:approve|allow|permit)\b|\bobjections\b|\bif (?:that|this) (?:works|suits)\b/iu,
  /\b(?:let me know (?:if|whether)|please confirm)\b|\bif (?:you (?:agree|approve|confirm|wish|want|would like|like|prefer|say)|that(?:['’]?s?| is) (?:is )?(?:ok|okay|fine|alright))\b|\bI (?:would|could|might) (?:then |next |also |now |just |simply )?(?:call|run|use|execute|send|write|invoke|delete|edit)\b/iu,
  /(?:要不要|是否|需要我|可以吗|好吗|行吗)[^。！]{0,40}[:：]\s*$|(?:如果|若|只要|等|待)(?:你|您)(?:同意|愿意|想|希望|需要|确认|允许|批准)|^[^\p{L}]*同意的话|^[^\p{L}]*请(?:你|您)?(?:批准|许可|同意|确认)|(?:确认|同意)后[^，。]{0,4}(?:执行|运行|调用)|よろしければ|よければ|(?:確認|承認)後に/iu,
  /(?:wenn|falls) (?:du|Sie) (?:will|woll|möcht|zustimm|einverstanden)|si (?:vous|tu) (?:voul|veux|souhait|confirm|accept)|(?<=\p{L} )d['’]accord, je|si (?:quieres?|deseas?|confirmas?|aceptas?)[\s,]|si (?:estás?|está) de acuerdo|если (?:вы |ты )?(?:хот|хоч|соглас)|sag(?:en Sie)? mir,? ob|bitte (?:bestätig|genehmig|zustimm)|(?:merci de|veuillez) (?:confirmer|approuver)|confirmez|por favor,? (?:confirm|aprueb)|подтверди|(?:dites|dis)-moi si|(?:dime|dígame) si|скаж(?:и|ите)[^.]*\sли(?!\p{L})|(?:mit|nach) (?:deiner|Ihrer) (?:Zustimmung|Erlaubnis|Bestätigung|Freigabe)|avec (?:votre|ton) (?:accord|permission)|con (?:tu|su) (?:permiso|aprobación)|с (?:вашего|твоего) (?:разрешения|согласия)/iu,
];

/** Somebody else makes the call, or a text shows it: a manual, a quotation, a case that is supposed. An intention overrides it. */
const reportPatterns: readonly RegExp[] = [
  /\b(?:examples?|snippet)\W*$|\bsuch an? (?:\w+ )?(?:request|command|invocation|message)\b|^\W*(?:quot(?:ing|ed|e)|citing)\b|^\W*(?:theoretically|in theory|in principle)\b[^.]*\b(?:write|call|send|run|look)\b|\b(?:reply|answer|response|request|command|message) would (?:then |simply )?be\b|\b(?:requests?|commands?|tools?|functions?) (?:is|are) (?:written|sent|formatted|called|invoked|used)\b[^.]*\b(?:as|like this|this way|follows)\W*$|\b(?:typical|common|frequent|classic|beginner(?:['’]?s)?) (?:\w+ )?(?:mistake|error)\W*$|^\W*if (?:someone|somebody|anyone|an? \w+|one) /iu,
  /\b(?:tutorials?|documentation|docs|manual|handbook|guide|readme|reference|specification|book|article|wiki|faq|cheat ?sheet|man page|blog post)\b[^.]*\b(?:(?:this|that|the following|an?|these) (?:\w+ )?(?:calls?|commands?|requests?|invocation|snippet)|(?:types?|writes?|enters?|calls?|runs?) (?:this|the following|it))\b/iu,
  /\b(?:someone|somebody|(?:an?|some|every|each|another) (?:\w+ )?(?:colleague|user|reader|developer|friend|reviewer|student|beginner|customer|teammate|person))\b[^.]*\b(?:answered|replied|wrote|writes|posted|types|typed|sent|sends|enters|entered|runs|ran|calls|called)\b/iu,
  /\byou (?:can|could|may|might) (?:\w+ ){1,8}(?:yourself|with|using|via|like this|this way|as follows)\W*$|\b(?:copy|paste|type|enter) (?:this|that|the following|it)\b|\byour own (?:machine|computer|terminal|shell|console|system|laptop)\b|\b(?:try|run|test|do) (?:it|this|that) (?:out )?yourself\b|\ban? (?:\w+ )?(?:demo|demonstration)\W*$|\blike so\W*$|\bI would (?:normally|usually|typically)\b|\btells? (?:\w+ ){1,3}to (?:type|write|enter|run|call)\b/iu,
  /^\W*for reference\b|\bfor (?:documentation|reference|information)(?: purposes)?(?: only)?\W*$|\b(?:call|command|request) (?:that|which) (?:\w+ )?(?:failed|ran|was|had|worked|caused|broke)\b|\b(?:earlier|previous|last|first|original) (?:\w+ )?(?:message|answer|reply|call) (?:was|is|read|said|contained)\W*$|\b(?:command|call) would have been\b|\b(?:he|she|they) (?:\w+ )?(?:said|wrote|pasted|posted|sent|typed|answered)\b|\bnot (?:meant|supposed|intended) to be (?:called|run|executed|used)\b/iu,
  /^\W*(?:here|this|that)(?: is|['’]s) how (?!I\b|we\b)|\b(?:step|section|chapter|page|lesson|part) \d+ of (?:the|this|our|an?) (?:\w+ )?(?:tutorial|manual|documentation|docs|guide|handbook|book|course)\b|\b(?:docs|documentation|manual|guide|handbook|tutorial|readme) (?:puts?|says?|states?|reads?|describes?) (?:it|this|that|as follows|the following)\b/iu,
  /\b(?:assistant|agent|model|llm)s?\b[^.]*\b(?:answered|replied|wrote|sent|used to (?:answer|reply|write|send|call))\b/iu,
  /(?:手册|文档|教程|指南|说明书|规范|书)[^，。]{0,12}(?:引用|写道|写着|给出|展示|列出|记载|建议|推荐)[^。]{0,12}[:：]\s*$|(?:别的|其他|其它|另一个|另一位)(?:助手|模型|人|用户|开发者)|为了?(?:说明|演示|展示|解释)(?:格式|语法|用法|写法)|(?:样本|例子|示例|样例|范例)[:：]\s*$|^[^\p{L}]*(?:如果|若)有人|书[上里中][^，。]{0,6}写|(?:助手|模型)(?:会|曾|曾经|以前)?(?:回答|回复|输出)|自己(?:动手|试)|有人[^，。]{0,10}(?:回答|写|发|说)|(?:你|您)(?:也|还)?可以(?:用|自己|手动|自行)|(?:可以|可)(?:使用|用|执行|运行|输入)[^，。了]{0,8}[:：]\s*$|作(?:文档|参考)|(?:复制|粘贴|输入)[^，。]{0,12}(?:终端|命令行|控制台)/iu,
  /(?<!\p{L}|d['’])(?:\p{L}*beispiele?|exemples?(?: suivants?)?|ejemplos?(?: siguientes?)?|примеры?)[^\p{L}]*$|^[^\p{L}]*(?:(?:ein|une|una) )?(?:Zitat|citation|cita|цитата)(?!\p{L})|^[^\p{L}]*(?:theoretisch|en théorie|en teoría|теоретически|в теории)[^.]*(?:schreib|ruf|send|écri|appel|enver|escrib|llam|envi|напис|вызв|отправ|выгляд)/iu,
  /(?:nehmen wir an|gesetzt den Fall|zur Verdeutlichung|для наглядности|(?:wenn|falls) (?:jemand|man) |^[^\p{L}]*(?:si (?:quelqu['’]un|alguien|un usuario|un utilisateur) |если (?:кто-то|пользователь) ))/iu,
  /(?:Doku\p{L}*|Handbuch|Anleitung|Tutorial|Leitfaden|documentation|manuel|tutoriel|documentación|manual|guía|документаци\p{L}*|руководств\p{L}*|инструкци\p{L}*)[^.]*(?:Aufruf|Befehl|appel|commande|llamada|comando|вызов|команд)/iu,
  /(?<!\p{L})(?:(?:du|Sie|man) (?:kann|könn)\p{L}*|(?:vous|tu) (?:pouvez|pourriez|peux|pourrais)|puede[sn]?|podría[sn]?|можете|можешь)\s[^.,]*(?:selbst|so|wie folgt|vous-même|toi-même|ainsi|comme (?:ceci|suit)|mismo|misma|así|сами|так)(?!\p{L})/iu,
  /jemand\s[^.]*(?:antwortet|schrieben|postet)|(?:jemand|quelqu['’]un a|alguien|кто-то) (?:schrieb|antwortete|répondu|écrit|posté|respondió|escribió|publicó|ответил|написал)|(?:typisch|häufig|erreur (?:typique|fréquente|classique|de débutant)|error (?:típico|frecuente|común|de principiante)|типичная ошибка|частая ошибка)[^.]*[:：]\s*$/iu,
  /(?<!\p{L})(?:kopier|tipp|copi|coll|tap|peg|tecle|скопир|встав|введи)\p{L}*\s[^.]*(?:terminal|konsole|console|consola|shell|терминал|консол)|würde (?:das|ein|der|die) (?:Modell|Assistent|Nutzer|Benutzer)|(?:modèle|assistant|utilisateur) \p{L}+rait|(?:modelo|asistente|usuario) \p{L}+ría/iu,
  /Dokumentationszweck|fins de documentation|fines de documentación|для (?:документации|справки)|Aufruf, der|appel qui (?:a|avait)|llamada que|вызов, который|^[^\p{L}]*(?:so \p{L}+ man|voici comment(?! (?:je|nous) | j['’])|así se|вот как(?! (?:я|мы) ))(?!\p{L})/iu,
  /(?<!\p{L})(?:du|Sie|man|vous|tu|puedes?|podrías?|можно|можете|можешь)\s(?:\p{L}+\s){0,5}(?:eingeb|nutzen|tippen|saisi|taper|usar|teclear|ввести|набрать)/iu,
  /(?:probier|versuch|test)\p{L}*\s[^.]*selbst|essay\p{L}+[^.]*(?:vous|toi)-même|pru[eé]b\p{L}+\s[^.]*mism|попробуй\p{L}*\s[^.]*сам|(?:demonstration|démonstration|demostración|демонстрация)[^\p{L}]*$|(?:Assistent|Modell|assistant|modèle|asistente|modelo|ассистент|модель)\p{L}*\s(?:antwortet|répond|respond|отвеч|ответ)|antwortete (?:der|das) (?:Assistent|Modell)/iu,
  /(?:пользовател|модел|ассистент|читател|разработчик|кто-то)\p{L}*\s[^,.]*\p{L}л[аи]? бы|выглядел\p{L}? бы/iu,
];

/** Actions of the author: a sentence that begins with "Updating", or has a verb in the first person. */
const ownActionPattern =
  /^\W*(?!quoting|citing|according|\w+thing|during|assuming|supposing|following)\p{L}+ing\b|(?<!\p{L})(?:ich(?!\p{L})|je |j['’])|(?<!\p{L})\p{L}+(?:аю|яю|ую)(?!\p{L})|,\s*(?:l[oa]s? )?\p{L}+o(?!\p{L})|^\W*\p{L}+o (?:el|la|los|las|un|una)(?!\p{L})/iu;

/** The call itself is denied or forbidden; that something else does not run, or is not used, is a fact. */
const negationPatterns: readonly RegExp[] = [
  /\b(?:I|we|you|nobody|no ?one) (?:(?:will|would|can|could|should|must|may) never|(?:should|must|may)(?: ever)?(?<=(?:nobody|no ?one) .*)) (?:\w+ly )?(?:call|run|execute|use|send|do|delete|remove|write|edit|change|invoke)\b|(?:['’]m|['’]re|\bam|\bare) not (?:allowed|permitted|supposed|meant) to \w+|\bnot something (?:I|we|you)\b|(?:(?<!\b(?:could|did|does|has|have|was|were|is) )\bnot|\bcannot|(?<!could|did|does|has|have|was|were|is)n['’]t|\bnever|\brefus\w+|\bforbid\w*)\b[^.;:]*\b(?:run|execut|call|us|invok|send|do)(?:e|ing|ed)? (?:this|that|it|these|the following|such)(?: (?:call|command|tool|one))?\W*$|\b(?:under no circumstances|by no means)\b|\bnot to be (?:called|run|executed|used)\b/iu,
  /(?:\bagainst|\bnot recommend|n['’]t recommend|\bnot advise|n['’]t advise) (?:\w+ )?(?:call|runn|execut|us|send|delet|edit|do|invok)ing\b|\b(?:don['’]t|do not) think (?:that )?(?:I|we|you|it) .{0,20}\b(?:run|call|execute|use|do)\b|\bdeclin\w+ to (?:run|call|execute|send|use|do)\b|\b(?:dangerous|unsafe|forbidden|prohibited|risky|harmful|not (?:safe|allowed|permitted)) to (?:call|run|execute|do)\b/iu,
  /\b(?:I|we|you)(?:['’](?:m|re|ll|d))?(?: am| are)? (?:(?:(?:will|would|can|could|should|must|do|am|are) ?not|(?:ca|wo|could|would|should|must|do|are)n['’]t|never|refuse|not|rather not|decided not|unable)(?: (?:be|going|want|intend))?(?: to)?) ?(?:\w+ly )?(?:call|run|execut|use|send|do|delet|remov|writ|edit|chang|invok|mak|issu|perform|try|\W*$)/iu,
  /(?:^\W*|[.,;:] |\b(?:please|so|but) )(?:(?:do not|don['’]t|never|not) (?:\w+ly |ever )?(?:call|run|execute|use|send|delete|remove|write|edit|change|invoke|emit|do (?:this|that|it)|(?:copy|paste|type|enter|repeat|try) (?:this|that|it|the following))|avoid \w+ing)\b/iu,
  /\b(?:must|should|may|shall)(?: not|n['’]t| never) be (?:called|run|executed|used|sent|written|invoked)\b/iu,
  /(?:命令|调用|工具|我)[^，。]{0,3}(?:不应|不能|不可|被禁止|无权|没有权限)[^，。]{0,2}(?:执行|运行|调用)|绝对?(?:不能|不要|不可|不会)[^，。]{0,2}(?:执行|运行|调用)/iu,
  /(?:^|[，,、；：\s我们你您请但且也就都先万])(?:不会|不能|不应该|不应|不建议|不推荐|不允许|不准|不得|不打算|不宜|严禁|不该|不可|不要|不想|请勿|切勿|拒绝|禁止|无法|别|勿|暂时不|先不)(?:再|去|先|直接|擅自|随便|这么|这样)?(?:调用|执行|运行|删除|使用|写入|修改|做)/iu,
  /(?:^\W*(?:bitte )?|\b(?:ich|wir)\s[^,]*)(?:(?:nicht|nie|niemals)\s[^,]*(?:führ|ruf|start|lösch|verwend|schreib|änder|tun(?!\p{L})|machen)|(?:führ|ruf|start|lösch|verwend|schreib|änder)[^,]*\s(?:nicht|nie|niemals)\s)|(?:führ|ruf|start|lösch|verwend|schreib|änder)\p{L}* (?:ich|wir) (?:nicht|nie|niemals)\s|(?<!\p{L})ich (?:mache|tue) (?:das|dies|es) nicht|(?<!sich )(?:nicht|nie|niemals) (?:\p{L}+ )?(?:ausführen|aufrufen|starten|verwenden|(?:ausgeführt|aufgerufen|gestartet) werden)[^\p{L}]*$|weigere mich|lehne ich (?:\p{L}+ )*ab(?!\p{L})|ich lehne (?:\p{L}+ )*ab(?!\p{L})|rate \p{L}*\s?davon ab|auf keinen Fall|keinesfalls|(?:darf|soll|sollte) nicht (?:ausgeführt|aufgerufen|gestartet|verwendet)/iu,
  /(?:^\W*|\b(?:je|nous) )n(?:e |['’])[^,]*(?:exécut|lanc|appel|utilis|supprim|modifi|écri|ferai(?!\p{L})|faites)|\bje refuse|\bne (?:pas|jamais) (?:exécuter|lancer|appeler|utiliser)|\bne (?:doit|doivent|devrait) (?:pas|jamais)[^,.]*(?:exécut|lanc|appel|utilis)|déconseille|il ne faut (?:pas|jamais) (?:exécut|lanc|appel|utilis|faire|supprim)/iu,
  /(?:^\W*|\byo )(?:no|nunca|jamás) (?!se (?!debe))[^,]*(?:ejecut|llam|us[aeo]|borr|elimin|modific|escrib|haré|hagas?(?!\p{L}))|me niego|\bno (?:se )?(?:debe|debería)\s[^,.]*(?:ejecut|llam|us[aeo])|mejor no (?:ejecut|llam|us)|no (?:lo )?recomiendo/iu,
  /(?:^[^\p{L}]*(?:ни в коем случае )?|(?<!\p{L})(?:я|мы) (?:[^,]{0,20} )?)(?:не|никогда)\s[^,]*(?:выполн|запуск|запуст|запущ|вызыв|вызва|удал|измен|дела|сдела)|отказыва|лучше не (?:выполн|запуск|вызыв)|(?<!\p{L})нельзя\s[^,.]*(?:выполн|запуск|вызыв|дела|удал)|(?:дела|выполн|запуск|вызыв)\p{L}* нельзя/iu,
  /(?:実行|呼び出|削除|変更|使用|編集|起動)し(?:ません|ない)|(?:べきではありません|てはいけません|つもりはありません)|(?:おすすめ|お勧め|推奨)しません/iu,
];

/** Something is shown or mentioned; applies only without an intention. */
const quotationPattern =
  /\b(?:is|are|(?<!, )was|were|has|have|had|contains?|contained|shows?|showed|says|said|reads|looks|returns?|returned|prints?|printed|found|received|receives|got|gave|gives|writes?|wrote|sent|sends|defined|written|includes?|recorded|becomes?)\b.{0,60}[:：]\s*$|^\W*(?:the |your |my |its )?(?:[\w-]+ )?(?:output|logs?|response|contents?|body|result|results|diff|patch|request|payload|json|data|message|record|entry|snippet|transcript|file|code)\W*[:：]\W*$|^\W*(?:file\b.{0,40}|[\w./-]+\.\w{1,5}\W*)[:：]?\W*$|\bhere(?:'s| is| are) (?:the|your|a|an|my|what)\b(?!.{0,30}\b(?:tool|function|next) (?:call|step)).{0,80}$|\bthe following\b.{0,60}[:：]\s*$|\b(?:like this|as follows)\b[^.]{0,40}[:：]\s*$|(?:文件|日志|输出|响应|内容|配置|结果|返回|记录|数据|模型).{0,40}[:：]\s*$|如下\s*[:：]?\s*$/i;

/** The same in other languages, and what a record of before shows. */
const otherQuotationPattern =
  /^\W*from (?:the|an?|your) (?:\w+ )?(?:transcript|log|history|session|record)s?\b|(?<!\p{L})(?:Protokoll|Logdatei|Ausgabe|Antwort|Ergebnis|Inhalt|journal|sortie|réponse|résultat|contenu|registro|salida|respuesta|resultado|contenido|журнал|лог|вывод|ответ|результат|содержимое)\p{L}{0,3}(?!\p{L}).{0,60}[:：]\s*$|(?:ログ|出力|応答|結果|内容).{0,20}[:：]\s*$/iu;

/** A quoted conversation. */
const transcriptPattern = /(?:^|\n)[ \t]*\**(?:User|Human|用户|Question)\**[ \t]*[:：]/;

/** Inside data: an opening bracket, a comma, a key, the head of a hunk or of quoted lines, and no empty line after it. */
const insideDataPattern =
  /(?:[{[(,=|]|(?:^|\n)@@ [^\n]*|<<[-~]?\s?["']?\w+["']?|(?:^|[\n{,[])\s*["'][^"'\n]*["']\s*:)[^\S\n]*\n?[^\S\n]*$/;

/** Returns the last sentence and the one before it in the same paragraph. */
function lastSentences(lead: string): { readonly before: string; readonly sentence: string } {
  const trimmed = lead.trimEnd();
  const paragraph = trimmed.slice(trimmed.lastIndexOf("\n\n") + 1).trim();
  const sentences = paragraph.split(/(?<=(?<!\b\p{L})[.!?])\s+|(?<=[。！？])|\n/u).filter((one) => one.trim() !== "");
  return { before: sentences.at(-2) ?? "", sentence: (sentences.at(-1) ?? "").trim() };
}

/** "I can't run it, so I'll …": the last clause counts. */
const ownClausePattern = /^.*\b(?:so|but|instead),? (?=(?:I|let|we)\b)/i;

const matchesAny = (patterns: readonly RegExp[], words: string): boolean => patterns.some((one) => one.test(words));

/** A question to oneself is none to the user. */
const ownQuestion = /\bwhat (?:do|have) we (?:have|got|know|see)\b[^?]*\?/gi;

const removeQuotes = (sentence: string): string => sentence.replaceAll(/"[^"\n]*"|`[^`\n]*`/g, "");

type Announcement = "meant" | "plain" | "shown";

/**
 * Classifies the text before a call; `meant` = an intention, `plain` = no indication. `certain` = only an example, a
 * question or a negation speaks against the call.
 */
export function classifyLead(lead: string, certain: boolean): Announcement {
  if (lead.trim() === "") return "plain";
  if (insideDataPattern.test(lead.slice(-80))) return "shown";
  const { before, sentence } = lastSentences(lead.slice(-contextMaxChars));
  const words = removeQuotes(sentence).replaceAll(ownQuestion, "").replace(ownClausePattern, "");
  if (matchesAny([...examplePatterns, ...proposalPatterns, ...negationPatterns], words)) return "shown";
  if (transcriptPattern.test(lead)) return "shown";
  if (intentionPattern.test(sentence)) return "meant";
  if (!ownActionPattern.test(words) && matchesAny(reportPatterns, words)) return "shown";
  if (certain) return "plain";
  const isQuotation = quotationPattern.test(sentence) || otherQuotationPattern.test(sentence);
  return matchesAny(examplePatterns, removeQuotes(before)) || isQuotation ? "shown" : "plain";
}

const explanationPattern =
  /^(?:this|that|the above|above|it|these|here|where|in this|note|with this|as you|which|and|so that|because|where|or|the (?:call|command|json|tool|format|result))\b|^(?:这|上面|以上|其中|该|此|上述|注意|说明)/i;
/** A sentence that began before the call. */
const sentenceRestPattern =
  /^(?:is|are|was|were|means|becomes|counts|as|into|in place of|instead of|rather than|for each|whenever|when)\b|^(?:而不是|当作|当成|视为|解析为|会被|就会被|のように|と(?:書|出力|表示|解析)|これは|この(?:呼び出し|形式|書式|出力)は)/;
const continuationPattern = /\b(?:I|me|my|we|us|let(?:'|’)?s)\b|我/i;

/** Whether the text after a call talks about it instead of continuing. */
export const isExplanation = (tail: string): boolean => {
  const first = tail.trimStart().slice(0, 160);
  return sentenceRestPattern.test(first) || (explanationPattern.test(first) && !continuationPattern.test(first));
};
