/** Text before a call that is an example, is denied or is only proposed. The call never runs. */
import { splitLeads } from "./usual-leads";

const english = `
For example:
For example, to read a file:
For instance:
E.g.:
This is an example:
Here is an example:
Here's a simple example of a call:
An example call:
**Example:**
### Example
Example output:
Sample call:
The format is:
The format for a call is as follows:
The syntax looks like this:
Such a call looks like this:
A call looks like this:
A tool call would look like this:
The call might look like this:
You would write:
You would then write:
You can write:
You could send this:
You should run:
You need to call:
One would write:
The model would write:
The model writes:
An assistant would answer:
Tool calls are written like this:
Hypothetically:
When I read a file, I write:
I would write:
I would call:
I could call:
I won't run this:
I will not call this tool:
I will not run the following command:
I'm not going to run this:
I am not going to execute it:
I can't run this:
I cannot execute this call:
I refuse to run this:
I don't want to call it:
We should not run this:
You must not call this:
Don't run this:
Don't run:
Please don't execute this call:
Do not call this:
Do not run the following:
Never run this:
Never write this:
Avoid calling this:
This must not be run:
This call should never be executed:
Instead of calling this:
Shall I run this?
Should I run this?
Should I go ahead?
May I run it?
Can I delete it?
Could I edit the file?
Do you want me to run this?
Do you want me to fix it?
Would you like me to apply the fix?
Would you like this change?
Is that okay?
Is this what you want?
I'll remove it, okay?
Ready to run it?
If you agree, I'll run:
If you want, I can run:
If that's okay, I'll call:
`;

const chinese = `
例如：
例如，读取文件：
比如：
比如说：
譬如：
举个例子：
如：
示例：
**示例**
调用示例如下：
格式如下：
格式是：
正确的格式为：
语法如下：
你可以这样写：
您可以调用：
可以这样调用：
工具调用看起来像这样：
模型会输出：
不要执行：
不要运行这个命令：
请不要调用：
请勿执行：
切勿运行：
别运行这个：
我不会执行：
我不会调用这个工具：
我不能运行这个命令：
我拒绝执行：
要我执行这个吗？
需要我运行吗？
我可以执行吗？
是否执行？
要不要我修改？
您希望我修改吗？
可以吗？
如果你同意，我会执行：
`;

const german = `
Zum Beispiel:
Beispielsweise:
Z. B.:
Ein Beispiel:
Hier ist ein Beispiel:
Beispiel:
Das Format ist:
Das Format lautet:
Die Syntax ist:
So sieht ein Aufruf aus:
Ein Aufruf sieht so aus:
Ein Aufruf würde so aussehen:
Man würde schreiben:
Man schreibt:
Du kannst schreiben:
Sie können Folgendes aufrufen:
Ich werde das nicht ausführen:
Ich führe das nicht aus:
Ich rufe dieses Werkzeug nicht auf:
Ich kann das nicht ausführen:
Führe das nicht aus:
Führen Sie das nicht aus:
Bitte nicht ausführen:
Niemals ausführen:
Soll ich das ausführen?
Soll ich die Datei ändern?
Darf ich das ausführen?
Möchtest du, dass ich das ausführe?
Möchten Sie das?
Einverstanden?
Wenn du willst, führe ich das aus:
Sie können das Werkzeug so aufrufen:
Das führe ich nicht aus:
Wenn du einverstanden bist, führe ich aus:
`;

const french = `
Par exemple :
Par exemple, pour lire un fichier :
Exemple :
Voici un exemple :
Un exemple d'appel :
Le format est :
La syntaxe est la suivante :
Un appel ressemble à ceci :
Un appel ressemblerait à ceci :
On écrirait :
Vous pouvez écrire :
Tu peux appeler :
Je ne vais pas exécuter ceci :
Je n'exécuterai pas cette commande :
Je ne peux pas exécuter ceci :
Je refuse d'exécuter :
N'exécutez pas ceci :
Ne lancez pas cette commande :
Ne jamais exécuter :
Dois-je exécuter ceci ?
Puis-je l'exécuter ?
Voulez-vous que je l'exécute ?
Souhaitez-vous que je modifie le fichier ?
Veux-tu que je le fasse ?
D'accord ?
Si vous voulez, je peux exécuter :
Si vous êtes d'accord, je lance :
`;

const spanish = `
Por ejemplo:
Por ejemplo, para leer un archivo:
Ejemplo:
Aquí hay un ejemplo:
Un ejemplo de llamada:
El formato es:
La sintaxis es:
Una llamada se ve así:
Una llamada se vería así:
Se escribiría:
Puedes escribir:
Usted puede llamar:
No voy a ejecutar esto:
No ejecutaré este comando:
No puedo ejecutar esto:
Me niego a ejecutar:
No ejecutes esto:
No ejecute este comando:
Nunca ejecutes:
¿Ejecuto esto?
¿Debo ejecutarlo?
¿Puedo ejecutarlo?
¿Quieres que lo ejecute?
¿Desea que modifique el archivo?
¿De acuerdo?
Si quieres, puedo ejecutar:
Una llamada sería así:
Si estás de acuerdo, ejecuto:
`;

const russian = `
Например:
Например, чтобы прочитать файл:
Пример:
Вот пример:
Пример вызова:
Формат такой:
Синтаксис:
Вызов выглядит так:
Вызов выглядел бы так:
Вы можете написать:
Можно написать:
Можно вызвать:
Я не буду это выполнять:
Я не буду вызывать этот инструмент:
Я не могу это выполнить:
Я отказываюсь выполнять:
Не выполняйте это:
Не запускайте эту команду:
Не запускай:
Никогда не выполняйте:
Выполнить это?
Мне выполнить это?
Запустить?
Хотите, чтобы я это выполнил?
Можно выполнить?
Если хотите, я могу выполнить:
`;

/** In several languages. */
const several = `
To call the tool, you'd write:
One can invoke it as follows, e.g.:
Such calls look like:
This is how a call looks:
This is how you call the tool:
This is how it is written:
That is what a tool call looks like:
A typical call:
Syntax:
The following is an example:
Below is an example call:
Below you find an example of the format:
Here are two examples:
As an illustration:
You'd call it with:
I wouldn't run this:
I'd rather not execute this:
I will not be running this:
I am unable to run this:
I decided not to run this command:
We won't call it:
Please do not run this command:
It is not safe to run this, so I will not:
This would be the call, but I won't make it:
Don't ever run this:
Don't do this:
Run this?
OK to run?
Proceed?
Shall I proceed?
Should we apply it?
Would it be okay to delete it?
Is it OK if I run it?
Want me to run this?
Let me know if I should run this:
Please confirm before I run this:
例：
比方说：
假设要读取文件，可以写：
这是一个例子：
这样调用：
调用示例：
先别执行：
我暂时不执行：
您同意吗？
确定要执行吗？
Etwa so:
So ruft man es auf:
Das werde ich nicht ausführen:
Nicht ausführen:
Comme ceci, par exemple :
Je n'appellerai pas cet outil :
Así se llama:
No lo ejecutaré:
Это пример:
Так вызывают инструмент:
Я это не запущу:
`;

const japanese = `
例えば：
たとえば：
例：
以下は例です：
形式は次のとおりです：
呼び出しは次のようになります：
このように書きます：
これは実行しません：
実行しないでください：
このツールは呼び出しません：
実行しますか？
実行してもよろしいですか？
修正しましょうか？
よろしければ、実行します：
使用例：
`;

export const refusingLeads: readonly string[] = [
  english,
  chinese,
  german,
  french,
  spanish,
  russian,
  japanese,
  several,
].flatMap(splitLeads);
