"""The WSGI entry: ``gunicorn challenge.wsgi:app``. Settings come from the environment."""

from challenge import bootstrap, config, logs
from challenge.web import create_app

_settings = config.load()
logs.begin(_settings.request_log)
app = create_app(bootstrap.build(_settings))
