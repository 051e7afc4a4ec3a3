// What the connect pages return in addition to their text: status, redirect and caching.
import { expect, test } from 'vitest';
import { connectApi } from '../../../../../functions/api/connect/app.ts';
import { renderOutcomePage, toLinkStatus } from '../../../../../functions/api/connect/outcome-page.ts';
import { beginConnection, connectDevice } from '../../../../../shared/connections/connect/begin-connection.ts';
import { createConnectLink } from '../../../../../shared/connections/connect/connect-link.ts';
import { getAuthorizedUserContext } from '../../../../../shared/users/authorized-user.ts';
import { maxDevices } from '../../../../../shared/users/device-states.ts';
import { CookieJar, noInitiator } from '../../../../harness/browser.ts';
import { type InProcessRequestOptions, requestInProcess } from '../../../../harness/in-process-request.ts';
import { addDevice } from '../../../../harness/stored-data.ts';
import { syncWorld } from '../../../../harness/sync-world.ts';

const origin = 'https://day.example';

async function createLinkedUser() {
  const world = syncWorld();
  const user = await world.user();
  const { url } = await createConnectLink(world.deps, world.caller, user, {}, origin);
  const page = url.slice(origin.length);
  const api = connectApi(world.deps);
  const ask = (path: string, options?: InProcessRequestOptions) => requestInProcess(api, path, options);
  const press = (form: Record<string, string>) =>
    ask(page, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
    });
  return { world, user, page, ask, press };
}
const summarizeResponse = (response: Response) => ({
  status: response.status,
  cache: response.headers.get('cache-control'),
  to: response.headers.get('location'),
});

test('no step of connecting is cached, wherever it leads', async () => {
  const { world, user, ask, press, page } = await createLinkedUser();
  const providerUrl = expect.stringContaining('https://cloud.ouraring.com/');
  const pressed = summarizeResponse(await press({ connect: 'oura' }));
  expect(pressed).toEqual({ status: 303, cache: 'no-store', to: expect.stringContaining('/connect/') });
  const first = await ask(new URL(pressed.to ?? '').pathname);
  const jar = new CookieJar();
  jar.store(first.headers);
  const opened = summarizeResponse(first);
  expect(opened).toEqual({ status: 302, cache: 'no-store', to: providerUrl });
  const state = new URL(opened.to ?? '').searchParams.get('state') ?? '';
  const openCallback = async (callbackState: string) => {
    const denied = new URLSearchParams({ state: callbackState, error: 'access_denied' });
    return summarizeResponse(await ask(`/connect/callback/oura?${denied}`, { headers: jar.headers() }));
  };
  const back = await openCallback(state);
  expect(back).toEqual({ status: 302, cache: 'no-store', to: expect.stringContaining(`${page}?notice=access_denied`) });
  const body = { provider: 'oura', redirect_url: 'https://app.example/done' };
  const { auth_url } = await connectDevice(world.deps, world.caller, user, body, origin);
  const again = await ask(new URL(auth_url).pathname, { headers: jar.headers() });
  expect(await openCallback(new URL(again.headers.get('location') ?? '').searchParams.get('state') ?? '')).toEqual({
    status: 302,
    cache: 'no-store',
    to: expect.stringContaining('https://app.example/done'),
  });
});

test('advice from the provider replaces the usual advice to the user', async () => {
  const about = { provider: 'polar', problem: 'scopes_missing', deviceId: undefined } as const;
  const ways = { redirectUrl: undefined, returnTo: undefined };
  const usual = renderOutcomePage({ ...about, ...ways }).html;
  const advised = renderOutcomePage({ ...about, ...ways, advice: 'Give your consents in Polar Flow <first>.' }).html;
  expect(usual).toContain('leave every permission switched on');
  expect(advised).not.toContain('leave every permission');
  expect(advised).toContain('Give your consents in Polar Flow &lt;first&gt;. Nothing was shared.');
});

test('a user at the device limit is notified on the page they came from', async () => {
  const { world, user, page, press } = await createLinkedUser();
  for (let at = 0; at < maxDevices; at++) await addDevice(world.deps, user, { provider: 'garmin' });
  const { status, to } = summarizeResponse(await press({ connect: 'oura' }));
  expect([status, to]).toEqual([303, expect.stringContaining(`${page}?notice=limit_reached&provider=oura`)]);
});

test('no confirmation is shown for a device that was never connected', async () => {
  const { world, user, page, ask } = await createLinkedUser();
  const context = await getAuthorizedUserContext(world.deps, world.caller, user);
  const request = { provider: 'oura', redirectUrl: null, returnTo: null, origin, ...noInitiator } as const;
  const { pending } = await beginConnection(world.deps, context.user, context.devices, request);
  const active = await addDevice(world.deps, user, { provider: 'garmin' });
  const heading = async (id: string) =>
    /<h1>(.*?)<\/h1>/.exec(await (await ask(`${page}?disconnect=${id}`)).text())?.[1];
  expect([await heading(active.id), await heading(pending.id)]).toEqual(['Disconnect Garmin?', 'Your wearables']);
});

test.each([
  ['link_expired', 410],
  ['link_used', 410],
  ['link_revoked', 410],
  ['account_suspended', 402],
  ['not_configured', 503],
  ['unknown_link', 404],
  [undefined, 404],
] as const)('a link that fails with %s returns status %i', (problem, status) => {
  expect(toLinkStatus(problem)).toBe(status);
});
