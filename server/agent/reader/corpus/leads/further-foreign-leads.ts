/** The same in Chinese, German, French, Spanish, Russian and Japanese. */
import { splitLeads } from "./usual-leads";

export const furtherForeignLeads: readonly string[] = splitLeads(`
格式化代码：
修复格式：
这个模板缺少一个字段：
模板文件有误，修改如下：
语法已修复：
错误在第三行：
错误信息如下：
正确的路径：
基本结构：
演示页面有误：
如果测试失败，请看日志：
等待服务器启动：
只要改这一行：
确认文件存在：
同意，修改如下：
用户会看到错误，原因是：
模型会返回空值，因为：
你会看到错误在这里：
你可能需要这个文件：
助手模块的代码：
Неправильный путь. Правильный:
Делаю изменение:
Модель без поля, добавляю:
Без этого нельзя собрать проект:
例外が発生しています：
形式が間違っています：
修正例ではなく本番のファイルです：
- [x] Read the file⏎- [ ] Fix the greeting
\`\`\`⏎const a = 1;⏎\`\`\`⏎⏎The corrected version:
\`\`\`js⏎greet("Helo");⏎\`\`\`⏎⏎should be "Hello". The fix:
Old: Helo⏎New: Hello
Before: \`Helo\`⏎After: \`Hello\`
问题很简单：
原因找到了，改一行就行：
只需要改一行：
改动很小：
改动：
补丁：
更新：
更新后的文件：
新文件：
完整代码：
下一步：
第二步：修改测试
第三步
2. 修改测试
- 修改测试
继续：
继续修改：
明白了。
明白，路径是 src/app.ts：
了解。修改如下。
收到。
好，开始。
嗯，端口写错了。
您说得对，正确的内容是：
你说得对，少了一个逗号：
谢谢提醒，更正：
上一次的路径错了，正确路径：
文件缺失，内容如下：
因为缺少依赖，需要安装：
所以命令是：
因此需要改这里：
运行命令：
执行：
命令：
查看目录：
列出文件：
先看目录结构。
看一下目录：
检查一下：
检查测试：
搜索 greet：
没有输出，说明成功了。下一个：
没找到，换个目录：
不存在该文件。目录：
这个函数没有被调用：
测试没有通过：
这里不应该返回空值：
配置里没有端口：
语法错误在第三行：
README 里的示例已过时，新的内容：
模型文件少一个字段：
用户想修改问候语：
您要的列表：
**修复**
## 实现
\`src/app.ts\`：
Kleine Änderung:
Nur eine Zeile:
Die Ursache ist Zeile 12:
Der Patch:
Neue Datei:
Neuer Inhalt:
Nächster Schritt:
Weiter mit dem Test:
Weiter geht's:
Verstanden.
Verstanden, der Pfad ist src/app.ts:
Alles klar. Die Änderung:
Du hast recht, es fehlt ein Komma:
Sie haben recht. Der richtige Befehl:
Danke für den Hinweis! Korrektur:
Mein Fehler. Der richtige Pfad:
Da die Datei fehlt, hier ist sie:
Deshalb der Befehl:
Ausführen:
Verzeichnis anzeigen:
Ich schaue mir das Verzeichnis an.
Ich schaue nach:
Schauen wir nach:
Keine Treffer. Anderer Ordner:
Die Datei gibt es nicht. Verzeichnis:
Der Test wird nicht ausgeführt, weil die Konfiguration fehlt:
Die Funktion wird nie aufgerufen:
Das Beispiel in der README ist veraltet. Neuer Text:
Das Format der Ausgabe stimmt nicht:
Sie wollten eine Liste:
Du wolltest eine Liste:
Man sieht den Fehler in Zeile 3:
- Begrüßung korrigieren
**Umsetzung**
Un petit changement :
Une seule ligne change :
La cause est à la ligne 12 :
Le correctif :
Nouveau fichier :
Nouveau contenu :
Étape suivante :
On continue avec le test :
Compris.
Compris, le chemin est src/app.ts :
C'est noté. La modification :
Vous avez raison, il manque une virgule :
Tu as raison. La bonne commande :
Merci ! Correction :
Mon erreur. Le bon chemin :
Comme le fichier manque, le voici :
Exécution :
J'exécute la commande :
Lançons les tests :
Regardons le dossier :
Voyons le contenu du dossier :
Rien trouvé. Autre dossier :
Ce fichier n'existe pas. Le dossier :
Le test n'est pas exécuté car la configuration manque :
La fonction n'est jamais appelée :
L'exemple du README est dépassé. Nouveau texte :
Le format de sortie est faux :
Vous vouliez une liste :
- Corriger le message
Un pequeño cambio:
Solo cambia una línea:
La causa está en la línea 12:
El parche:
Nuevo archivo:
Nuevo contenido:
Siguiente paso:
Sigo con la prueba:
Entendido.
Entendido, la ruta es src/app.ts:
Tienes razón, falta una coma:
Tiene razón. El comando correcto:
¡Gracias! Corrección:
Mi error. La ruta correcta:
Como falta el archivo, aquí está:
Ejecutando:
Ejecuto el comando:
Veamos la carpeta:
Miro la carpeta:
Sin resultados. Otra carpeta:
Ese archivo no existe. La carpeta:
La prueba no se ejecuta porque falta la configuración:
La función nunca se llama:
El ejemplo del README está anticuado. Nuevo texto:
El formato de salida está mal:
Querías una lista:
- Corregir el saludo
Небольшое изменение:
Меняется одна строка:
Причина в строке 12:
Патч:
Новый файл:
Новое содержимое:
Следующий шаг:
Продолжаю с тестом:
Понял.
Понял, путь src/app.ts:
Вы правы, не хватает запятой:
Ты прав. Правильная команда:
Спасибо! Исправление:
Моя ошибка. Правильный путь:
Файла нет, вот он:
Выполняю:
Выполняю команду:
Запускаю тесты:
Посмотрим папку:
Смотрю содержимое папки:
Ничего не найдено. Другая папка:
Такого файла нет. Папка:
Тест не выполняется, потому что нет конфигурации:
Функция нигде не вызывается:
Пример в README устарел. Новый текст:
Формат вывода неверный:
Вы хотели список:
- Исправить приветствие
小さな変更です：
一行だけ変更します：
原因は12行目です：
パッチ：
新しいファイル：
次のステップ：
次にテストを修正します。
了解です。
わかりました。パスは src/app.ts です：
おっしゃる通り、カンマが抜けています：
ありがとうございます。訂正：
実行：
コマンドを実行します：
フォルダを確認します。
ディレクトリを見てみます：
見つかりませんでした。別のフォルダ：
このファイルは存在しません。一覧：
この関数は呼び出されていません：
テストは実行されていません：
README の例が古いです。新しい内容：
这样就可以了：
这里改一下：
先改这个文件：
我已经看过了，问题在这：
不需要其他改动，只改这里：
没有错误了，下一步：
Jetzt das README:
So sollte es gehen:
Das geht nicht ohne die Datei:
Es fehlt noch der Test:
Reste la documentation :
Ça devrait marcher :
Il manque un test :
Ahora la documentación:
Esto debería funcionar:
Falta una prueba:
Осталась документация:
Так должно работать:
Не хватает теста:
次はドキュメントです：
これで動くはずです：
`);
