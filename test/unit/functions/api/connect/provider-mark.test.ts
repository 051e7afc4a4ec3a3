import { expect, test } from 'vitest';
import { renderConfirmPage } from '../../../../../functions/api/connect/confirm-page.ts';
import { renderDeviceState } from '../../../../../functions/api/connect/device-text.ts';
import { renderNotice } from '../../../../../functions/api/connect/notice.ts';
import { markColors, renderProviderMark } from '../../../../../functions/api/connect/provider-mark.ts';
import { renderSyncState } from '../../../../../functions/api/connect/sync-text.ts';
import { renderProvidersPage } from '../../../../../functions/api/guides/providers-page.ts';
import { renderInvalidLinkPage } from '../../../../../functions/api/sandbox-provider/consent-page.ts';
import { cloudProviderIds, providerIds } from '../../../../../shared/catalog/provider.ts';
import { pageStyles } from '../../../../../shared/http/page-styles.ts';
import { cloudProvidersByLabel, getProviderLabel } from '../../../../../shared/providers/provider-label.ts';
import { atMs, linkedDevice } from '../../../../harness/linked-user.ts';

const channel = (hex: string): number => {
  const value = Number.parseInt(hex, 16) / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
};
const luminance = (color: string): number => {
  const [red = 0, green = 0, blue = 0] = (color.match(/[0-9a-f]{2}/g) ?? []).map(channel);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
const contrastWithWhite = (color: string): number => 1.05 / (luminance(color) + 0.05);

test('the initial on each color of a mark has a contrast of at least 4.5 to 1', () => {
  const colors = [...pageStyles.matchAll(/^\.mark-\d \{ background: (#[0-9a-f]{6}); \}$/gm)].map(
    ([, color = '']) => color,
  );
  expect(colors).toHaveLength(markColors);
  expect(pageStyles).toMatch(/^\.mark \{[^}]* color: #ffffff;/m);
  for (const color of colors)
    expect([color, contrastWithWhite(color)]).toEqual([color, expect.toSatisfy((ratio) => ratio >= 4.5)]);
});

test('a mark is the initial of the name, hidden from screen readers, and no two providers share both initial and color', () => {
  const marks = providerIds.map((id) => renderProviderMark(id).html);
  expect(new Set(marks).size).toBe(providerIds.length);
  expect(renderProviderMark('oura').html).toBe('<span class="mark mark-0" aria-hidden="true">O</span>');
});

test('providers are in alphabetical order, and a user who looks for Fitbit finds Google Health', () => {
  expect(cloudProvidersByLabel.toSorted()).toEqual(cloudProviderIds.toSorted());
  expect(cloudProvidersByLabel.map(getProviderLabel).slice(0, 4)).toEqual([
    'COROS',
    'Fitbit (Google Health)',
    'Garmin',
    'Oura',
  ]);
});

test('every page calls Fitbit by the same name', () => {
  const name = 'Fitbit (Google Health)';
  const device = linkedDevice('dev_1', { provider: 'google_health' });
  const pages = [
    renderConfirmPage(device).html,
    renderNotice({ notice: 'disconnected', provider: 'google_health' })?.html ?? '',
    renderSyncState({ ...device, sync: { state: 'waiting', from: '2026-03-01', to: '2026-03-14', doneDays: 3 } })
      ?.html ?? '',
    renderDeviceState({ ...device, status: 'disconnected', error: 'consent_ended' }, { nowMs: atMs, zone: null }).html,
    renderInvalidLinkPage('google_health', 'It has expired.').html,
    renderProvidersPage().html,
  ];
  for (const html of pages) {
    expect(html).toContain(name);
    expect(html.replaceAll(name, '')).not.toMatch(/Google Health|Fitbit/);
  }
});
