import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Connected, startConnected } from '../harness/connected.ts';
import { headingOf, locationIn, opened, pathIn, shownDevice } from '../harness/connecting.ts';

let world: Connected;

beforeAll(async () => {
  world = await startConnected({ only: ['oura', 'whoop', 'withings'] });
});
afterAll(() => world.stop());

async function linkFor(user: string, body: object = {}): Promise<string> {
  const told = await world.system.call('POST', `/v1/users/${user}/connect-links`, { token: world.key, body });
  expect([told.status, told.text]).toEqual([201, expect.any(String)]);
  return told.body.url;
}
const press = (link: string, choice: string) =>
  world.system.call('POST', pathIn(link), {
    raw: choice,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
const offered = (text: string): string[] =>
  [...text.matchAll(/name="connect" value="(\w+)"/g)].map(([, id = '']) => id);
const leaving = (text: string): string[] => [...text.matchAll(/href="\?disconnect=(\w+)"/g)].map(([, id = '']) => id);
const notice = (text: string): string =>
  (/<div class="notice[^>]*>(.*?)<\/div>/.exec(text)?.[1] ?? '').replaceAll(/<[^>]+>/g, '');

describe('the page of a connect link', () => {
  test('offers what this deployment can connect, or the part of it that was asked for, in that order', async () => {
    const user = await world.user();
    expect(offered((await opened(world.system, await linkFor(user))).text)).toEqual(['oura', 'whoop', 'withings']);
    const some = await linkFor(user, { providers: ['withings', 'oura'] });
    expect(offered((await opened(world.system, some)).text)).toEqual(['withings', 'oura']);
  });

  test('offers everything in the sandbox', async () => {
    const token = world.sandboxKey;
    const user = await world.system.user(token);
    const { body } = await world.system.call('POST', `/v1/users/${user}/connect-links`, { token, body: {} });
    expect(offered((await opened(world.system, body.url)).text).length).toBeGreaterThanOrEqual(9);
  });

  test('connects: to the vendor, back to the page, with a word about it', async () => {
    const user = await world.user();
    const link = await linkFor(user);
    const pressed = await press(link, 'connect=oura');
    expect(pressed.status).toBe(303);
    const vendor = locationIn(await opened(world.system, locationIn(pressed)));
    const back = await opened(world.system, await world.vendor.consent(vendor, 'mine'));
    expect([back.status, locationIn(back)]).toEqual([302, `${link}?notice=connected&provider=oura`]);
    const page = await opened(world.system, locationIn(back));
    expect(notice(page.text)).toMatch(/^Oura is connected\./);
    expect(leaving(page.text)).toHaveLength(1);
    expect(offered(page.text)).toEqual(['whoop', 'withings']);
  });

  test('comes back with a word when the person refuses', async () => {
    const link = await linkFor(await world.user());
    const vendor = locationIn(await opened(world.system, locationIn(await press(link, 'connect=oura'))));
    const back = await opened(world.system, await world.vendor.consent(vendor, null));
    const page = await opened(world.system, locationIn(back));
    expect(notice(page.text)).toMatch(/^Oura was not connected\. You chose not to give access/);
    expect(offered(page.text)).toEqual(['oura', 'whoop', 'withings']);
  });

  test('disconnects after it has asked', async () => {
    const user = await world.user();
    const device = await world.connect(user, 'oura', 'leaving');
    const link = await linkFor(user);
    expect(leaving((await opened(world.system, link)).text)).toEqual([device]);
    const question = await opened(world.system, `${link}?disconnect=${device}`);
    expect([question.status, headingOf(question)]).toEqual([200, 'Disconnect Oura?']);
    expect(await shownDevice(world.system, world.key, user, device)).toEqual({ status: 'active', error: null });
    const pressed = await press(link, `disconnect=${device}`);
    expect([pressed.status, locationIn(pressed)]).toEqual([303, `${link}?notice=disconnected&provider=oura`]);
    expect(await shownDevice(world.system, world.key, user, device)).toBeUndefined();
    expect((await press(link, `disconnect=${device}`)).status).toBe(303);
    expect(leaving((await opened(world.system, link)).text)).toEqual([]);
  });

  test('neither shows nor disconnects what belongs to somebody else', async () => {
    const other = await world.user();
    const device = await world.connect(other, 'oura', 'theirs');
    const link = await linkFor(await world.user());
    expect(headingOf(await opened(world.system, `${link}?disconnect=${device}`))).toBe('Your wearables');
    expect((await press(link, `disconnect=${device}`)).status).toBe(404);
    expect(await shownDevice(world.system, world.key, other, device)).toEqual({ status: 'active', error: null });
  });

  test('connects nothing that it does not offer', async () => {
    const user = await world.user();
    const link = await linkFor(user, { providers: ['oura'] });
    for (const choice of ['whoop', 'strava', 'apple_health', 'nothing']) {
      const pressed = await press(link, `connect=${choice}`);
      expect([pressed.status, locationIn(pressed)]).toEqual([303, expect.stringContaining('notice=not_offered')]);
    }
    const { body } = await world.get(user, 'devices');
    expect(body.data).toEqual([]);
  });

  test('is told nothing by a press of no button', async () => {
    const link = await linkFor(await world.user());
    expect((await press(link, 'something=else')).status).toBe(400);
  });

  test('says only what is ours to say, whatever stands in its address', async () => {
    const link = await linkFor(await world.user());
    for (const query of ['notice=<b>hi</b>', 'notice=constructor', 'notice=connected&provider=<b>', 'provider=oura']) {
      const { text } = await opened(world.system, `${link}?${query}`);
      expect(text).not.toMatch(/<b>|hi</);
      expect(notice(text)).toBe(query.startsWith('notice=connected') ? expectedWord : '');
    }
  });
  const expectedWord =
    'Your wearable is connected. Your recent days arrive first; older ones follow over the next hours.';

  test('tells the browser’s time zone for a profile that has none, and then in which zone its days are', async () => {
    const user = await world.user({});
    const zone = async () => {
      const { body } = await world.system.call('GET', `/v1/users/${user}`, { token: world.key });
      return [body.timezone, body.timezone_source];
    };
    const link = await linkFor(user);
    const before = await opened(world.system, link);
    const script = /<script>(.*?)<\/script>/s.exec(before.text)?.[1] ?? '';
    const digest = createHash('sha256').update(script).digest('base64');
    expect(before.headers.get('content-security-policy')).toContain(`script-src 'sha256-${digest}'`);
    expect(before.text.match(/<input type="hidden" name="time_zone"/g)).toHaveLength(3);
    for (const said of ['', '&time_zone=', '&time_zone=%2B02%3A00', '&time_zone=Mars%2FOlympus']) {
      expect((await press(link, `connect=oura${said}`)).status).toBe(303);
      expect(await zone()).toEqual([null, null]);
    }
    expect((await press(link, 'connect=oura&time_zone=Asia%2FTokyo')).status).toBe(303);
    expect(await zone()).toEqual(['Asia/Tokyo', 'device']);
    expect((await press(link, 'connect=whoop&time_zone=Europe%2FParis')).status).toBe(303);
    expect(await zone()).toEqual(['Asia/Tokyo', 'device']);
    const after = await opened(world.system, link);
    expect(after.text).toContain('Your days follow the time zone Asia/Tokyo.');
    expect(after.text).not.toMatch(/<script|time_zone/);
    expect(after.headers.get('content-security-policy')).not.toContain('script-src');
  });

  test('leads back to the app, whose address is shown as text', async () => {
    const home = `https://app.example.com/?q="><script>alert(1)</script>&x='${'y'.repeat(1_900)}`;
    const link = await linkFor(await world.user(), { redirect_url: home });
    const { status, text } = await opened(world.system, link);
    expect(status).toBe(200);
    expect(text).not.toContain('<script');
    expect(text).toContain('href="https://app.example.com/?q=&quot;&gt;&lt;script&gt;');
  });

  test('shows no token, is kept nowhere and stands in no frame', async () => {
    const link = await linkFor(await world.user());
    const told = await opened(world.system, link);
    const token = link.slice(link.lastIndexOf('/') + 1);
    expect(told.text).not.toContain(token);
    expect(JSON.stringify(world.system.log)).not.toContain(token);
    expect(told.headers.get('cache-control')).toBe('no-store');
    expect(told.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });
});

describe('a connect link', () => {
  test('works for a day', async () => {
    const link = await linkFor(await world.user());
    world.system.clock.advance(24 * 3_600_000 - 1_000);
    expect((await opened(world.system, link)).status).toBe(200);
    world.system.clock.advance(1_000);
    const told = await opened(world.system, link);
    expect([told.status, headingOf(told)]).toEqual([410, 'This link has expired']);
    expect((await press(link, 'connect=oura')).status).toBe(410);
  });

  test('of a user who was deleted, or that was altered, does not work', async () => {
    const user = await world.user();
    const link = await linkFor(user);
    const altered = link.slice(0, -2) + (link.endsWith('AA') ? 'BB' : 'AA');
    expect((await opened(world.system, altered)).status).toBe(404);
    await world.system.call('DELETE', `/v1/users/${user}`, { token: world.key });
    const told = await opened(world.system, link);
    expect([told.status, headingOf(told)]).toEqual([404, 'This link does not work']);
    expect((await press(link, 'connect=oura')).status).toBe(404);
  });

  test.each([
    ['an unknown provider', { providers: ['fitbit'] }, 'invalid_provider'],
    ['a provider of the phone', { providers: ['apple_health'] }, 'invalid_provider'],
    ['a provider without credentials', { providers: ['garmin'] }, 'invalid_provider'],
    ['no provider at all', { providers: [] }, 'invalid_body'],
    ['an address that is not https', { redirect_url: 'http://app.example.com' }, 'invalid_body'],
  ])('is not made with %s', async (_what, body, error) => {
    const path = `/v1/users/${await world.user()}/connect-links`;
    const told = await world.system.call('POST', path, { token: world.key, body });
    expect([told.status, told.body.error]).toEqual([400, error]);
  });

  test('is not made for a user of somebody else, who is hidden as one that does not exist', async () => {
    const user = await world.user();
    const { live_key: token } = await world.system.account();
    const ask = (id: string) => world.system.call('POST', `/v1/users/${id}/connect-links`, { token, body: {} });
    const missing = 'usr_01k9p3w0b1c3e5g7j9m1p3r5t7';
    const [foreign, nobody] = [await ask(user), await ask(missing)];
    expect([foreign.status, nobody.status]).toEqual([404, 404]);
    expect(foreign.text.replaceAll(user, missing)).toBe(nobody.text);
  });
});
