/** Text of `gopi-web --help`. Lists only existing options. */

export const helpText = `gopi-web: a coding agent in your browser, for models you run yourself.

  gopi-web [folder]         open a folder in the browser (default: current folder)
  gopi-web init             set up a model and this folder, by questions in the terminal
  gopi-web serve            run only the server; serve --install starts it when you log in
  gopi-web run "prompt"     run one task in the current folder, without a browser
  gopi-web chat             hold a conversation in the terminal
  gopi-web doctor [model]   find out what a model can do on this machine, in about a minute
  gopi-web eval [model …]   compare models by small coding tasks
  gopi-web status           see whether server, model servers, sessions and settings are all right
  gopi-web get sessions     list sessions, models, rules or automations
  gopi-web config           show or change settings: config get KEY, config set KEY VALUE
  gopi-web export ID        print a session; gopi-web import FILE adds one to the current folder

Nothing leaves this machine unless you add an online service.
Uses a model server, such as Ollama (https://ollama.com), or downloads one with a model.

Options of gopi-web [folder]
  --port NUMBER     port to listen on (default: 4674, or the next free one)
  --host ADDRESS    address to listen on (default: 127.0.0.1, this machine only). With 0.0.0.0 or
                    another of this machine's addresses, your other devices can sign in, over http
  --tls-cert FILE   certificate in PEM format: your other devices connect over https
  --tls-key FILE    its private key
  --public-url URL  where a proxy publishes this server, with the path below which the page is.
                    Several names, separated by commas, have the same path
  --socket PATH     Unix socket to listen on as well, for a proxy of this machine
  --proxy-user HEADER=NAME
                    the proxy at the socket signs people in: this header lets NAME in, who is the
                    only one. Needs --public-url too
  --model NAME      model for new sessions
  -f, --file FILE   pin a file of the folder to a new session. May be repeated
  --home DIR        where sessions and settings are stored (default: ~/.gopi)
  --demo            show a tour that needs no model: a sample project, answers written in advance
  --no-open         print the sign-in link without opening the browser
  --json            print one line of JSON when ready

Options of gopi-web init
  --cwd DIR         folder that may be trusted (default: current folder)
  --home DIR        as above

  Finds model servers, or downloads a model with the built-in engine. Each question can be
  skipped, and init run again at any time. Needs a terminal.

Options of gopi-web serve
  --install         write a service of your user (systemd or launchd), start it now and when
                    you log in, with the options below
  --uninstall       end and remove that service
  --yes             with --install: replace a service with another content without asking
  --port, --host, --tls-cert, --tls-key, --public-url, --socket, --proxy-user,
  --model, --home, --json as above

  Opens no folder and no browser. While another gopi-web serves the home, it waits.

Options of gopi-web run
  --cwd DIR         folder to work in (default: current folder)
  --approve MODE    ask (default), edits (change files without asking),
                    all (everything except blocked commands), none (deny every request).
                    The first call of another program's tool in a project, and new web hosts,
                    ask even with all: allow them first in a terminal or in the browser
  --model NAME      model for this task; ID/NAME picks a connection's model
  --continue        continue the folder's latest session
  --session ID      continue this session
  --workflow NAME   run a workflow instead of a prompt, with --input NAME=VALUE for each of its
                    inputs
  -f, --file FILE   pin a file of the folder to the session: the model gets it with the task,
                    and again when it has changed. May be repeated
  --automation NAME run this automation now; standard input is data for its prompt
  --home DIR        as above
  --json            print every event as one line of JSON
  --stdin           with --json: read requests from standard input, each as one line of JSON, and
                    so send messages, answer approvals and stop, until its end

  Without a prompt, or with "-", reads it from standard input. Without a terminal, every
  request is denied. Exit codes: 0 done, 1 error, 2 usage, 3 limit reached, 4 done, but a
  request was denied without a user, 130 stopped.

Options of gopi-web chat ["text"]
  --cwd, --model, --continue, --session, --file and --home as above

  Tab completes /commands and @files, /help lists the commands. A backslash at the end of a line
  continues the message. Ctrl+C stops the run, and pressed again leaves; Ctrl+D leaves.
  Without a terminal, does what gopi-web run "text" does.

Options of gopi-web doctor
  --home DIR        as above
  --json            print every step as one line of JSON

  Without a model, tests the one new sessions use. Works in a scratch folder.
  Exit codes: 0 usable, 1 not usable, 2 usage, 130 stopped.

Options of gopi-web eval
  --task NAME,NAME  only these tasks (default: all)
  --home DIR        as above
  --json            print every result as one line of JSON

  Without a model, uses the one of new sessions. Works in scratch folders.
  Exit codes: 0 all tasks ran, 1 a model was left out, 2 usage, 130 stopped.

Options of gopi-web status
  --home DIR        as above
  --json            print one line of JSON

  Starts no server. Exit codes: 0 all right, 1 something needs you, 2 usage.

Options of gopi-web get sessions, get models, get rules, get automations
  --home DIR        as above
  --json            print each as one line of JSON

Options of gopi-web config list, config get KEY, config set KEY VALUE
  --home DIR        as above
  --json            print each setting as one line of JSON

Options of gopi-web export ID
  --format FORMAT   md (default), html or jsonl; without it, the ending of FILE decides
  -o, --output FILE write into a new file instead of standard output
  --home DIR        as above

  The beginning of an ID is enough. Only jsonl has everything and can be imported.

Options of gopi-web import FILE
  --home DIR        as above
  --json            print each imported session as one line of JSON

Other options
  --version         print the version
  --help            print this

Environment
  OLLAMA_HOST       model server address (default: 127.0.0.1:11434)
  OPENAI_BASE_URL   another model server, added as a connection; with OPENAI_API_KEY
                    alone, OpenAI itself; OPENAI_API_KEY_FILE names a file with the key
  GOPI_HOME         same as --home
  GOPI_PUBLIC_URL, GOPI_SOCKET, GOPI_PROXY_USER
                    same as --public-url, --socket, --proxy-user
  JUPYTERHUB_*      set by JupyterHub, which then says where to listen and who may come in
  NO_COLOR          no colors

Examples
  gopi-web ~/code/shop
  gopi-web run "Why does the login test fail?"
  git diff | gopi-web run --approve none`;
