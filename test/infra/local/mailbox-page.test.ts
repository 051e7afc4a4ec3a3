import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { respondFromMailbox } from '../../../infra/local/mailbox-page.ts';
import { memoryHost } from './local-host.ts';

const message = {
  to: '<ada>@example.com',
  subject: 'Join <b>us</b>',
  text: 'Hello <Ada>,\n\nPress here:\nhttps://api.example.com/join/1?a=1&b="2"\n\nBye',
  html: '<p style="color:red">Hello</p><script>document.title = "run"</script>',
};

/** Like `fetch`, but allows the Host header to be set. */
const sendRequest = (url: string, options: { method?: string; headers?: Record<string, string> } = {}) =>
  new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; text: string }>((resolve, reject) => {
    const sent = request(url, options, async (response) => {
      const chunks: Buffer[] = await response.toArray();
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        text: Buffer.concat(chunks).toString(),
      });
    });
    sent.on('error', reject).end();
  });

async function hostWithMail() {
  const host = await memoryHost({});
  await host.deps.mail.send({ ...message, subject: 'An older one' });
  await host.deps.mail.send(message);
  const [newest] = host.mailbox.messages();
  return { host, page: `${host.baseUrl}/mailbox`, id: newest?.id ?? '' };
}

describe('the local mailbox', () => {
  test('lists messages newest first, and escapes names', async () => {
    const { page, id } = await hostWithMail();
    const { status, text, headers } = await sendRequest(page);
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-store',
    ]);
    expect(text).toContain(`<a href="/mailbox/${id}">Join &lt;b&gt;us&lt;/b&gt;</a>`);
    expect(text).toContain('to &lt;ada&gt;@example.com');
    expect(text.indexOf('Join &lt;b&gt;')).toBeLessThan(text.indexOf('An older one'));
  });

  test('says so when it is empty', async () => {
    const host = await memoryHost({});
    expect((await sendRequest(`${host.baseUrl}/mailbox`)).text).toContain('There is no mail yet');
  });

  test('shows a message as text with a working link', async () => {
    const { page, id } = await hostWithMail();
    const { text } = await sendRequest(`${page}/${id}`);
    expect(text).toContain('<p>Hello &lt;Ada&gt;,</p>');
    expect(text).toContain(
      '<p>Press here:<br><a href="https://api.example.com/join/1?a=1&amp;b=" rel="noreferrer noopener">https://api.example.com/join/1?a=1&amp;b=</a>&quot;2&quot;</p>',
    );
    expect(text).toMatch(/<iframe title="[^"]+" src="\/mailbox\/[^"]+\/document" sandbox /);
  });

  test('shows its HTML where nothing of it can run, load or navigate', async () => {
    const { page, id } = await hostWithMail();
    const { status, text, headers } = await sendRequest(`${page}/${id}/document`);
    expect([status, text]).toEqual([200, message.html]);
    const policy = `${headers['content-security-policy']}`.split('; ');
    expect(policy).toContain('sandbox');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'self'");
    expect(headers['cache-control']).toBe('no-store');
    const around = `${(await sendRequest(`${page}/${id}`)).headers['content-security-policy']}`.split('; ');
    expect(around).toContain("frame-src 'self'");
    expect(around).toContain("default-src 'none'");
    expect(around.join()).not.toContain('script-src');
  });

  test('cannot be cached, sniffed or embedded, and sends no referrer', async () => {
    const { page, id } = await hostWithMail();
    for (const url of [page, `${page}/${id}`, `${page}/${id}/document`, `${page}/2026`]) {
      const { headers } = await sendRequest(url);
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
        'x-frame-options': url.endsWith('/document') ? 'SAMEORIGIN' : 'DENY',
      });
      const policy = `${headers['content-security-policy']}`.split('; ');
      for (const rule of ["base-uri 'none'", "form-action 'none'"]) expect(policy).toContain(rule);
    }
  });

  test('has a page for a missing message', async () => {
    const { page } = await hostWithMail();
    const { status, text } = await sendRequest(`${page}/2026`);
    expect([status, text]).toEqual([404, expect.stringContaining('There is no such message')]);
  });

  test('answers HEAD like GET, without the body', async () => {
    const { page, id } = await hostWithMail();
    for (const url of [page, `${page}/${id}`, `${page}/${id}/document`]) {
      const { status, text } = await sendRequest(url, { method: 'HEAD' });
      expect([status, text]).toEqual([200, '']);
    }
  });

  test.each(['POST', 'DELETE', 'PUT'])('is read-only: %s is rejected', async (method) => {
    const { page } = await hostWithMail();
    const { status, headers } = await sendRequest(page, { method });
    expect([status, headers['allow'], headers['cache-control']]).toEqual([405, 'GET, HEAD', 'no-store']);
  });
});

