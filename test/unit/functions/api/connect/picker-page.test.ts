import { describe, expect, test } from 'vitest';
import { buildAppUrl } from '../../../../../functions/api/connect/app-url.ts';
import { renderConfirmPage } from '../../../../../functions/api/connect/confirm-page.ts';
import { renderPickerPage } from '../../../../../functions/api/connect/picker-page.ts';
import { atMs, linkedDevice, linkedUser } from '../../../../harness/linked-user.ts';

const time = { nowMs: atMs, zone: 'Europe/Berlin' };
const rowTexts = (html: string): string[] =>
  [...html.matchAll(/<li>(.*?)<\/li>/gs)].map(([, row = '']) =>
    row
      .replaceAll(/<span class="mark[^>]*>.<\/span>/g, '')
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .replaceAll(' .', '.')
      .trim(),
  );

describe('the page of a connect link', () => {
  const rows = rowTexts(renderPickerPage(linkedUser(), time, undefined).html);

  test('shows the state of each device, syncing devices first', () => {
    expect(rows.slice(0, 7)).toEqual([
      'Oura Connected since 1 March 2026. Last data 5 minutes ago. Disconnect Oura',
      'WHOOP Connected since 1 March 2026. Last data 5 minutes ago. Fetching your history: 60 of 180 days Disconnect WHOOP',
      'Polar Connected since 1 March 2026. Last data 5 minutes ago. Polar is not responding at the moment. We keep trying, and nothing is lost. Disconnect Polar',
      'Suunto Connected since 1 March 2026. Waiting for the first data. Something is not working on our side. We keep trying, and nothing is lost. Disconnect Suunto',
      'Apple Health: My watch Connected since 1 March 2026. Last data 5 minutes ago. Disconnect Apple Health: My watch',
      'Garmin Garmin no longer grants access. Its data is kept. Connect it again to continue. Remove Garmin',
      'Oura Replaced by a newer connection. Its data is kept until you remove it. Remove Oura',
    ]);
  });

  test('offers providers that are not connected, and reports failures that were not the choice of the user', () => {
    expect(rows.slice(7).map((row) => row.split(' ')[0])).toEqual(['Garmin', 'Strava', 'Withings', 'COROS']);
    expect(rows[8]).toContain('The last attempt failed. Strava did not respond');
    expect(rows[9]).not.toContain('The last attempt');
  });

  test('reports the latest attempt of devices that were never connected, and of no others', () => {
    const failed = { provider: 'strava', status: 'failed', error: 'provider_unavailable', connectedMs: null } as const;
    const renderAttempts = (...devices: Parameters<typeof linkedDevice>[1][]) => {
      const rows = devices.map((each, at) => linkedDevice(`dev_${at}`, { provider: 'strava', ...each }));
      return renderPickerPage(linkedUser({ devices: rows, offered: ['strava'] }), time, undefined).html;
    };
    const ended = { status: 'disconnected', error: 'consent_ended' } as const;
    expect(renderAttempts(failed, ended)).toContain('The last attempt failed');
    expect(renderAttempts(failed, { status: 'pending', connectedMs: null })).not.toContain('The last attempt');
    expect(renderAttempts({ ...failed, error: 'access_denied' }, failed)).toContain('The last attempt failed');
  });

  test('counts no more days than there are', () => {
    const sync = { state: 'backfilling', from: '2026-03-01', to: '2026-03-10', doneDays: 12 } as const;
    const { html } = renderPickerPage(linkedUser({ devices: [linkedDevice('dev_1', { sync })] }), time, undefined);
    expect(html).toContain('10 of 10 days');
  });

  test('says when there is nothing to connect', () => {
    const none = renderPickerPage(linkedUser({ devices: [], offered: [] }), time, undefined).html;
    expect(none).toContain('Nothing can be connected here at the moment.');
    const all = renderPickerPage(linkedUser({ offered: ['oura'] }), time, undefined).html;
    expect(all).toContain('Everything available here is already connected.');
  });

  test.each([
    [30_000, 'just now'],
    [60_000, '1 minute ago'],
    [59 * 60_000, '59 minutes ago'],
    [3_600_000, '1 hour ago'],
    [23 * 3_600_000, '23 hours ago'],
    [24 * 3_600_000, 'on 13 March 2026'],
    [-5_000, 'just now'],
  ])('shows data of %i ms ago as %s', (agoMs, expectedText) => {
    const devices = [linkedDevice('dev_1', { lastSyncMs: atMs - agoMs })];
    const [row = ''] = rowTexts(renderPickerPage(linkedUser({ devices }), time, undefined).html);
    expect(row).toContain(`Last data ${expectedText}`);
  });

  test('shows dates in the time zone of the user', () => {
    const devices = [linkedDevice('dev_1')];
    const tokyo = renderPickerPage(linkedUser({ devices }), { nowMs: atMs, zone: 'Asia/Tokyo' }, undefined).html;
    expect(rowTexts(tokyo)[0]).toContain('since 2 March 2026');
  });

  test('names the account in its lead and in the link back, escaped, and has no link back without a URL', () => {
    const here = linkedUser({ redirectUrl: 'https://app.example.com/a?b=1&c="' });
    const { html } = renderPickerPage(here, time, undefined, 'Run <b>& Co');
    expect(html).toContain('Choose what Run &lt;b&gt;&amp; Co can read.');
    expect(html).toContain('<a href="https://app.example.com/a?b=1&amp;c=&quot;">Back to Run &lt;b&gt;&amp; Co</a>');
    expect(renderPickerPage(linkedUser(), time, undefined, 'Run').html).not.toContain('Back to');
  });

  test('escapes the device name that a phone reports', () => {
    const devices = [linkedDevice('dev_1', { provider: 'apple_health', connection: 'sdk', name: '<img src=x>' })];
    const { html } = renderPickerPage(linkedUser({ devices }), time, undefined);
    expect(html).not.toContain('<img');
    expect(html).toContain('Apple Health: &lt;img src=x&gt;');
  });
});

test.each([
  [{}, 'Disconnect Oura?', 'We tell Oura that access has ended'],
  [
    { provider: 'apple_health', connection: 'sdk', model: 'Watch7,1' },
    'Disconnect Apple Health: Watch7,1?',
    'Your phone stops sending data',
  ],
  [{ status: 'disconnected' }, 'Remove Oura?', 'All of its data is removed'],
] as const)(
  'the confirmation before a device is removed says what is removed with it (%j)',
  (more, heading, expectedText) => {
    const { html } = renderConfirmPage(linkedDevice('dev_1', more));
    expect(html).toContain(`<h1>${heading}</h1>`);
    expect(html).toContain(expectedText);
    // A consent that has ended cannot end again.
    expect(html.includes('that access has ended')).toBe(heading === 'Disconnect Oura?');
  },
);

test.each([
  ['https://a.example', 'https://a.example?status=connected&device_id=dev_1'],
  ['https://a.example/?', 'https://a.example/?status=connected&device_id=dev_1'],
  ['https://a.example/x#f?g', 'https://a.example/x?status=connected&device_id=dev_1#f?g'],
  ['https://a.example/x?a=%C3%A4+b&&c', 'https://a.example/x?a=%C3%A4+b&c&status=connected&device_id=dev_1'],
  ['https://a.example/x?st%61tus=error&error=no', 'https://a.example/x?status=connected&device_id=dev_1'],
])('the outcome is added to %s as %s', (redirectUrl, expected) => {
  const outcome = {
    provider: 'oura',
    problem: undefined,
    deviceId: 'dev_1',
    redirectUrl,
    returnTo: undefined,
  } as const;
  expect(buildAppUrl(outcome)).toBe(expected);
});
