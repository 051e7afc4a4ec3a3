import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { headingOf, openPage, pathIn, readDeviceState, redirectLocation } from '../harness/connect-steps.ts';
import { printLog } from '../harness/print-log.ts';
import { type ProviderSystem, startProviderSystem } from '../harness/provider-system.ts';

let world: ProviderSystem;

beforeAll(async () => {
  world = await startProviderSystem({ only: ['oura', 'whoop', 'withings'] });
});
afterAll(() => world.stop());

async function createLink(user: string, body: object = {}): Promise<string> {
  const response = await world.system.call('POST', `/v1/users/${user}/connect-links`, { token: world.key, body });
  expect([response.status, response.text]).toEqual([201, expect.any(String)]);
  return response.body.url;
}
const submitChoice = (link: string, choice: string) =>
  world.system.call('POST', pathIn(link), {
    raw: choice,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
const offeredProviders = (text: string): string[] =>
  [...text.matchAll(/name="connect" value="(\w+)"/g)].map(([, id = '']) => id);
const disconnectableDevices = (text: string): string[] =>
  [...text.matchAll(/href="\?disconnect=(\w+)"/g)].map(([, id = '']) => id);
const noticeText = (text: string): string =>
  (/<div class="notice[^>]*>(.*?)<\/div>/.exec(text)?.[1] ?? '').replaceAll(/<[^>]+>/g, '');

describe('the page of a connect link', () => {
  test('offers the providers configured in this deployment, or the requested subset in the requested order', async () => {
    const user = await world.user();
    expect(offeredProviders((await openPage(world.system, await createLink(user))).text)).toEqual([
      'oura',
      'whoop',
      'withings',
    ]);
    const some = await createLink(user, { providers: ['withings', 'oura'] });
    expect(offeredProviders((await openPage(world.system, some)).text)).toEqual(['withings', 'oura']);
  });

  test('offers every provider in the sandbox', async () => {
    const token = world.sandboxKey;
    const user = await world.system.user(token);
    const { body } = await world.system.call('POST', `/v1/users/${user}/connect-links`, { token, body: {} });
    const { text } = await openPage(world.system, body.url);
    expect(offeredProviders(text).length).toBeGreaterThanOrEqual(9);
    const names = [...text.matchAll(/value="\w+">Connect<span class="visually-hidden"> ([^<]+)</g)].map(
      ([, name = '']) => name,
    );
    expect(names).toContain('Fitbit (Google Health)');
    expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b, 'en')));
  });

  test('connects a device: to the provider, back to the page, with a confirmation', async () => {
    const user = await world.user();
    const link = await createLink(user);
    const pressed = await submitChoice(link, 'connect=oura');
    expect(pressed.status).toBe(303);
    const providerUrl = redirectLocation(await openPage(world.system, redirectLocation(pressed)));
    const back = await openPage(world.system, await world.fakeProvider.consent(providerUrl, 'mine'));
    expect([back.status, redirectLocation(back)]).toEqual([302, `${link}?notice=connected&provider=oura`]);
    const page = await openPage(world.system, redirectLocation(back));
    expect(noticeText(page.text)).toMatch(/^Oura is connected\./);
    expect(disconnectableDevices(page.text)).toHaveLength(1);
    expect(offeredProviders(page.text)).toEqual(['whoop', 'withings']);
  });

  test('shows a notice when the user declines at the provider', async () => {
    const link = await createLink(await world.user());
    const providerUrl = redirectLocation(
      await openPage(world.system, redirectLocation(await submitChoice(link, 'connect=oura'))),
    );
    const back = await openPage(world.system, await world.fakeProvider.consent(providerUrl, null));
    const page = await openPage(world.system, redirectLocation(back));
    expect(noticeText(page.text)).toMatch(/^Oura was not connected\. You chose not to give access/);
    expect(offeredProviders(page.text)).toEqual(['oura', 'whoop', 'withings']);
  });

  test('disconnects a device after a confirmation', async () => {
    const user = await world.user();
    const device = await world.connect(user, 'oura', 'leaving');
    const link = await createLink(user);
    expect(disconnectableDevices((await openPage(world.system, link)).text)).toEqual([device]);
    const question = await openPage(world.system, `${link}?disconnect=${device}`);
    expect([question.status, headingOf(question)]).toEqual([200, 'Disconnect Oura?']);
    expect(await readDeviceState(world.system, world.key, user, device)).toEqual({ status: 'active', error: null });
    const pressed = await submitChoice(link, `disconnect=${device}`);
    expect([pressed.status, redirectLocation(pressed)]).toEqual([303, `${link}?notice=disconnected&provider=oura`]);
    expect(await readDeviceState(world.system, world.key, user, device)).toBeUndefined();
    expect((await submitChoice(link, `disconnect=${device}`)).status).toBe(303);
    expect(disconnectableDevices((await openPage(world.system, link)).text)).toEqual([]);
  });

  test("neither shows nor disconnects another user's device", async () => {
    const other = await world.user();
    const device = await world.connect(other, 'oura', 'theirs');
    const link = await createLink(await world.user());
    expect(headingOf(await openPage(world.system, `${link}?disconnect=${device}`))).toBe('Your wearables');
    expect((await submitChoice(link, `disconnect=${device}`)).status).toBe(404);
    expect(await readDeviceState(world.system, world.key, other, device)).toEqual({ status: 'active', error: null });
  });

  test('does not connect a provider that it does not offer', async () => {
    const user = await world.user();
    const link = await createLink(user, { providers: ['oura'] });
    for (const choice of ['whoop', 'strava', 'apple_health', 'nothing']) {
      const pressed = await submitChoice(link, `connect=${choice}`);
      expect([pressed.status, redirectLocation(pressed)]).toEqual([303, expect.stringContaining('notice=not_offered')]);
    }
    const { body } = await world.get(user, 'devices');
    expect(body.data).toEqual([]);
  });

  test('rejects a submission without a known button', async () => {
    const link = await createLink(await world.user());
    expect((await submitChoice(link, 'something=else')).status).toBe(400);
  });

  test('renders only known notices, regardless of its query string', async () => {
    const link = await createLink(await world.user());
    for (const query of ['notice=<b>hi</b>', 'notice=constructor', 'notice=connected&provider=<b>', 'provider=oura']) {
      const { text } = await openPage(world.system, `${link}?${query}`);
      expect(text).not.toMatch(/<b>|hi</);
      expect(noticeText(text)).toBe(query.startsWith('notice=connected') ? expectedWord : '');
    }
  });
  const expectedWord =
    'Your wearable is connected. Your recent days arrive first; older ones follow over the next few hours.';

  test('sends the browser’s time zone for a profile that has none, and then shows the zone of its days', async () => {
    const user = await world.user({});
    const zone = async () => {
      const { body } = await world.system.call('GET', `/v1/users/${user}`, { token: world.key });
      return [body.timezone, body.timezone_source];
    };
    const link = await createLink(user);
    const before = await openPage(world.system, link);
    const script = /<script>(.*?)<\/script>/s.exec(before.text)?.[1] ?? '';
    const digest = createHash('sha256').update(script).digest('base64');
    expect(before.headers.get('content-security-policy')).toContain(`script-src 'sha256-${digest}'`);
    expect(before.text.match(/<input type="hidden" name="time_zone"/g)).toHaveLength(3);
    for (const timeZoneField of ['', '&time_zone=', '&time_zone=%2B02%3A00', '&time_zone=Mars%2FOlympus']) {
      expect((await submitChoice(link, `connect=oura${timeZoneField}`)).status).toBe(303);
      expect(await zone()).toEqual([null, null]);
    }
    expect((await submitChoice(link, 'connect=oura&time_zone=Asia%2FTokyo')).status).toBe(303);
    expect(await zone()).toEqual(['Asia/Tokyo', 'device']);
    expect((await submitChoice(link, 'connect=whoop&time_zone=Europe%2FParis')).status).toBe(303);
    expect(await zone()).toEqual(['Asia/Tokyo', 'device']);
    // Until then, the page looks for a consent that is given in another tab.
    world.system.clock.advance(15 * 60_000);
    const after = await openPage(world.system, link);
    expect(after.text).toContain('Your days follow the time zone Asia/Tokyo.');
    expect(after.text).not.toMatch(/<script|time_zone/);
    expect(after.headers.get('content-security-policy')).not.toContain('script-src');
  });

  test('links back to the app, whose address is escaped', async () => {
    const home = `https://app.example.com/?q="><script>alert(1)</script>&x='${'y'.repeat(1_900)}`;
    const link = await createLink(await world.user(), { redirect_url: home });
    const { status, text } = await openPage(world.system, link);
    expect(status).toBe(200);
    expect(text).not.toContain('<script');
    expect(text).toContain('href="https://app.example.com/?q=&quot;&gt;&lt;script&gt;');
    expect(text).toContain('>Back to a test</a>');
  });

  test('shows no token, is not cached and cannot be framed', async () => {
    const link = await createLink(await world.user());
    const response = await openPage(world.system, link);
    const token = link.slice(link.lastIndexOf('/') + 1);
    expect(response.text).not.toContain(token);
    expect(printLog(world.system.log)).not.toContain(token);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });
});

