/** The same in Chinese, German, French, Spanish, Russian and Japanese. */
import { splitLeads } from "./usual-leads";

const chinese = `
修改如下：
修改后的代码如下：
代码如下：
这是修改后的文件：
以下是修改内容：
以下是修复后的代码：
以下是修复方案。
命令是：
执行命令如下：
要执行的命令：
输出：
结果：
代码：
解决方案：
修复：
文件内容应该是：
文件 src/greet.js：
src/greet.js：
**修改后的代码：**
### 第一步
### 步骤 1：修复拼写错误
步骤一：
1. 读取文件
第一步，修复拼写错误：
好的。
好的，修改如下：
好的！这是更新后的文件：
没问题，以下是新文件：
当然可以，代码如下：
抱歉，刚才的路径有误，正确的命令是：
对不起，我弄错了。更正如下：
问题找到了：
问题在第三行：
问题出在这一行：
我发现了一个拼写错误。
我已经找到了问题，修复如下：
函数返回了错误的问候语：
日志显示的错误是：
测试返回的结果：
配置文件有误：
测试不通过，原因如下：
该函数没有使用这个参数：
文件不存在，新文件如下：
无法找到该模块，路径应该是：
没有运行测试的脚本，添加如下：
格式错误已经找到。修复如下：
示例文件里有错误。修改如下：
工具调用：
调用工具：
操作如下：
具体操作：
有测试吗？让我看看。
配置文件里有什么？
测试不会运行这个文件：
日期格式有误：
计划：⏎1. 读取文件⏎2. 修改⏎⏎第一步：
根据测试输出，需要修改这一行：
为了修复这个问题，改动如下：
✅ 已找到问题：
🔧 修复：
下面是修改：
如下：
完成。下一个文件：
`;

const german = `
Hier ist die Korrektur:
Hier ist der Fehler.
Hier ist die aktualisierte Datei:
Hier sind die Änderungen:
Unten steht die Korrektur:
Die Korrektur lautet:
Der Befehl lautet:
Der Befehl ist:
Das Problem ist diese Zeile:
Die Funktion gibt den falschen Gruß zurück:
Ausgabe:
Ergebnis:
Lösung:
Befehl:
Datei src/greet.js:
**Korrigierte Version:**
### Schritt 1
### Schritt 1: Tippfehler beheben
Schritt 1:
1. Datei lesen
Klar! Hier ist die neue Datei:
Natürlich, hier ist der korrigierte Code:
Okay, der Gruß ist falsch.
Gerne! Die Änderung:
Entschuldigung, der richtige Pfad ist:
Ich habe den Tippfehler gefunden:
Ich habe die Datei wie folgt geändert:
Die Datei sollte so lauten:
Die geänderte Datei sieht so aus:
Der Test läuft nicht, weil das Skript fehlt:
Die Funktion verwendet den Parameter nicht:
Die Datei existiert nicht, also lege ich sie an:
Ohne das Modul geht es nicht:
Im Beispiel ist ein Fehler. Die Korrektur:
Ich werde die Datei jetzt ändern:
Ich korrigiere den Tippfehler:
Zuerst lese ich die Datei.
Nun die Änderung:
Werkzeugaufruf:
Das Datumsformat ist falsch:
Ich füge ein Beispiel in die README ein:
Ich konnte die Datei nicht finden, also schreibe ich sie neu:
Die Funktion ruft den Helfer nicht auf:
Fertig. Die nächste Datei:
`;

const french = `
Voici la correction :
Voici le fichier mis à jour :
Voici les modifications.
Voici la commande à exécuter :
Ci-dessous la correction :
La correction est :
La commande est :
Le problème est cette ligne :
La fonction renvoie le mauvais message :
Sortie :
Résultat :
Solution :
Commande :
Fichier src/greet.js :
**Version corrigée :**
### Étape 1
### Étape 1 : corriger la faute
Étape 1 :
1. Lire le fichier
Bien sûr ! Voici le nouveau fichier :
D'accord, le message est faux.
Très bien. La modification :
Désolé, le bon chemin est :
J'ai trouvé la faute de frappe :
J'ai modifié le fichier comme suit :
Le fichier doit contenir :
Le fichier corrigé ressemble à ceci :
Le test ne passe pas à cause d'une faute :
La fonction n'utilise pas son paramètre :
Le fichier n'existe pas, le voici :
L'exemple contient une faute. La correction :
Je vais corriger le fichier :
Je corrige la faute de frappe.
D'abord, je lis le fichier.
Maintenant la modification :
Appel d'outil :
Le format de la date est faux :
On voit l'erreur dans le fichier :
Je n'ai pas trouvé le fichier, je l'écris :
J'ajoute un exemple au README :
Terminé. Le fichier suivant :
`;

