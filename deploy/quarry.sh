#!/bin/sh
# This is the quarry command of the container image.
exec node /opt/quarry/dist/cli/main.js "$@"
