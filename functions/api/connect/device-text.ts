// Text about a device for its owner: its name, its state and when it last sent data.

import { type Markup, markup } from '../../../shared/platform/markup.ts';
import { getProviderLabel } from '../../../shared/providers/provider-label.ts';
import type { DeviceRow } from '../../../shared/users/device-rows.ts';
import { renderSyncState } from './sync-text.ts';

const minuteMs = 60_000;
const hourMs = 3_600_000;

/** The current time in the time zone of the user's profile, or in UTC when the profile has none. */
export interface UserClock {
  nowMs: number;
  zone: string | null;
}

/** The name or model distinguishes several devices on a phone. */
export function formatDeviceName({ provider, connection, name, model }: DeviceRow): string {
  const ownName = connection === 'sdk' ? (name ?? model) : '';
  return ownName === '' ? getProviderLabel(provider) : `${getProviderLabel(provider)}: ${ownName}`;
}

export function renderDeviceState(device: DeviceRow, time: UserClock): Markup {
  if (device.status === 'disconnected' || device.status === 'replaced') return renderEnded(device);
  const since =
    device.connectedMs === null ? undefined : markup`<p>Connected since ${renderDay(device.connectedMs, time)}.</p>`;
  const data =
    device.lastSyncMs === null
      ? 'Waiting for the first data.'
      : markup`Last data ${renderAgo(device.lastSyncMs, time)}.`;
  return markup`${since}<p>${data}</p>${renderSyncState(device)}`;
}

const renderEnded = ({ provider, status }: DeviceRow): Markup =>
  status === 'replaced'
    ? markup`<p>Replaced by a newer connection. Its data is kept until you remove it.</p>`
    : markup`<p class="warning">${getProviderLabel(provider)} no longer grants access. Its data is kept. Connect it again to continue.</p>`;

function renderDay(ms: number, { zone }: UserClock): Markup {
  const text = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: zone ?? 'UTC' }).format(ms);
  return markup`<time datetime="${new Date(ms).toISOString()}">${text}</time>`;
}

function renderAgo(ms: number, time: UserClock): Markup {
  const passed = Math.max(0, time.nowMs - ms);
  if (passed >= 24 * hourMs) return markup`on ${renderDay(ms, time)}`;
  const agoText =
    passed < minuteMs
      ? 'just now'
      : passed < hourMs
        ? formatAgo(Math.floor(passed / minuteMs), 'minute')
        : formatAgo(Math.floor(passed / hourMs), 'hour');
  return markup`<time datetime="${new Date(ms).toISOString()}">${agoText}</time>`;
}

const formatAgo = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'} ago`;
