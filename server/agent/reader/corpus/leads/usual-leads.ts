/**
 * Text that models write before a call, in English. A whole call in the model's own syntax that ends the message runs
 * after each.
 */

/** Splits a list with one lead a line; `⏎` is a line break in a lead. */
export const splitLeads = (leads: string): readonly string[] =>
  leads
    .trim()
    .split("\n")
    .map((lead) => lead.replaceAll("⏎", "\n"));

export const usualLeads: readonly string[] = splitLeads(`
Here is the fix:
Here is the fix.
Here is the typo.
Here is the typo:
Here is the change.
Here's the edit:
This is the corrected line:
Here are the changes.
Here's the updated file:
Here is the updated code:
Sure! Here is the new file:
Below is the fix:
Below is the corrected version.
The fix is:
The command is:
Here is the command to run:
Here's my plan: read, edit, test.
The problem is this line:
It returns the wrong greeting:
src/greet.js:
\`src/greet.js\`
\`src/greet.js\`:
**src/greet.js**
**File:** src/greet.js
### src/greet.js
src/greet.js
Output:
**Output:**
Result:
Code:
Command:
Answer:
Response:
Solution:
Fix:
Edit:
Changes:
Fixed version:
Corrected code:
Updated file:
Final answer is below.
### Step 1
### Step 1: Fix the greeting
## Solution
#### The fix
Step 1:
Step 1. Read the file
1. Read the file
1. Read the file:
**Step 2: Apply the edit**
2) Apply the edit
Sure! Let me fix that for you.
Sure, here's the fix:
Sure thing!
Certainly! Here is the corrected code:
Of course! Here's the updated function:
Absolutely! Here is what the file should contain:
Okay, so the file has a typo.
Okay, so the greeting is wrong. Here is the fix:
OK.
Okay...
Hmm, the test still fails...
Alright, the bug is clear:
Great! The file is there.
Got it.
Got it! Here is the change you asked for:
I apologize for the confusion. Here is the corrected call:
Sorry about that. Here's the right version:
My mistake! The path was wrong:
Apologies, the correct command is:
I see the problem. The function returns the wrong string.
I see the problem: the function returns "Helo".
I found the typo on line 3:
I found it in src/greet.js:
I've identified the issue. Here's the solution:
I have fixed the typo:
I have updated the file as follows:
I made the following change:
I made the following changes:
The following edit fixes it:
The following command runs the tests:
The corrected file looks like this:
The updated function is as follows:
The new content is:
The content of the file should be:
The file should contain:
The tests show the error:
The error message says:
The output shows that one test fails:
The log contains the reason:
This is the line that has to change:
This is what I found:
This should fix it:
This fixes the typo.
That line has the typo:
It should be "Hello":
The variable was defined twice:
The import is missing:
The test expects "Hello".
The test does not pass because of a typo:
The function does not use its parameter:
The build cannot find the module:
The file cannot be written because the folder is missing:
The tests don't run because the script is missing:
The script never calls the function:
The config file isn't used anywhere:
There is no such file. The folder is:
It did not work. Here is another way:
The file doesn't exist, so here's a new one:
Without running the tests it is hard to tell:
I can't find the file here. The listing:
I could not read it. The right path is:
Fixing the typo:
Found it. Fixing the typo:
Applying the edit.
Applying the fix now...
Running tests…
Updating src/greet.js
Reading file
Tool call:
**Tool call**
Function call:
Tool:
Calling edit:
Using the edit tool:
Using the tool "edit":
The edit:
The tool call is:
Call:
Plan:⏎1. Read the file⏎2. Fix the typo⏎⏎Here is the first step:
The task has two steps:⏎⏎- read the file⏎- fix it⏎⏎Here is the fix:
I looked at the file.⏎⏎The greeting is wrong.⏎⏎Here is the fix:
The syntax is wrong in the example file. Here is the fix:
You can use either name. The file has this one:
The format of the date is wrong. Below is the fix:
The README has an example of it. Here's the new version:
You could call it a typo. The fix:
Should be easy. The fix:
Is there a typo? Yes. Here is the fix:
What is wrong? The greeting. The fix is:
✅ Here is the fix:
🔧 Fix:
👍
🚀 Running it now!
Here you go:
Here you go!
There you go.
Here it is:
And here's the code:
Now the edit:
Then:
So:
Finally:
Next:
Done. The next file:
Edit the file like this:
The fix is as follows:
My next step is as follows:
Please see the edit below.
See below:
User request: fix the typo. Action to take:
As requested, here is the file:
As you asked, the file is here:
As an expert in JavaScript, here is the fix:
To fix the typo, here is the edit:
In order to fix this, the file is changed:
To solve this problem, the following change is necessary:
After reading the file, the typo is clear:
Based on the output, the problem is in greet.js:
According to the test, the greeting must be "Hello":
Given the error, this is the fix:
Let's fix it. The new line is:
Let me know what you think of it later. Here is the edit:
I'll use the edit tool. Here is the call:
I will use this call:
I think the typo is here:
I believe this is right:
First I looked at the test; here is what it needs:
We have the file. Its content is wrong:
| File | Problem |⏎| --- | --- |⏎| greet.js | typo |⏎⏎Here is the fix:
---
***
**Answer**
**Corrected code:**
*Editing the file*
_Result_
> the user wants a fix⏎⏎Here is the fix:
The corrected \`greet\` function:
Here is the corrected \`greet\` function in \`src/greet.js\`:
The problem is in \`greet()\`, which returns "Helo":
[src/greet.js]
(editing the file)
Task: fix the typo⏎Answer:
Assistant:
Final answer:
Does the file exist?
Is there a test for it?
What does the config look like?
When I run the tests, this fails:
The project structure looks good.
The structure is:
I'll fix the date format:
The date format is wrong, so here is the fix:
I'll add an example to the README:
This example has a typo:
The file should look like this:
The function should be called once:
I can't edit the file, so I'll create it:
I won't guess; let me look:
You asked me to run the tests:
The README says you should be greeted:
The response format of the server changed:
| File | Problem |⏎| --- | --- |⏎| greet.js | typo |⏎
The value of "name":
Looks like the string is misspelled. Here's what I'd change:
Alright, let's get started!
Here is the tool call to read the file:
Here is the call:
The call is:
To see which files exist, we call ls:
You asked me to run ls, so here it goes:
You can see the error in the output:
You need the new version of the file:
This would break the build, so the change is:
The correct usage of the function is shown in the docs. The fix:
The form is missing a field:
The template for the page is broken:
The schema for the table is outdated:
The usage text is wrong:
Let me run this command to check what the output would look like:
The tests should be run after the change:
The model is loaded in src/model.ts:
The assistant config file is in the root folder:
Each agent calls this function:
When the server starts, it sends a greeting:
When you call this function, it fails:
If the file exists, this shows it:
If that's wrong, the next file is the right one:
I can use the edit tool for this:
I would like to run the tests:
I would suggest this change:
I could see the typo in the file:
The user could not run it:
I do not use the old name any more. New name:
I don't see the file here:
I'm not sure, so here's the listing:
I have not run the tests yet:
I didn't write this file, but it is wrong:
Don't worry, here's the fix:
Do not forget the import:
Not a problem!
Nothing to change there. The other file:
Never mind, the path is src/greet.js:
Why does it fail? Let me check:
Want to see the listing first:
No, the file is somewhere else:
Yes!
Yes, I'll run it.
Sample data is in data.json:
Examples are in the docs folder; the fix:
`);
