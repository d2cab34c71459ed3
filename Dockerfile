# gopi-web in a container, for one person: docs/user/team-containers.md. Build it with
#   npm pack && docker build --tag gopi-web .
# BASE is any image with apt, Node 22 or newer, and npm.
ARG BASE=node:22-bookworm-slim

FROM ${BASE} AS build
COPY gopi-web-*.tgz /tmp/
RUN npm install --prefix /opt/gopi-web --omit=dev --ignore-scripts --no-audit --no-fund /tmp/gopi-web-*.tgz

FROM ${BASE}
RUN apt-get update \
    && apt-get install --yes --no-install-recommends bash ca-certificates git less openssh-client procps tini \
    && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/log/*
# The user 1000 has the home and the folder of the socket; any other user of group 0, as OpenShift chooses, has the home.
RUN if id node 2>/dev/null; then userdel --remove node; fi \
    && useradd --uid 1000 --create-home --shell /bin/bash gopi \
    && chgrp 0 /home/gopi && chmod 0770 /home/gopi \
    && install --directory --owner=1000 --mode=0700 /run/gopi
COPY --from=build /opt/gopi-web /opt/gopi-web
RUN ln -s /opt/gopi-web/node_modules/.bin/gopi-web /usr/local/bin/gopi-web

# Not in the volume: an empty one would have no such folder.
WORKDIR /
USER 1000
ENV HOME=/home/gopi LANG=C.UTF-8
VOLUME /home/gopi
EXPOSE 4674
STOPSIGNAL SIGTERM
HEALTHCHECK --start-period=30s CMD ["node", "-e", "const [, port = 4674] = /:(\\d+)\\//.exec(process.env.JUPYTERHUB_SERVICE_URL) || []; fetch('http://127.0.0.1:' + port + '/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# tini ends what commands leave behind. A hub, which says where to listen, replaces the command with gopi-web alone.
ENTRYPOINT ["tini", "--"]
CMD ["gopi-web", "serve", "--host", "0.0.0.0"]
