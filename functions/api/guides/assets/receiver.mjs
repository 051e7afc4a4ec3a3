// A webhook receiver that needs only Node.js 20 or newer.
// Start it with: WEBHOOK_SECRET=whsec_... node receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const secret = process.env.WEBHOOK_SECRET ?? '';
if (!secret.startsWith('whsec_')) throw new Error('Set WEBHOOK_SECRET to the secret of your webhook.');
const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
const toleranceSeconds = 300;

// Returns whether the request was signed with the secret, over exactly these bytes, within the
// tolerance.
function isGenuine(headers, body) {
  const id = headers['webhook-id'] ?? '';
  const timestamp = headers['webhook-timestamp'] ?? '';
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!(age <= toleranceSeconds)) return false;
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
  return (headers['webhook-signature'] ?? '').split(' ').some((signature) => {
    const [version, value = ''] = signature.split(',');
    const received = Buffer.from(value, 'base64');
    return version === 'v1' && received.length === expected.length && timingSafeEqual(received, expected);
  });
}

// An event can arrive twice. In production, store the ids that you have handled.
const handled = new Set();

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  if (!isGenuine(request.headers, body)) {
    response.writeHead(401).end();
    return;
  }
  // Respond first and do the work afterwards.
  response.writeHead(204).end();
  const event = JSON.parse(body.toString('utf8'));
  if (handled.has(event.event_id)) return;
  handled.add(event.event_id);
  console.log(JSON.stringify(event));
});

server.listen(Number(process.env.PORT ?? 4000), '127.0.0.1', () => {
  console.log(`listening on ${server.address().port}`);
});
