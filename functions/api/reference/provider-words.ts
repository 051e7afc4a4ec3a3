// A provider's facts in words, the same on every page about it.

import type { DeviceType } from '../../../shared/catalog/provider.ts';
import { connectMinutes } from '../../../shared/connections/connection.ts';
import { quickPollMinutes } from '../../../shared/connections/sync/poll-pace.ts';
import type { CloudDescriptor, ProviderDescriptor, RateFacts } from '../../../shared/providers/kit/descriptor.ts';

export const deviceWords: Readonly<Record<DeviceType, string>> = {
  ring: 'Ring',
  wrist: 'Watch or band',
  scale: 'Scale',
  phone: 'Phone',
  app: 'App',
  cgm: 'Glucose sensor',
};

export function arrivalWords(provider: ProviderDescriptor): string {
  if (provider.connection === 'sdk') return 'Uploaded by your app through the Mobile SDK.';
  const { push, sync } = provider;
  if (!push)
    return `Asked for every ${span(quickPollMinutes)} while it brings data, and every ${span(sync.pollMinutes).replace(/^1 /, '')} at night and when it is silent.`;
  const told = push.data ? 'Pushed, with the data itself.' : 'Announced by a push, then read.';
  return sync.silentMinutes === null
    ? `${told} It may not be asked.`
    : `${told} Asked for when nothing came for ${span(sync.silentMinutes)}.`;
}

export const historyWords = ({ historyDays }: ProviderDescriptor): string => plural(historyDays, 'day');

export const limitWords = ({ limits }: CloudDescriptor): string[] =>
  limits.map(({ requests, seconds, per }) => `${many(requests)} requests ${within(seconds)}${perWords[per]}`);

const perWords: Readonly<Record<RateFacts['per'], string>> = { deployment: '', person: ' for each person' };

export const deadWords = ({ name, dead: { times, minutesApart } }: CloudDescriptor): string =>
  times === 1
    ? `A connection ends when ${name} says that its token is dead.`
    : `A connection ends when ${name} has said ${times} times, ${span(minutesApart)} apart, that its token is dead. Outages and errors never end one.`;

export const linkWords = `A link to connect works once, for ${connectMinutes} minutes, in the browser that opened it.`;

export const pkceWords = ({ name, oauth: { pkce } }: CloudDescriptor): string =>
  pkce ? 'An S256 challenge is sent.' : `${name} does not document PKCE, so no challenge is sent.`;

const within = (seconds: number): string =>
  seconds === 86_400 ? 'a day' : seconds === 60 ? 'a minute' : `in ${span(seconds / 60)}`;

function span(minutes: number): string {
  if (minutes % 1440 === 0) return plural(minutes / 1440, 'day');
  return minutes % 60 === 0 ? plural(minutes / 60, 'hour') : plural(minutes, 'minute');
}

const plural = (count: number, unit: string): string => `${many(count)} ${unit}${count === 1 ? '' : 's'}`;
const many = (count: number): string => new Intl.NumberFormat('en-US').format(count);
