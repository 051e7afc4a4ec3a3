# Verifies a webhook. On the command line: WEBHOOK_SECRET=whsec_... python3 verify.py ID TIMESTAMP SIGNATURE < body
import base64
import hashlib
import hmac
import os
import sys
import time

TOLERANCE_SECONDS = 300


def is_genuine(secret, headers, body):
    """Return whether the request was signed with the secret, over exactly these bytes, within the tolerance."""
    message_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    signatures = headers.get("webhook-signature", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return any(hmac.compare_digest(expected, given) for given in signatures.split(" "))


if __name__ == "__main__":
    names = ("webhook-id", "webhook-timestamp", "webhook-signature")
    given = dict(zip(names, sys.argv[1:]))
    sys.exit(0 if is_genuine(os.environ["WEBHOOK_SECRET"], given, sys.stdin.buffer.read()) else 1)
