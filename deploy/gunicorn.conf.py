"""gunicorn -c deploy/gunicorn.conf.py challenge.wsgi:app - the settings of `challenge serve`."""

from challenge.gunicorn_conf import *  # noqa: F403 (a configuration file is its names)
