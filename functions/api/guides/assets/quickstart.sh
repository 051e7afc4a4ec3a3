# Needs curl. Start it with: DAYBOOK_KEY=sk_sandbox_... sh quickstart.sh
set -eu
: "${DAYBOOK_KEY:?Set DAYBOOK_KEY to a sandbox key.}"
DAYBOOK_URL=${DAYBOOK_URL:-http://localhost:8787}

call() {
  path=$1
  shift
  curl -sS --fail-with-body "$DAYBOOK_URL$path" -H "authorization: Bearer $DAYBOOK_KEY" "$@"
}

# 1. Create a user. In the sandbox, the user gets a ring and a phone with seven days of data.
user=$(call /v1/users -H 'content-type: application/json' -d '{"timezone": "Europe/London"}')
id=$(echo "$user" | grep -o 'usr_[0-9a-z]*')
echo "user $id"

# 2. Read the user's events until one of them says that data has arrived.
attempts=0
until call "/v1/events?user_id=$id&types=data.updated" | grep -q '"data.updated"'; do
  attempts=$((attempts + 1))
  [ "$attempts" -lt 60 ] || { echo "No data arrived within a minute." >&2; exit 1; }
  sleep 1
done

# 3. Read the days, with the device behind each value. Missing is null, never 0.
call "/v1/users/$id/daily?types=steps&include_sources=true"
echo
