// A device as its owner is told about it: how it does, and since when.

import { type Markup, markup } from '../../../shared/platform/markup.ts';
import { providers } from '../../../shared/providers/catalog.ts';
import type { DeviceRow } from '../../../shared/users/device-rows.ts';
import { syncState } from './sync-words.ts';

const minuteMs = 60_000;
const hourMs = 3_600_000;

/** The person's clock: the zone of their profile, else UTC. */
export interface PersonsTime {
  nowMs: number;
  zone: string | null;
}

/** A phone's devices are told apart by their models. */
export function deviceName({ provider, connection, name, model }: DeviceRow): string {
  const own = connection === 'sdk' ? (name ?? model) : '';
  return own === '' ? providers[provider].name : `${providers[provider].name}: ${own}`;
}

export function deviceState(device: DeviceRow, time: PersonsTime): Markup {
  if (device.status === 'disconnected') return ended(device);
  const since =
    device.connectedMs === null ? undefined : markup`<p>Connected since ${day(device.connectedMs, time)}.</p>`;
  const data =
    device.lastSyncMs === null ? 'Waiting for the first data.' : markup`Last data ${ago(device.lastSyncMs, time)}.`;
  return markup`${since}<p>${data}</p>${syncState(device)}`;
}

const ended = ({ provider, error }: DeviceRow): Markup =>
  error === 'replaced'
    ? markup`<p>Replaced by a newer connection. What it brought is kept until you remove it.</p>`
    : markup`<p class="wait">${providers[provider].name} no longer gives access. What it brought is kept; connect it again to go on.</p>`;

function day(ms: number, { zone }: PersonsTime): Markup {
  const text = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: zone ?? 'UTC' }).format(ms);
  return markup`<time datetime="${new Date(ms).toISOString()}">${text}</time>`;
}

function ago(ms: number, time: PersonsTime): Markup {
  const passed = Math.max(0, time.nowMs - ms);
  if (passed >= 24 * hourMs) return markup`on ${day(ms, time)}`;
  const words =
    passed < minuteMs
      ? 'just now'
      : passed < hourMs
        ? some(Math.floor(passed / minuteMs), 'minute')
        : some(Math.floor(passed / hourMs), 'hour');
  return markup`<time datetime="${new Date(ms).toISOString()}">${words}</time>`;
}

const some = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'} ago`;