describe('for a visitor from another machine', () => {
  test.each([
    ['a DNS rebinding site', { host: 'evil.example:8787' }],
    ['a host name with a similar prefix', { host: 'localhost.evil.example' }],
    ['a tunnel', { 'x-forwarded-for': '203.0.113.7' }],
    ['a tunnel that sends its host', { 'x-forwarded-host': 'abc.tunnel.example' }],
    ['a proxy', { forwarded: 'for=203.0.113.7' }],
    ['a proxy that only sends Via', { via: '1.1 caddy' }],
    ['a proxy that forwards the address', { 'x-real-ip': '203.0.113.7' }],
    ['a proxy that forwards the scheme', { 'x-forwarded-proto': 'https' }],
    ['a proxy that forwards the port', { 'X-Forwarded-Port': '443' }],
    ['a content delivery network', { 'cf-connecting-ip': '203.0.113.7' }],
    ['a content delivery network that sends the client address', { 'true-client-ip': '203.0.113.7' }],
    ['a content delivery network that counts loops', { 'cdn-loop': 'cloudflare' }],
    ['a proxy with a nonstandard header', { 'forwarded-for': '203.0.113.7' }],
    ['an application server', { 'wl-proxy-client-ip': '203.0.113.7' }],
    ['a network that counts hops', { 'akamai-origin-hop': '2' }],
    ['a proxy that hides the client', { via: '', 'x-request-id': '1' }],
  ])('there is no mailbox: %s', async (_who, headers) => {
    const { page, id } = await hostWithMail();
    for (const url of [page, `${page}/${id}`, `${page}/${id}/document`]) {
      const { status, text } = await sendRequest(url, { headers });
      expect([status, JSON.parse(text).error]).toEqual([404, 'not_found']);
    }
  });

  const box = { messages: () => [], message: () => undefined };
  const host = 'localhost:8787';
  const visitor = {
    method: 'GET',
    path: '/mailbox',
    headers: { host },
    hosts: [host],
    httpVersion: '1.1',
    localPort: 8787,
  };

  test('there is no mailbox from another address, regardless of its headers', () => {
    expect(respondFromMailbox(box, { ...visitor, remoteAddress: '192.168.1.7' })).toBeUndefined();
    expect(respondFromMailbox(box, { ...visitor, remoteAddress: undefined })).toBeUndefined();
    expect(respondFromMailbox(box, { ...visitor, headers: {}, hosts: [], remoteAddress: '::1' })).toBeUndefined();
  });

  test('there is no mailbox with a second host name, or for an HTTP/1.0 proxy', () => {
    const atHome = { ...visitor, remoteAddress: '::1' };
    expect(respondFromMailbox(box, { ...atHome, hosts: [host, 'evil.example'] })).toBeUndefined();
    expect(respondFromMailbox(box, { ...atHome, httpVersion: '1.0' })).toBeUndefined();
    expect(respondFromMailbox(box, atHome)?.status).toBe(200);
  });

  test('while every name and address of this machine can see it', () => {
    for (const name of ['localhost:8787', 'LOCALHOST:8787', '127.0.0.1:8787', '[::1]:8787'])
      for (const remoteAddress of ['127.0.0.1', '::1', '::ffff:127.0.0.1'])
        expect(
          respondFromMailbox(box, { ...visitor, headers: { host: name }, hosts: [name], remoteAddress })?.status,
        ).toBe(200);
  });

  test('on port 80, browsers send no port; any other port than its own belongs to a tunnel', () => {
    const see = (name: string, localPort: number) =>
      respondFromMailbox(box, { ...visitor, headers: { host: name }, hosts: [name], remoteAddress: '::1', localPort });
    expect([see('localhost', 80)?.status, see('localhost:80', 80)?.status]).toEqual([200, 200]);
    expect([see('localhost', 8787), see('localhost:9000', 8787), see('localhost:80', 8787)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('the mailbox ignores other paths', () => {
    for (const path of ['/', '/mailboxes', '/mailbox/', '/mailbox/a/b', '/v1/mailbox', '/mailbox/a/document/x'])
      expect(respondFromMailbox(box, { ...visitor, path, remoteAddress: '::1' })).toBeUndefined();
  });
});

test('the mail of a host can be sent elsewhere', async () => {
  const sent: unknown[] = [];
  const host = await memoryHost({ mail: { send: async (one) => void sent.push(one) } });
  await host.deps.mail.send(message);
  expect([sent, host.mailbox.messages()]).toEqual([[message], []]);
});

test('a local host has a mail sender unless it is disabled', async () => {
  expect((await memoryHost({})).deps.deployment.mailSender).toBe('Daybook <mailbox@daybook.localhost>');
  expect((await memoryHost({ env: { DAYBOOK_MAIL_SENDER: '' } })).deps.deployment.mailSender).toBeUndefined();
});
