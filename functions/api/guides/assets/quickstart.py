# Needs only Python 3.9 or newer. Start it with: DAYBOOK_KEY=sk_sandbox_... python3 quickstart.py
import json
import os
import sys
import time
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

URL = os.environ.get("DAYBOOK_URL", "http://localhost:8787")
KEY = os.environ.get("DAYBOOK_KEY") or sys.exit("Set DAYBOOK_KEY to a sandbox key.")


def call(path, query=None, body=None):
    """Call the API and return the parsed response."""
    address = URL + path + (f"?{urlencode(query)}" if query else "")
    data = None if body is None else json.dumps(body).encode()
    headers = {"authorization": f"Bearer {KEY}", "content-type": "application/json"}
    try:
        with urlopen(Request(address, data=data, headers=headers)) as response:
            return json.load(response)
    except HTTPError as error:
        sys.exit(f"{error.code} {error.read().decode()}")


def wait_for_data(user_id):
    """Follow the user's events. Each page has a cursor, which the next request sends."""
    query = {"user_id": user_id, "types": "data.updated"}
    for _ in range(60):
        page = call("/v1/events", query)
        if page["events"]:
            return page["events"][0]
        query["cursor"] = page["cursor"]
        time.sleep(1)
    sys.exit("No data arrived within a minute.")


# 1. Create a user. In the sandbox, the user gets a ring and a phone with seven days of data.
user = call("/v1/users", body={"timezone": "Europe/London"})
print("user", user["id"])

# 2. Wait for the event that says that data has arrived.
event = wait_for_data(user["id"])

# 3. React to the event: read the days that it names, with the device behind each value.
days = {"from_date": event["from_date"], "to_date": event["to_date"]}
daily = call(f"/v1/users/{user['id']}/daily", {"types": "steps", "include_sources": "true", **days})

# 4. Draw a chart. Missing is None, never 0.
for date, steps, source in zip(daily["dates"], daily["series"]["steps"], daily["sources"]["steps"]):
    bar = "no value" if steps is None else f"{'#' * round(steps / 500)} {steps}"
    print(date, bar, source["provider"] if source else "")
