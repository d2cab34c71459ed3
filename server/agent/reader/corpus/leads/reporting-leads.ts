/** Text before a call that somebody else makes, or that a text shows: it never runs. English, Chinese, German, French, Spanish, Russian. */
import { splitLeads } from "./usual-leads";

export const reportingLeads: readonly string[] = splitLeads(`
In this tutorial, a reader who wants to see the folder types the following:
The documentation of the tool shows this call:
A colleague once wrote this in a review comment:
You could list the folder yourself with:
Quoting the manual, section 4.2:
In the README you'll find the snippet
Here is what such a request would look like on the wire:
Do not copy the following blindly:
To try it out on your own machine, paste this into the terminal:
On Stack Overflow, someone answered with:
According to the API reference, the request is written as
Suppose a user asks for the files. The reply would be:
Our onboarding notes tell newcomers to type:
A minimal demonstration:
You asked how tools are called. Like so:
For reference, the raw request:
I must decline to execute the following:
Try it yourself:
Old versions of the agent used to answer:
A common mistake:
Step 3 of the tutorial: list the files.
The docs put it this way:
The earlier assistant message was:
I can't do that. The command would have been:
He said: "just send this" and pasted
This is the call that failed yesterday:
Please note that the following is not meant to be executed:
For documentation purposes only:
如果想查看文件，可以使用：
要列出文件，你可以用 bash 工具：
昨天失败的调用是：
手册第三章引用如下：
换作别的助手，可能会发送：
为了说明格式，这里给出一个样本：
你也可以手动运行：
请把下面的命令复制到你的终端：
书上是这么写的：
老版本的助手会回答：
自己动手试一试：
In der Anleitung steht dazu folgendes Beispiel:
Sie könnten den Ordner selbst so auflisten:
Ein Zitat aus dem Handbuch:
Nehmen wir an, jemand ruft das Werkzeug so auf:
Zur Verdeutlichung des Formats:
Im Forum hat jemand geantwortet:
In einer echten Sitzung würde das Modell Folgendes senden:
Das ist zu gefährlich, deshalb lehne ich ab:
Ein typischer Anfängerfehler:
Kopieren Sie das in Ihr Terminal:
Probieren Sie es selbst:
Eine kleine Demonstration:
Tut mir leid, ich kann hier keine Befehle ausführen. Sie können das eingeben:
Das ist der Aufruf, der gestern fehlschlug:
Nur zu Dokumentationszwecken:
So listet man Dateien auf:
Le tutoriel donne l'exemple suivant :
Vous pourriez lister le dossier vous-même ainsi :
D'après la documentation, un appel s'écrit comme ceci :
Citation du manuel :
Si quelqu'un devait le faire, il écrirait :
Sur un forum, quelqu'un a répondu :
Dans une vraie session, le modèle enverrait :
Une erreur typique de débutant :
Copiez ceci dans votre terminal :
Autrefois, l'assistant répondait ainsi :
Essayez vous-même :
Une petite démonstration :
Désolé, je ne peux pas exécuter de commandes ici. Vous pouvez saisir :
Voici l'appel qui a échoué hier :
À des fins de documentation uniquement :
Voici comment lister les fichiers :
El tutorial muestra este ejemplo:
Podrías listar la carpeta tú mismo así:
Cita del manual:
En un foro alguien respondió:
En una sesión real, el modelo enviaría:
Un error típico de principiante:
Copia esto en tu terminal:
Antes el asistente respondía así:
Pruébalo tú mismo:
Una pequeña demostración:
Para listar los archivos, puedes usar:
Esta es la llamada que falló ayer:
Solo con fines de documentación:
Así se listan los archivos:
В руководстве приведён такой пример:
Согласно документации, вызов записывается так:
Цитата из руководства:
Теоретически это выглядело бы так:
Ни в коем случае не выполняйте это:
Для наглядности покажу формат:
Пользователь написал бы что-то такое:
На форуме кто-то ответил:
Типичная ошибка новичка:
Скопируйте это в терминал:
Раньше ассистент отвечал так:
Попробуйте сами:
Небольшая демонстрация:
К сожалению, я не могу выполнять команды. Вы можете ввести:
Вот вызов, который вчера не сработал:
Только для документации:
Вот как выводят список файлов:
`);

/** The same words where the call is meant: a call in a model's own syntax runs. */
export const reportingWordsLeads: readonly string[] = splitLeads(`
Okay, first things first: what do we have here?
The docs mention a config folder. I'll check whether it exists:
The user wants a list of files, so I will list them.
Someone renamed the module; looking for it:
The manual step is done. Next, the listing:
The example in the guide is broken. Looking at the folder:
A user reported a crash. Let me reproduce it:
You can't list it with the editor, so I'm using bash:
In theory this should work now. Verifying:
The error is typical for a missing file. Checking:
The command you gave failed, retrying it:
The call failed yesterday, so I'm repeating it now:
Step 3: list the files.
I cannot open the file directly, so I'll use bash:
Running the documented command:
The snippet in the docs is outdated. Updating the snippet:
Updating the examples:
Adding a demo:
The demo
没有找到该文件，我再看看目录：
根据文档，配置在 src 里，我去确认：
用户报告了一个错误，我来复现：
示例文件有问题，检查一下目录：
要列出文件，我使用 bash 工具：
昨天的调用失败了，重新运行：
可以运行测试了：
Die Anleitung nennt einen Befehl, ich führe ihn aus:
Ich kopiere die Datei ins Terminal-Verzeichnis:
Das Beispiel fehlt noch. Ich schreibe das Beispiel:
Le manuel cite une commande, je l'exécute :
Je copie le fichier du terminal :
L'assistant répond avec une erreur, je vérifie :
El manual menciona un comando, lo ejecuto:
Copio el archivo de la terminal:
El modelo responde con un error, lo reviso:
В руководстве есть команда, выполняю её:
Модель отвечает с ошибкой, проверяю:
Mal sehen, was im Ordner liegt:
Der Aufruf schlug fehl, ich wiederhole ihn:
Theoretisch sollte es jetzt gehen, ich prüfe es:
Ein Benutzer meldet einen Fehler, ich stelle ihn nach:
Das Beispiel in der Anleitung ist kaputt. Ich prüfe den Ordner:
D'accord, je liste maintenant les fichiers :
L'appel a échoué, je le relance :
En théorie, ça devrait marcher, je vérifie :
L'exemple du guide est cassé. Je regarde le dossier :
La llamada falló, la repito:
En teoría debería funcionar, lo compruebo:
Un usuario informa de un error, lo reproduzco:
Вызов не сработал, повторяю:
Теоретически теперь должно работать, проверяю:
Пользователь сообщил об ошибке, воспроизвожу:
Пример в руководстве сломан. Смотрю папку:
`);

/** Records of earlier calls: JSON is shown, a call in a model's own syntax runs. */
export const recordLeads: readonly string[] = splitLeads(`
From the earlier transcript:
Aus dem Protokoll des letzten Laufs:
Inhalt der Logdatei:
Extrait du journal de la session précédente :
Voici le journal :
Fragmento del registro anterior:
El registro de ayer:
Из журнала предыдущего запуска:
Вывод прошлой команды:
前回のログより：
昨日の実行結果：
`);