describe('a connect link', () => {
  test('is valid for 24 hours', async () => {
    const link = await createLink(await world.user());
    world.system.clock.advance(24 * 3_600_000 - 1_000);
    expect((await openPage(world.system, link)).status).toBe(200);
    world.system.clock.advance(1_000);
    const response = await openPage(world.system, link);
    expect([response.status, headingOf(response)]).toEqual([410, 'This link has expired']);
    expect((await submitChoice(link, 'connect=oura')).status).toBe(410);
  });

  test('for a deleted user, or one that was tampered with, is rejected', async () => {
    const user = await world.user();
    const link = await createLink(user);
    const altered = link.slice(0, -2) + (link.endsWith('AA') ? 'BB' : 'AA');
    expect((await openPage(world.system, altered)).status).toBe(404);
    await world.system.call('DELETE', `/v1/users/${user}`, { token: world.key });
    const response = await openPage(world.system, link);
    expect([response.status, headingOf(response)]).toEqual([404, 'This link does not work']);
    expect((await submitChoice(link, 'connect=oura')).status).toBe(404);
  });

  test.each([
    ['an unknown provider', { providers: ['fitbit'] }, 'invalid_provider'],
    ['a provider that only the mobile SDK supports', { providers: ['apple_health'] }, 'invalid_provider'],
    ['a provider without credentials', { providers: ['garmin'] }, 'invalid_provider'],
    ['no provider at all', { providers: [] }, 'invalid_body'],
    ['a redirect URL that is not https', { redirect_url: 'http://app.example.com' }, 'invalid_body'],
  ])('is not created with %s', async (_what, body, error) => {
    const path = `/v1/users/${await world.user()}/connect-links`;
    const response = await world.system.call('POST', path, { token: world.key, body });
    expect([response.status, response.body.error]).toEqual([400, error]);
  });

  test('is not created for a user of another account, who looks like a missing user', async () => {
    const user = await world.user();
    const { live_key: token } = await world.system.account();
    const requestLink = (id: string) => world.system.call('POST', `/v1/users/${id}/connect-links`, { token, body: {} });
    const missing = 'usr_01k9p3w0b1c3e5g7j9m1p3r5t7';
    const [foreign, nobody] = [await requestLink(user), await requestLink(missing)];
    expect([foreign.status, nobody.status]).toEqual([404, 404]);
    expect(foreign.text.replaceAll(user, missing)).toBe(nobody.text);
  });
});