const spanish = `
Aquí está la corrección:
Aquí está el archivo actualizado:
Aquí tienes los cambios.
Este es el comando:
A continuación, la corrección:
La corrección es:
El comando es:
El problema es esta línea:
La función devuelve el saludo equivocado:
Salida:
Resultado:
Solución:
Comando:
Archivo src/greet.js:
**Versión corregida:**
### Paso 1
### Paso 1: corregir el error
Paso 1:
1. Leer el archivo
¡Claro! Aquí está el nuevo archivo:
De acuerdo, el saludo está mal.
Perfecto. El cambio:
Lo siento, la ruta correcta es:
Encontré el error tipográfico:
He modificado el archivo de la siguiente manera:
El archivo debe contener:
El archivo corregido queda así:
La prueba no pasa por un error:
La función no usa su parámetro:
El archivo no existe, así que lo creo:
El ejemplo tiene un error. La corrección:
Voy a corregir el archivo:
Corrijo el error.
Primero leo el archivo.
Ahora el cambio:
Llamada a la herramienta:
El formato de la fecha está mal:
No existe el archivo, así que lo escribo:
Añado un ejemplo al README:
Listo. El siguiente archivo:
`;

const russian = `
Вот исправление:
Вот обновлённый файл:
Вот изменения.
Вот команда:
Ниже исправление:
Исправление:
Команда:
Проблема в этой строке:
Функция возвращает неверное приветствие:
Вывод:
Результат:
Решение:
Файл src/greet.js:
**Исправленная версия:**
### Шаг 1
### Шаг 1: исправить опечатку
Шаг 1:
1. Прочитать файл
Конечно! Вот новый файл:
Хорошо, приветствие неверное.
Понятно. Изменение:
Извините, правильный путь:
Я нашёл опечатку:
Я изменил файл следующим образом:
Файл должен содержать:
Исправленный файл выглядит так:
Тест не проходит из-за опечатки:
Функция не использует параметр:
Файл не существует, создаю его:
В примере есть ошибка. Исправление:
Сейчас исправлю файл:
Исправляю опечатку.
Сначала прочитаю файл.
Теперь изменение:
Вызов инструмента:
Формат даты неверный:
Файл не найден, поэтому создаю его:
Добавляю пример в README:
Готово. Следующий файл:
`;

const several = `
Das Beispiel funktioniert jetzt. Weiter:
So sieht die Datei jetzt aus:
Die Datei sieht so aus:
Ich kann das Verzeichnis nicht öffnen, Inhalt:
Voici le contenu corrigé du fichier d'exemple :
Vous pouvez voir l'erreur ici :
Il n'y a pas de fichier, donc :
No encuentro el archivo. Listado:
Puedes ver el error aquí:
Можно увидеть ошибку в файле:
Не нашёл файл, вот список:
你可以看到错误在这里：
您需要修改这一行：
用户需要修复这个错误：
模型文件在这里：
不用担心，修复如下：
不要紧，我来修复：
我不会写错了，修改如下：
如图所示，问题在第三行：
如您所说，文件有误：
如上所述：
例子文件有误：
`;

const japanese = `
修正は次のとおりです。
修正後のコード：
以下が修正です：
更新したファイルは以下のとおりです。
コマンドは次のとおりです：
出力：
結果：
解決策：
ファイル src/greet.js：
### ステップ1
はい、修正します。
承知しました。新しいファイルです：
申し訳ありません。正しいパスはこちらです：
問題はこの行です：
テストが失敗しています。
ファイルが存在しないため、作成します。
まずファイルを読みます。
ファイルを編集します：
`;

export const usualForeignLeads: readonly string[] = [
  chinese,
  german,
  french,
  spanish,
  russian,
  japanese,
  several,
].flatMap(splitLeads);
