# A webhook receiver that needs only Python 3.9 or newer.
# Start it with: WEBHOOK_SECRET=whsec_... python3 receiver.py
import base64
import hashlib
import hmac
import json
import os
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ.get("WEBHOOK_SECRET", "")
if not SECRET.startswith("whsec_"):
    sys.exit("Set WEBHOOK_SECRET to the secret of your webhook.")
KEY = base64.b64decode(SECRET.removeprefix("whsec_"))
TOLERANCE_SECONDS = 300


def is_genuine(headers, body):
    """Return whether the request was signed with the secret, over exactly these bytes, within the tolerance."""
    message_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    signatures = headers.get("webhook-signature", "")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest())
    return any(hmac.compare_digest(expected, given.encode()) for given in signatures.split(" "))


# An event can arrive twice. In production, store the ids that you have handled.
handled = set()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if not is_genuine(self.headers, body):
            self.send_response(401)
            self.end_headers()
            return
        # Respond first and do the work afterwards.
        self.send_response(204)
        self.end_headers()
        self.wfile.flush()
        event = json.loads(body)
        if event["event_id"] in handled:
            return
        handled.add(event["event_id"])
        print(json.dumps(event), flush=True)

    def log_message(self, *_):
        """Print events only."""


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "4000"))), Receiver)
print(f"listening on {server.server_port}", flush=True)
server.serve_forever()
