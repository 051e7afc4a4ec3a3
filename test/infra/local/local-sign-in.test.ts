import { expect, test } from 'vitest';
import type { HostRequest } from '../../../infra/local/local-request.ts';
import { respondToLocalSignIn } from '../../../infra/local/local-sign-in.ts';
import { rawExchange } from '../../harness/raw-request.ts';
import { memoryHost } from './local-host.ts';

const host = 'localhost:8787';
/** What a browser sends for the button on the sign-in page. */
const click: HostRequest = {
  method: 'POST',
  path: '/console/local-sign-in',
  headers: { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin', 'user-agent': 'Mozilla/5.0' },
  hosts: [host],
  httpVersion: '1.1',
  remoteAddress: '127.0.0.1',
  localPort: 8787,
};
let issuedLinks = 0;
const issueLink = async () => `http://${host}/console/sign-in?next=%2Fconsole#secret-${++issuedLinks}`;
const send = (request: HostRequest, issue: () => Promise<string | undefined> = issueLink) =>
  respondToLocalSignIn(issue, request);

test('the console on this machine gets a new secret for each click', async () => {
  for (const _click of [1, 2]) {
    const response = await send(click);
    expect([response?.status, response?.headers['Cache-Control']]).toEqual([201, 'no-store']);
    expect(JSON.parse(`${response?.body}`)).toEqual({ secret: `secret-${issuedLinks}` });
  }
});

test('before the demo account exists, the caller is told to try again', async () => {
  const response = await send(click, async () => undefined);
  expect([response?.status, JSON.parse(`${response?.body}`).error]).toEqual([503, 'unavailable']);
});

const withHeaders = (headers: HostRequest['headers']): HostRequest => ({
  ...click,
  headers: { ...click.headers, ...headers },
});
const strangers: Record<string, HostRequest> = {
  'a link, which sends GET': { ...click, method: 'GET' },
  'another path': { ...click, path: '/console/local-sign-in/' },
  'a page of another origin': withHeaders({ origin: 'http://localhost:3000' }),
  'a page of the same host over TLS': withHeaders({ origin: `https://${host}` }),
  'a page of another site': withHeaders({ 'sec-fetch-site': 'cross-site' }),
  'a sandboxed page': withHeaders({ origin: 'null' }),
  'a program that names no origin': { ...click, headers: { host } },
  'a DNS rebinding site': { ...withHeaders({ origin: 'http://evil.example' }), hosts: ['evil.example'] },
  'two hosts': { ...click, hosts: [host, 'evil.example'] },
  'a tunnel': withHeaders({ 'x-forwarded-for': '203.0.113.7' }),
  'a proxy': withHeaders({ via: '1.1 caddy' }),
  'a tunnel from another port': {
    ...withHeaders({ host: 'localhost:9000', origin: 'http://localhost:9000' }),
    hosts: ['localhost:9000'],
  },
  'an old proxy': { ...click, httpVersion: '1.0' },
  'another machine': { ...click, remoteAddress: '192.168.1.7' },
};

test.each(Object.entries(strangers))('there is nothing to sign in with for %s', async (_who, request) => {
  const before = issuedLinks;
  expect(await send(request)).toBeUndefined();
  expect(issuedLinks).toBe(before);
});

test('a request line that names another host is one more host', async () => {
  const { baseUrl } = await memoryHost({ issueSignInLink: issueLink });
  const headers = `Host: ${new URL(baseUrl).host}\r\nOrigin: ${baseUrl}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`;
  const post = async (target: string) =>
    (await rawExchange(baseUrl, `POST ${target} HTTP/1.1\r\n${headers}`)).split('\r\n')[0];
  expect(await post('/console/local-sign-in')).toContain(' 201 ');
  expect(await post('http://evil.example/console/local-sign-in')).toContain(' 404 ');
});
