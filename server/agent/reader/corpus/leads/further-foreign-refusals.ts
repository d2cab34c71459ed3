/** The same in Chinese, German, French, Spanish, Russian and Japanese. */
import { splitLeads } from "./usual-leads";

export const furtherForeignRefusals: readonly string[] = splitLeads(`
例如，可以调用：
举例来说：
举例说明：
举例：
下面是一个例子：
这里有一个例子：
以下是一个示例：
示例如下：
示例 1：
示范：
演示：
仅供参考：
仅作演示：
格式：
调用格式：
标准格式：
语法：
模板：
通常这样写：
一般写法：
写法如下：
你可以运行：
你可以试试：
您可以执行：
用户可以输入：
助手会写：
模型可能会写：
假如要列出文件：
如果我要列出文件，我会写：
我不会这么做：
我不会运行它：
我不应该执行：
我不打算执行：
我不建议运行：
不建议执行：
不允许执行：
不得执行：
严禁执行：
千万不要运行：
千万别执行：
不要这样做：
不要调用：
请不要运行：
错误示范：
错误写法：
反例：
这样可以吗？
我应该运行吗？
我能执行吗？
要运行吗？
要继续吗？
需要执行吗？
你想让我运行吗？
您要我执行吗？
您确定吗？
同意的话，我就执行：
如果您确认，我将执行：
请确认是否执行：
等您确认后我再执行：
Ein Beispiel dafür:
Als Beispiel:
Ein einfaches Beispiel:
Beispielaufruf:
Beispiel für einen Aufruf:
Nur zur Veranschaulichung:
Zur Veranschaulichung:
Zur Illustration:
Das Aufrufformat:
Die allgemeine Form:
Normalerweise schreibt man:
Man könnte schreiben:
Man kann aufrufen:
Du könntest ausführen:
Du müsstest ausführen:
Sie könnten schreiben:
Das Modell würde schreiben:
Angenommen, das Modell schreibt:
Ich würde schreiben:
Ich würde ausführen:
Ich könnte ausführen:
Ich werde das nicht tun:
Ich mache das nicht:
Ich darf das nicht ausführen:
Ich sollte das nicht ausführen:
Ich weigere mich, das auszuführen:
Ich rate davon ab, das auszuführen:
Das sollte man nicht ausführen:
Das darf nicht ausgeführt werden:
Auf keinen Fall ausführen:
Nicht aufrufen:
Bitte führen Sie das nicht aus:
Falsch:
So nicht:
Soll ich?
Soll ich weitermachen?
Soll ich das tun?
Ist das in Ordnung?
Ist das okay?
Willst du das?
Passt das?
Sind Sie sicher?
Sagen Sie mir, ob ich das ausführen soll:
Wenn Sie zustimmen, führe ich aus:
Nach Ihrer Zustimmung führe ich aus:
À titre d'exemple :
Un exemple :
Un exemple simple :
Exemple d'appel :
Pour illustrer :
À titre d'illustration :
Format :
Le format d'appel :
En général on écrit :
On peut écrire :
On pourrait écrire :
Tu pourrais lancer :
Vous pourriez exécuter :
Vous devez lancer :
Le modèle écrirait :
Supposons que le modèle écrive :
J'écrirais :
Je pourrais exécuter :
J'exécuterais :
Je ne le ferai pas :
Je ne dois pas exécuter ceci :
Je ne lancerai pas cette commande :
Je déconseille d'exécuter :
Il ne faut pas exécuter ceci :
À ne pas exécuter :
Ne pas exécuter :
N'exécute pas :
Ne faites jamais ceci :
Mauvais exemple :
Faux :
Est-ce que je l'exécute ?
Est-ce que ça vous convient ?
Je le lance ?
Je continue ?
On y va ?
Êtes-vous sûr ?
Dites-moi si je dois l'exécuter :
Si tu es d'accord, je lance :
Avec votre accord, j'exécute :
Un ejemplo:
Como ejemplo:
Un ejemplo sencillo:
Ejemplo de llamada:
Para ilustrar:
A modo de ejemplo:
Formato:
El formato de llamada:
Normalmente se escribe:
Se puede escribir:
Se podría escribir:
Podrías ejecutar:
Usted podría ejecutar:
Tienes que ejecutar:
El modelo escribiría:
Supongamos que el modelo escribe:
Yo escribiría:
Podría ejecutar:
Ejecutaría:
No lo haré:
No debo ejecutar esto:
No recomiendo ejecutar:
No se debe ejecutar:
No ejecutar:
No ejecutes:
No hagas esto:
Mal ejemplo:
Incorrecto:
¿Lo ejecuto?
¿Sigo?
¿Continúo?
¿Te parece bien?
¿Está bien?
¿Estás seguro?
Dime si debo ejecutarlo:
Si confirmas, ejecuto:
Con tu permiso, ejecuto:
В качестве примера:
К примеру:
Простой пример:
Пример использования:
Для иллюстрации:
Формат:
Формат вызова:
Общий вид:
Обычно пишут:
Можно было бы написать:
Вы могли бы выполнить:
Вам нужно выполнить:
Модель написала бы:
Предположим, модель пишет:
Я бы написал:
Я бы выполнил:
Я мог бы выполнить:
Я не стану этого делать:
Я этого не сделаю:
Мне нельзя это выполнять:
Я не советую выполнять:
Нельзя выполнять:
Это нельзя запускать:
Не вызывайте:
Не надо выполнять:
Так делать нельзя:
Плохой пример:
Неправильно:
Выполнять?
Запускать?
Продолжить?
Продолжать?
Всё верно?
Вы уверены?
Скажите, выполнять ли это:
Если вы согласны, выполню:
С вашего разрешения выполню:
一例として：
例えば、次のように：
呼び出し例：
形式：
書式：
一般的には次のように書きます：
次のように書けます：
実行することもできます：
モデルはこう書くでしょう：
私なら次のように書きます：
実行すべきではありません：
実行してはいけません：
実行するつもりはありません：
実行はおすすめしません：
悪い例：
よろしいですか？
実行しましょうか？
続けますか？
続行してもいいですか？
もしよければ実行します：
確認後に実行します：
这只是示例：
这只是一个演示：
下面只是示意：
示意：
比如这样：
大概是这样：
你应该会运行：
你需要执行：
请你自己运行：
我被禁止执行：
我无权执行：
我没有权限执行这个：
此命令不应执行：
这个命令不能运行：
绝不能执行：
绝对不要运行：
可以执行吗？
我可以继续吗？
要不要运行？
您批准吗？
请批准：
请确认：
征得您同意后执行：
Das ist nur ein Beispiel:
Etwa:
Ungefähr so:
Das wäre der Aufruf:
Du solltest ausführen:
Sie müssten ausführen:
Das sollte nie ausgeführt werden:
Diesen Befehl bitte nicht ausführen:
Ich darf diesen Befehl nicht starten:
Darf ich?
Soll ich loslegen?
Bitte bestätigen:
Ceci n'est qu'un exemple :
Quelque chose comme :
Tu devrais lancer :
Il vaut mieux ne pas exécuter ceci :
Cette commande ne doit pas être exécutée :
Puis-je ?
Dois-je continuer ?
Merci de confirmer :
Esto es solo un ejemplo:
Algo así:
Deberías ejecutar:
Es mejor no ejecutar esto:
Este comando no debe ejecutarse:
¿Puedo?
¿Debo continuar?
Por favor confirma:
Это просто пример:
Что-то вроде:
Вам следует выполнить:
Лучше не выполнять:
Эту команду нельзя выполнять:
Можно?
Мне продолжать?
Пожалуйста, подтвердите:
下面举个例子：
例如可以写成：
比如你可以这样写：
格式应为：
我不会执行这个命令：
请不要执行这个：
我可以运行这个吗？
如果您同意，我就运行：
Hier ein Beispiel:
Ein möglicher Aufruf wäre:
Ich werde diesen Befehl nicht ausführen:
Bitte führe das nicht aus:
Soll ich fortfahren?
Falls du zustimmst, starte ich:
Voici un exemple d'appel :
On pourrait appeler :
Je ne vais pas lancer cette commande :
N'exécute pas cette commande :
Voulez-vous continuer ?
Si vous acceptez, j'exécute :
Aquí tienes un ejemplo:
Podrías llamar:
No voy a llamar a esta herramienta:
No ejecutes este comando:
¿Quieres que continúe?
Si aceptas, ejecuto:
Вот простой пример:
Можно вызвать так:
Я не буду выполнять эту команду:
Не выполняйте эту команду:
Хотите продолжить?
Если согласны, выполню:
`);
