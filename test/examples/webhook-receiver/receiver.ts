// A webhook receiver that uses only Node.js. Start it with WEBHOOK_SECRET=whsec_… node receiver.ts
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';

const toleranceSeconds = 300;

/**
 * Returns whether the request was signed with the secret, over exactly these bytes, within the
 * tolerance.
 */
export function isGenuine(secret: string, headers: IncomingHttpHeaders, body: Buffer): boolean {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  const signatures = headers['webhook-signature'];
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string') return false;
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!(age <= toleranceSeconds)) return false;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
  return signatures.split(' ').some((signature) => {
    const [version, value = ''] = signature.split(',');
    const received = Buffer.from(value, 'base64');
    return version === 'v1' && received.length === expected.length && timingSafeEqual(received, expected);
  });
}

if (import.meta.main) {
  const secret = process.env['WEBHOOK_SECRET'] ?? '';
  const handled = new Set<string>();

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    if (!isGenuine(secret, request.headers, body)) {
      response.writeHead(401).end();
      return;
    }
    // Respond first and process afterwards. An event can arrive twice, so remember the ids you have
    // handled.
    response.writeHead(204).end();
    const event = JSON.parse(body.toString('utf8'));
    if (handled.has(event.event_id)) return;
    handled.add(event.event_id);
    console.log(JSON.stringify(event));
  });

  server.listen(Number(process.env['PORT'] ?? 4000), '127.0.0.1', () => {
    const address = server.address();
    if (address !== null && typeof address === 'object') console.log(`listening on ${address.port}`);
  });
}
