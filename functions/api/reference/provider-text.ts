// A provider's facts in words, the same on every page about it.

import type { DeviceType } from '../../../shared/catalog/provider.ts';
import { connectMinutes } from '../../../shared/connections/connection.ts';
import { quickPollMinutes } from '../../../shared/connections/sync/poll-interval.ts';
import type {
  CloudDescriptor,
  ProviderDescriptor,
  ProviderRateLimit,
} from '../../../shared/providers/kit/descriptor.ts';

export const deviceTypeNames: Readonly<Record<DeviceType, string>> = {
  ring: 'Ring',
  wrist: 'Watch or band',
  scale: 'Scale',
  phone: 'Phone',
  app: 'App',
  cgm: 'Glucose sensor',
};

export function describeArrival(provider: ProviderDescriptor): string {
  if (provider.connection === 'sdk') return 'Uploaded by your app through the Mobile SDK.';
  const { push, sync } = provider;
  if (!push)
    return `Asked for every ${formatSpan(quickPollMinutes)} while it brings data, and every ${formatSpan(sync.pollIntervalMinutes).replace(/^1 /, '')} at night and when it is silent.`;
  const arrival = push.carriesData ? 'Pushed, with the data itself.' : 'Announced by a push, then read.';
  return sync.maxSilenceMinutes === null
    ? `${arrival} It may not be asked.`
    : `${arrival} Asked for when nothing came for ${formatSpan(sync.maxSilenceMinutes)}.`;
}

export const describeHistory = ({ historyDays }: ProviderDescriptor): string => plural(historyDays, 'day');

export const describeRateLimits = ({ rateLimits: limits }: CloudDescriptor): string[] =>
  limits.map(
    ({ requests, seconds, per }) =>
      `${formatNumber(requests)} requests ${formatInterval(seconds)}${rateLimitScopeTexts[per]}`,
  );

const rateLimitScopeTexts: Readonly<Record<ProviderRateLimit['per'], string>> = {
  deployment: '',
  person: ' for each person',
};

export const describeTokenInvalidation = ({
  name,
  invalidTokenPolicy: { minReports: times, minMinutesApart: minutesApart },
}: CloudDescriptor): string =>
  times === 1
    ? `A connection ends when ${name} says that its token is dead.`
    : `A connection ends when ${name} has said ${times} times, ${formatSpan(minutesApart)} apart, that its token is dead. Outages and errors never end one.`;

export const connectLinkText = `A link to connect works once, for ${connectMinutes} minutes, in the browser that opened it.`;

export const describePkce = ({ name, oauth: { pkce } }: CloudDescriptor): string =>
  pkce ? 'An S256 challenge is sent.' : `${name} does not document PKCE, so no challenge is sent.`;

const formatInterval = (seconds: number): string =>
  seconds === 86_400 ? 'a day' : seconds === 60 ? 'a minute' : `in ${formatSpan(seconds / 60)}`;

function formatSpan(minutes: number): string {
  if (minutes % 1440 === 0) return plural(minutes / 1440, 'day');
  return minutes % 60 === 0 ? plural(minutes / 60, 'hour') : plural(minutes, 'minute');
}

const plural = (count: number, unit: string): string => `${formatNumber(count)} ${unit}${count === 1 ? '' : 's'}`;
const formatNumber = (count: number): string => new Intl.NumberFormat('en-US').format(count);
