// The cookie of a session: which name it has where, and from which pages a request may come.
import { HonoRequest } from 'hono/request';
import { describe, expect, test } from 'vitest';
import { assertOwnOrigin, isFromOwnOrigin } from '../../../../../functions/api/callers/own-origin.ts';
import {
  buildEndedCookie,
  buildSessionCookie,
  readSessionToken,
} from '../../../../../functions/api/callers/session-cookie.ts';

const requestTo = (url: string, headers: Record<string, string> = {}): HonoRequest =>
  new HonoRequest(new Request(url, { headers }));
const read = (url: string, cookie?: string) => readSessionToken(requestTo(url, cookie === undefined ? {} : { cookie }));

describe('the cookie', () => {
  test('over https belongs to the host alone, and is never sent without https', () => {
    const flags = 'Path=/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure';
    for (const origin of ['https://daybook.example.com', 'https://localhost:8443', 'https://127.0.0.1'])
      expect(buildSessionCookie('a-token', origin)).toBe(`__Host-daybook=a-token; ${flags}`);
    expect(buildEndedCookie('https://daybook.example.com')).toBe(
      '__Host-daybook=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict; Secure',
    );
  });

  test('on a laptop has the port in its name', () => {
    const flags = 'Path=/; Max-Age=43200; HttpOnly; SameSite=Strict';
    expect(buildSessionCookie('a-token', 'http://localhost:8787')).toBe(`daybook_8787=a-token; ${flags}`);
    expect(buildSessionCookie('a-token', 'http://localhost')).toBe(`daybook_80=a-token; ${flags}`);
    expect(read('http://localhost/v1/users', 'daybook_80=a-token')).toBe('a-token');
  });

  test('is neither set nor read over http elsewhere', () => {
    for (const build of [
      () => buildSessionCookie('a-token', 'http://daybook.example.com'),
      () => buildEndedCookie('http://daybook.example.com'),
    ])
      expect(build).toThrow(expect.objectContaining({ code: 'invalid_request' }));
    for (const name of ['__Host-daybook', 'daybook_80', 'undefined'])
      expect(read('http://daybook.example.com/v1/users', `${name}=a-token`)).toBeUndefined();
  });

  test('is found among others, by its whole name', () => {
    const url = 'http://localhost:8787/v1/users';
    expect(read(url, 'a=1; daybook_8787=a-token;b=2')).toBe('a-token');
    expect(read(url, 'daybook_8787=with=signs')).toBe('with=signs');
    for (const cookie of [undefined, '', 'daybook_8788=x', 'daybook_87870=x', 'xdaybook_8787=x', '__Host-daybook=x'])
      expect([cookie, read(url, cookie)]).toEqual([cookie, undefined]);
    expect(read('https://daybook.example.com/v1/users', 'daybook_443=x')).toBeUndefined();
  });
});

describe('a request', () => {
  const url = 'https://daybook.example.com/v1/users';
  const own = 'https://daybook.example.com';

  test.each([
    [{}, false],
    [{ 'sec-fetch-site': 'same-origin' }, true],
    [{ 'sec-fetch-site': 'same-site' }, false],
    [{ 'sec-fetch-site': 'cross-site' }, false],
    [{ 'sec-fetch-site': 'none' }, false],
    [{ origin: own }, true],
    [{ origin: 'null' }, false],
    [{ origin: 'http://daybook.example.com' }, false],
    [{ origin: `${own}:8443` }, false],
    [{ origin: 'https://evil.daybook.example.com' }, false],
    [{ 'sec-fetch-site': 'same-origin', origin: own }, true],
    [{ 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' }, false],
    [{ 'sec-fetch-site': 'cross-site', origin: own }, false],
  ])('with %o comes from our own pages: %s', (headers: Record<string, string>, isOwn) => {
    const request = requestTo(url, headers);
    expect(isFromOwnOrigin(request)).toBe(isOwn);
    if (isOwn) assertOwnOrigin(request);
    else expect(() => assertOwnOrigin(request)).toThrow(expect.objectContaining({ code: 'unauthorized' }));
  });
});
