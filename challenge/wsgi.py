"""The WSGI entry: ``gunicorn challenge.wsgi:app``. Settings come from the environment."""

from challenge import bootstrap, config
from challenge.web import create_app

app = create_app(bootstrap.build(config.load()))
