// Requests that no user made, such as HEAD requests, prefetches and link scanners, change nothing.
import { describe, expect, test } from 'vitest';
import { connectApi } from '../../../../../functions/api/connect/app.ts';
import { connectDevice } from '../../../../../shared/connections/connect/begin-connection.ts';
import { createConnectLink } from '../../../../../shared/connections/connect/connect-link.ts';
import { listDevices } from '../../../../../shared/users/devices.ts';
import { CookieJar } from '../../../../harness/browser.ts';
import { requestInProcess } from '../../../../harness/in-process-request.ts';
import { minutes, syncWorld } from '../../../../harness/sync-world.ts';

const origin = 'https://day.example';
const htmlHeaders = { accept: 'text/html' };

const prefetchRequests = [
  ['HEAD', { method: 'HEAD' }],
  ['Sec-Purpose: prefetch', { headers: { 'sec-purpose': 'prefetch' } }],
  ['Sec-Purpose: prefetch;prerender', { headers: { 'sec-purpose': 'prefetch;prerender' } }],
  ['Purpose: prefetch', { headers: { purpose: 'prefetch' } }],
  ['X-Moz: prefetch', { headers: { 'x-moz': 'prefetch' } }],
  ['X-Purpose: preview', { headers: { 'x-purpose': 'preview' } }],
] as const;
interface PrefetchRequest {
  method?: string;
  headers?: Record<string, string>;
}

/** A user whose browser has returned from Oura, with every page they could be on. */
async function returnFromProvider() {
  const world = syncWorld();
  const user = await world.user();
  const api = connectApi(world.deps);
  const jar = new CookieJar();
  const connected = await world.connect(user, 'before');
  const { id, auth_url } = await connectDevice(world.deps, world.caller, user, { provider: 'oura' }, origin);
  const { url } = await createConnectLink(world.deps, world.caller, user, {}, origin);
  const opened = await requestInProcess(api, new URL(auth_url).pathname);
  jar.store(opened.headers);
  const authorize = new URL(opened.headers.get('location') ?? '');
  const code = world.fakeProvider.code('oura', 'ann', authorize.searchParams.get('redirect_uri') ?? '');
  const state = authorize.searchParams.get('state') ?? '';
  const at = (provider: string, query: Record<string, string>) =>
    `/connect/callback/${provider}?${new URLSearchParams({ state, ...query })}`;
  const picker = new URL(url).pathname;
  const pages = {
    link: new URL(auth_url).pathname,
    callback: at('oura', { code }),
    'callback of a refusal': at('oura', { error: 'access_denied' }),
    'callback of another provider': at('withings', { code }),
    'callback without a code': at('oura', {}),
    picker,
    'question of the picker': `${picker}?disconnect=${connected}`,
  };
  const visit = (how: PrefetchRequest, path: string, cookies = jar.headers()) =>
    requestInProcess(api, path, { ...how, headers: { ...htmlHeaders, ...how.headers, ...cookies } });
  const shown = async () => (await listDevices(world.deps, world.caller, user)).find((each) => each.id === id);
  return { world, pages, visit, shown, get: (path: string) => visit({}, path) };
}

describe.each(prefetchRequests)('a visit with %s', (_name, how) => {
  test('leaves the whole table unchanged, on every page', async () => {
    const { world, pages, visit } = await returnFromProvider();
    for (const path of Object.values(pages)) {
      const before = structuredClone(world.table.rows());
      await visit(how, path);
      expect(world.table.rows()).toEqual(before);
    }
  });

  test('leaves an expired link unchanged', async () => {
    const { world, pages, visit } = await returnFromProvider();
    world.clock.advance(minutes(15));
    const before = structuredClone(world.table.rows());
    expect((await visit(how, pages.link)).status).toBe(410);
    expect((await visit(how, pages.callback)).status).toBe('method' in how ? 410 : 425);
    expect(world.table.rows()).toEqual(before);
  });

  test('sends no request to the provider, and the user then connects in one step', async () => {
    const { world, pages, visit, shown, get } = await returnFromProvider();
    const before = world.fakeProvider.requests.length;
    const visited = await visit(how, pages.callback);
    expect([visited.status, world.fakeProvider.requests.length]).toEqual(['method' in how ? 200 : 425, before]);
    expect(visited.headers.get('cache-control')).toBe('no-store');
    expect(await visited.text()).not.toContain('code=');
    expect((await get(pages.callback)).status).toBe(200);
    expect((await shown())?.status).toBe('active');
  });
});

test.each(prefetchRequests)(
  'a refusal is recorded when the user visits, regardless of an earlier visit with %s',
  async (_name, how) => {
    const { pages, visit, shown, get } = await returnFromProvider();
    const refused = pages['callback of a refusal'];
    expect((await visit(how, refused)).status).toBe('method' in how ? 403 : 425);
    expect((await shown())?.status).toBe('pending');
    expect((await get(refused)).status).toBe(403);
    expect(await shown()).toMatchObject({ status: 'failed', error: 'access_denied' });
  },
);

test('a link scanner, which did not begin in this browser, completes nothing', async () => {
  const { world, pages, visit, shown, get } = await returnFromProvider();
  const before = structuredClone(world.table.rows());
  const scanned = await visit({}, pages.callback, {});
  expect([scanned.status, /<h1>(.*?)<\/h1>/.exec(await scanned.text())?.[1]]).toEqual([
    403,
    'Finish in the browser you started in',
  ]);
  expect(world.table.rows()).toEqual(before);
  expect((await get(pages.callback)).status).toBe(200);
  expect((await shown())?.status).toBe('active');
});
