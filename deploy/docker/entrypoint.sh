#!/bin/sh
# Runs capstan. A variable can be set by a file: DATABASE_URL_FILE=/run/secrets/database-url sets DATABASE_URL.
set -eu

for name in DATABASE_URL CAPSTAN_SECRET_KEY OPENAI_API_KEY ANTHROPIC_API_KEY GOOGLE_GENERATIVE_AI_API_KEY COMPOSIO_API_KEY; do
  eval "file=\${${name}_FILE:-}"
  [ -n "$file" ] || continue
  if [ ! -r "$file" ]; then
    echo "capstan: ${name}_FILE names $file, which cannot be read." >&2
    exit 1
  fi
  export "$name=$(cat "$file")"
  unset "${name}_FILE"
done

exec node "${CAPSTAN_APP:-/app}/packages/cli/bin/capstan.mjs" "$@"
