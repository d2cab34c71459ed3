"""JupyterHub that starts one gopi-web for each person.

Install gopi-web for all users, and deploy/gopi-singleuser.py as /usr/local/bin/gopi-singleuser; both have to be in PATH.
"""
c = get_config()  # noqa: F821

c.Spawner.cmd = ["gopi-singleuser"]

# Seconds until the first answer; an update of a large database takes longer than a plain start.
c.Spawner.http_timeout = 60

# Several servers of one person: each has its own sessions and settings, in ~/.gopi/hub/NAME.
c.JupyterHub.allow_named_servers = True

# Without it all people have one origin: a page that one of them makes can act on the server of another who opens it.
# Needs DNS names and a certificate for *.hub.example.org.
# c.JupyterHub.subdomain_host = "https://hub.example.org"
