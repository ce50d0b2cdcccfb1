# The plain install of the tested set; EXTRA=club adds what several servers and workers need.
#   docker build -t stargazer .
#   docker run -p 8765:8765 -v stargazer:/data stargazer serve --host 0.0.0.0 --name ADDRESS
# ADDRESS is what phones call this computer; the container does not know it.
FROM python:3.11.13-slim-bookworm
ARG EXTRA=""
COPY requirements.lock requirements-club.lock /tmp/
RUN pip install --no-cache-dir --require-hashes -r /tmp/requirements.lock \
    && if [ "$EXTRA" = club ]; then pip install --no-cache-dir -r /tmp/requirements-club.lock; fi
COPY . /tmp/stargazer
RUN pip install --no-cache-dir --no-deps /tmp/stargazer && rm -rf /tmp/stargazer \
    && useradd --create-home --uid 10001 stargazer && install -d -o stargazer -g stargazer /data
USER stargazer
ENV STARGAZER_DATA=/data
VOLUME /data
WORKDIR /data
EXPOSE 8765
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen(u.Request('http://127.0.0.1:8765/healthz', headers={'Host': 'localhost'}), timeout=4)"]
ENTRYPOINT ["stargazer"]
CMD ["serve", "--host", "0.0.0.0"]
