/** More text that models write before a call, in English. */
import { splitLeads } from "./usual-leads";

export const furtherUsualLeads: readonly string[] = splitLeads(`
The form is broken. Fixed markup:
Wrong path. The right one:
That was the wrong file. The right one:
Bad path, so again:
The shape of the data is wrong; new version:
The structure of the project is clear. The listing:
The demo page needs a script tag:
Demo data is in seed.ts:
I imagine the cache is stale. The listing:
If the tests fail, the log shows why. Running them:
Once the file is there, the import works:
After the change the test passes:
Until the file exists the build fails, so here it is:
When you click it, nothing happens because of this line:
As soon as the server starts it reads this file:
Users might see an error here:
Someone changed the config. Its content:
People use this flag a lot. The help text:
One file is missing:
One writes tests first. The test:
You will want a newline at the end:
You might want to know which files changed:
Does the test look right? Checking:
Do these look like duplicates? Listing:
With your config the build fails:
Waiting for the server:
Against all odds the test passes. Next:
It's risky to leave it as is, so the fix:
It's not safe to use eval here; the replacement:
We're not supposed to hard-code this. The constant:
Nobody calls this function. Removing it:
No one uses it. The edit:
The test must never depend on time. The fix:
You should never need this import. Without it:
The linter doesn't think it is used:
I advise a smaller function:
I recommend this change:
The call signature changed:
The call has two arguments too many:
Each call takes a callback:
The format call is wrong:
How the pieces fit: main imports app.
Falsche Datei. Die richtige:
Falscher Pfad:
Die Form ist falsch:
Wenn der Test läuft, zeigt das Protokoll mehr:
Ich würde gerne die Datei sehen:
Ich könnte mich irren, also sehe ich nach:
Ich mache das jetzt:
Das Modell hat ein Feld zu wenig:
Mauvais chemin. Le bon :
Faux chemin :
Je fais le changement :
Je pense que c'est ici :
Le modèle a un champ de moins :
Ruta incorrecta. La correcta:
Hago el cambio:
No hay pruebas. La prueba:
El modelo tiene un campo menos:
Here's what needs to change:
Here is the one-line fix that makes the test pass.
Here we go:
This one-liner does it:
That's the culprit. Replacing it:
The root cause is on line 12. Patch:
Patch:
Diff:
The patch below makes \`greet\` return the right string:
Below, the edit that resolves the issue:
Right, the import path is off by one folder.
Right. The import path is off by one folder:
So the port is wrong.
So the port is hard-coded; the corrected line:
Looks like a simple off-by-one error:
Simple fix:
Quick fix:
Easy fix:
Proposed change:
Suggested fix:
Recommended change:
Minimal change:
Change:
Modification:
Replacement:
New file:
New content of \`src/app.ts\`:
\`package.json\`
\`package.json\`:
**package.json**:
src/components/App.tsx
./src/app.ts:
In src/app.ts:
In \`src/app.ts\`, line 40:
Within the \`add\` function:
For the \`add\` function:
For src/app.ts:
For the tests:
For this task the following command is enough:
For completeness, the full file:
As for the README:
With that, the updated module:
With the bug located, the edit is trivial:
Therefore the fix is:
Hence:
Thus, the line becomes:
Consequently the file needs one change:
The edit is straightforward:
The tests confirm it. The patch:
Verified. Next file:
OK, moving on to the second file:
On to the next step:
Moving on:
Continuing:
Continuing with the helper:
Resuming where I left off:
Back to the task:
Back to src/app.ts:
Last but not least, the docs:
One more thing: the changelog.
One more change:
Also the test needs an update:
Also:
And the test:
And now the test file:
But first, the listing:
First things first:
First up: the listing.
To start:
To begin with:
To confirm:
To verify, the tests:
To be safe, a listing of the folder:
Just to double check:
Double-checking:
Verification:
Let me be quick:
Executing:
Executing command:
Run command:
Shell command:
Terminal:
Bash:
$ ls
bash
Tool use:
Tool invocation:
Action:
Using tool: edit
Using \`edit\`:
Invoking the tool:
Invoking \`edit\` with the corrected string:
Function call to edit the file:
The required tool call:
The appropriate call is:
Proceeding with the edit:
Proceeding.
Will do.
Will do!
On it.
On it!
Right away!
Roger that.
Understood, the path is src/app.ts:
Makes sense. The change:
Good catch! Here's the corrected version:
You're right, the quotes are missing. Fixed version:
You are right. The corrected command:
You're absolutely right! The file should be:
Thanks for the clarification! The new content:
Thank you. The edit:
No problem! Here's the update:
No worries, here is the file again:
My bad — the correct path:
Oops, wrong file. The right one:
Hmm. The previous edit failed because the text did not match. The exact text:
The old_text was not unique, so here is a longer one:
The previous call failed; a corrected one:
The previous attempt used the wrong path. Here's the right one:
It seems the file was renamed. The new name:
Since the file is missing, here it is:
Because the test expects a comma, the string is changed:
Given that, the minimal diff:
From the output I can tell that the value is null:
Looking at the traceback, the failing line is clear:
According to package.json, the test script is \`vitest\`:
The user asked for a listing:
The user said hello and wants the typo fixed:
The request is clear: fix the greeting.
Goal: fix the greeting.
Task: fix the greeting
Objective: make the test pass
Status: in progress
Progress: 1/3
[1/3] Fix the greeting
(1) Fix the greeting:
a) Fix the greeting
- Fix the greeting
* Fix the greeting:
• Fix the greeting
- [ ] Fix the greeting
1. **Fix the greeting**: replace "Helo" with "Hello".
#### 2.1 Apply
## Implementation
# Fix
**Implementation:**
**Fix:**
**Action:** edit the file
*Action:* edit the file
<br>
The line \`return "Helo"\` should be \`return "Hello"\`:
"Helo" is a typo:
The string 'Helo' → 'Hello':
It returns "Helo" instead of "Hello":
Instead of "Helo" it should say "Hello":
Rather than rewriting the file, a small edit:
The docs describe the format of the config. The config itself:
The example in the README is outdated. New text:
The syntax error is on line 3:
There is a syntax error in app.js:
The usage message is missing a flag:
The template is in templates/mail.html:
What this does: it renames the variable.
How this works: the loop ends one element too early.
Why: the loop ends one element too early.
The question is where the value comes from. The listing:
Question answered. Now the change:
You'll see the change in src/app.ts:
You will need Node 20. The engines field:
You wanted it shorter:
You mentioned a test folder:
Your tests fail because of this line:
Your config:
Users can now log in. The last file:
When the user logs in, the session is stored:
If the value is null, the function returns early:
The function would return null here:
This could be the reason:
This might be caused by the cache:
It may be the cache:
The model file needs a new field:
The agent module exports two functions:
The assistant's prompt is in prompts/main.md:
A call to \`fetch\` is missing:
The call to \`fetch\` is missing an await:
The API call should be awaited:
The function call has the wrong arguments:
The tool folder is empty:
The tests are not run in CI:
The script isn't executed because of its mode:
This isn't used anymore:
The value is never written:
We don't need the helper any more:
I don't need the whole file; the first part is enough:
I haven't seen the file yet:
I don't know the path. Listing the folder:
I'm not familiar with this project. The listing:
I can't tell from this. The file:
I couldn't find \`greet\`. Search:
Nothing found. Another folder:
Not there. The next candidate:
No luck. Once more:
No matches. Broader search:
No output, so it worked. Next:
Not quite. The right one:
Sorry, I can't see the file. Here's a listing:
Unable to see the file. Listing:
Cannot open it. Listing:
Permission denied. Another way:
Error: ENOENT. The right path:
Time to fix it:
Straight to the edit:
The simplest approach:
A cleaner version:
The correct import:
Old code removed. New code:
This resolves the warning:
That explains the failure. The patch:
The stack trace points here:
Here's the diff in full:
Here comes the edit:
Sure, one moment.
Happy to help! The fix:
No further changes needed there. The docs:
I don't have the file yet. Reading it:
I can't reproduce it without the log:
You have two config files:
You need to see the tests:
This isn't the right file. Next:
The example folder has a config:
Formatting is off. Fixed:
Should be fixed by this:
May need a retry. Again:
Can do!
What remains is the README:
Where it breaks:
How to fix it: rename the field.
`);
