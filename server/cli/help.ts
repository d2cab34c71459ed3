/** What `gopi-web --help` prints. Lists only what exists. */

export const helpText = `gopi-web: a coding agent in your browser, on models you run yourself.

  gopi-web [folder]         open a folder in the browser (this one, when none is named)
  gopi-web run "prompt"     give the agent one task here, without a browser
  gopi-web doctor [model]   test on this machine what a model is good for, in about a minute

Nothing leaves this machine unless you add a service.
A model server is needed, such as Ollama (https://ollama.com).

Options of gopi-web [folder]
  --port NUMBER     port to listen on; 4674, or the next free one
  --host ADDRESS    127.0.0.1: this machine only. 0.0.0.0 or an address of this machine: your
                    other devices on the network can sign in too, over plain http
  --model NAME      model for new sessions
  --home DIR        where sessions and settings are kept; ~/.gopi
  --no-open         print the sign-in link, do not open the browser
  --json            print one line of JSON when ready

Options of gopi-web run
  --cwd DIR         folder to work in; this one
  --approve MODE    what may happen: ask (default), edits (files change without asking),
                    all (everything but what is blocked), none (every question is denied)
  --model NAME      model for this task; ID/NAME is one of a connection
  --continue        go on with the newest session of the folder
  --session ID      go on with this session
  --home DIR        as above
  --json            print every event as one line of JSON

  Without a prompt, or with "-", it is read from standard input. Without a terminal,
  questions are denied. Exit code: 0 done, 1 error, 2 wrong call, 3 stopped at a limit, 130 aborted.

Options of gopi-web doctor
  --home DIR        as above
  --json            print every step as one line of JSON

  Without a model it tests the one new sessions take. It works in a folder of its own.
  Exit code: 0 the model can be used, 1 it cannot, 2 wrong call, 130 stopped.

Other options
  --version         print the version
  --help            print this

Environment
  OLLAMA_HOST       address of the model server; 127.0.0.1:11434
  OPENAI_BASE_URL   another model server, offered as a connection; with OPENAI_API_KEY
                    alone, OpenAI's own
  GOPI_HOME         the same as --home
  NO_COLOR          no colours

Examples
  gopi-web ~/code/shop
  gopi-web run "Why does the login test fail?"
  git diff | gopi-web run --approve none`;
