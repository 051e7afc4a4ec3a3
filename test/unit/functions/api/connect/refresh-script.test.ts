import { expect, test } from 'vitest';
import { renderPickerPage } from '../../../../../functions/api/connect/picker-page.ts';
import { isChanging, refreshScript } from '../../../../../functions/api/connect/refresh-script.ts';
import { timeZoneScript } from '../../../../../shared/http/time-zone-field.ts';
import { makeId } from '../../../../../shared/system/ids.ts';
import type { DeviceRow } from '../../../../../shared/users/device-rows.ts';
import { atMs, linkedDevice, linkedUser } from '../../../../harness/linked-user.ts';

const minuteMs = 60_000;
const history = { from: '2026-01-01', to: '2026-03-14', doneDays: 3 };
const createdAt = (ms: number): string => makeId('device', ms, new Uint8Array(10));
const startedBefore = (minutes: number): Partial<DeviceRow> => ({
  id: createdAt(atMs - minutes * minuteMs),
  status: 'pending',
  connectedMs: null,
  lastSyncMs: null,
});
const connectedBefore = (minutes: number): Partial<DeviceRow> => ({
  connectedMs: atMs - minutes * minuteMs,
  lastSyncMs: null,
});

const cases: readonly [what: string, device: Partial<DeviceRow>, isExpected: boolean][] = [
  ['history is being fetched', { sync: { state: 'backfilling', ...history } }, true],
  ['consent may be given in another tab', startedBefore(14), true],
  ['consent can no longer be given', startedBefore(15), false],
  ['the first data is on its way', connectedBefore(14), true],
  ['no data came for a quarter of an hour', connectedBefore(15), false],
  ['the first data has arrived', { ...connectedBefore(1), lastSyncMs: atMs }, false],
  ['everything has arrived', { sync: { state: 'current', ...history } }, false],
  ['the provider does not respond', { ...connectedBefore(1), sync: { state: 'waiting', ...history } }, false],
  ['the sync fails', { ...connectedBefore(1), sync: { state: 'failed', ...history } }, false],
  ['the consent has ended', { status: 'disconnected', sync: { state: 'backfilling', ...history } }, false],
  ['a phone has sent nothing yet', { ...connectedBefore(1), provider: 'apple_health', connection: 'sdk' }, false],
];

test.each(cases)('the page refreshes itself while a change is expected: %s', (_what, more, isExpected) => {
  const device = linkedDevice('dev_1', more);
  expect(isChanging(device, atMs)).toBe(isExpected);
  const time = { nowMs: atMs, zone: 'Europe/Berlin' };
  const { html, headers } = renderPickerPage(linkedUser({ devices: [device] }), time, undefined);
  expect(html.includes(refreshScript)).toBe(isExpected);
  expect(html.includes('<a id="refresh" href="?">')).toBe(isExpected);
  expect(html.includes('data-refresh>')).toBe(isExpected);
  expect(headers['Content-Security-Policy']?.includes("connect-src 'self'")).toBe(isExpected);
  expect(html).not.toContain('http-equiv');
});

test('every control that a refresh replaces has an id of its own, by which the focus finds it again', () => {
  const { html } = renderPickerPage(linkedUser(), { nowMs: atMs, zone: null }, undefined);
  const replaced = /<div id="wearables".*<\/div>/s.exec(html)?.[0] ?? '';
  const controls = replaced.match(/<(?:a|button) [^>]+>/g) ?? [];
  const ids = controls.map((tag) => / id="([^"]+)"/.exec(tag)?.[1]);
  expect(ids.length).toBeGreaterThan(10);
  expect(ids).not.toContain(undefined);
  expect(new Set(ids).size).toBe(ids.length);
});

test('a page that refreshes itself still reports the time zone of the browser', () => {
  const device = linkedDevice('dev_1', { sync: { state: 'backfilling', ...history } });
  const { user } = linkedUser();
  const { html } = renderPickerPage(
    linkedUser({ devices: [device], user: { ...user, timezone: null } }),
    { nowMs: atMs, zone: null },
    undefined,
  );
  expect(html).toContain(refreshScript);
  expect(html).toContain(timeZoneScript);
});
