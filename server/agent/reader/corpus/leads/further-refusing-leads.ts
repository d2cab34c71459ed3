/** More text before a call that never runs, in English: examples, denials, questions and conditions. */
import { splitLeads } from "./usual-leads";

export const furtherRefusingLeads: readonly string[] = splitLeads(`
Consider this example:
Take this example:
As an example:
An example would be:
By way of example:
One example:
A quick example:
Example 1:
Example usage:
Example of a valid call:
Example tool call:
Example (do not run):
(example)
// example
For reference, a call has this shape:
The general shape of a call:
The call format:
Call format:
Tool call format:
Format:
Expected format:
The expected syntax is:
The correct format is:
Generic form:
Template:
Schematically:
In general, one writes:
Normally you'd write:
Typically you would run:
You'd run:
You can do it with:
You may run:
You might run:
You could try:
You can run it yourself:
You have to run:
You'll want to run:
Users would type:
The LLM would emit:
The agent would call:
A model might answer:
The assistant might reply with:
Imagine the model writes:
Suppose the model wrote:
Suppose you want to list files. You'd call:
If I were to call the tool, it would look like this:
If I wanted to list files, I would write:
I might call:
I could run this:
I would have run:
I would use this call:
I wanted to run this, but I will not:
I won't do it:
I won't do that:
I will never run this:
I'm not allowed to run this:
I am not allowed to execute this call:
I must not run this:
I should not execute this:
I shouldn't run this:
I'd never run this:
I do not want to run this:
I don't think we should run this:
I don't recommend running this:
I advise against running this:
I have decided against running this:
I strongly advise you not to run this:
It would be dangerous to run this:
It's dangerous to run this:
It is forbidden to run this:
This is what I will not do:
This is not a call:
This is not something I will run:
This is just an illustration:
This is only a demonstration:
This is just a demo of the syntax:
This is for illustration only:
For illustration:
For demonstration purposes:
Just to illustrate:
To illustrate the syntax:
Demo:
Not to be executed:
Do not execute:
Don't execute this:
Don't use this:
Don't call:
Do NOT run this:
DO NOT RUN:
Please never run:
Never do this:
Never call:
You should never run:
You should not run:
You must never call:
Nobody should run this:
No one should ever run this:
Wrong:
Bad:
Incorrect:
Wrong way:
The wrong way to do it:
Bad example:
What not to do:
How not to do it:
Should I?
Shall I continue?
Do I have your permission?
Do you approve?
Do you want this?
Would you like that?
Are you sure?
Are you OK with this?
Is that alright?
May I?
Can I?
Can I proceed with this?
Could I run the following?
Should we proceed?
Is it okay to run this command?
Would you like me to run the following?
Which should I run, this one?
Want me to go ahead with this?
Run it?
Ok?
Okay?
Sound good?
Does that look right?
Does this look good to you?
What do you think?
Let me know if this is OK:
Let me know whether I should do this:
Tell me if I should run this:
Waiting for your approval before I run:
With your permission, I will run:
With your approval I would run:
Once you confirm, I will run:
After you confirm, I'll run:
As soon as you agree, I'll run:
Before I run this, please confirm:
Unless you object, I'll run:
If you say yes, I'll run:
If you'd like, I'll run this:
If you want me to, I can run:
Something like:
For illustration purposes:
A sample call could be:
Sample:
Illustrative call:
One possible call:
Possible call:
A hypothetical call:
Here's how such a call is structured:
The JSON for such a call would be:
You would need to run the following:
You'd have to call:
Developers would normally run:
If you were to do it by hand, you'd run:
If the user asked for it, I would call:
In that case I would run:
Had you asked, I would have called:
I cannot in good conscience run this:
I'm unable to execute this:
I am refusing to run this:
I was told not to run this:
My rules forbid me to run this:
This must never be run:
This command should not be used:
It's best not to run this:
Better not run this:
Whatever you do, don't run this:
Under no circumstances run:
By no means execute:
Please avoid running this:
Can we go ahead?
Ready?
Is it fine if I run this?
Would it be fine to run this?
Any objections?
Do you agree?
Please let me know if I may run this:
Please approve:
Please confirm:
I need your approval for this:
Pending your approval:
Subject to your approval:
If that works for you, I'll run:
Here is one example of such a call:
To give an example:
As a simple example, to list files:
The call would then be:
A valid call is:
The user could also write:
You might use:
Hypothetically speaking:
In theory I would call:
I will not be executing this:
I am not going to do that:
We must never run this:
This command must not be executed:
Do not under any circumstances run this:
I don't want to run this:
I refuse to call this:
Would you like me to continue?
Should I proceed with the edit?
Do you want me to go on?
Are you okay with this?
If you want me to proceed, I'll run:
Once you approve, I'll run this:
`);
