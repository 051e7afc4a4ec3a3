// Texts about a provider, the same on every page.

import { type DeviceType, providerIds } from '../../../shared/catalog/provider.ts';
import { countPolledPeople, quickPollMinutes } from '../../../shared/connections/client/poll-share.ts';
import { canBePolled } from '../../../shared/connections/client/sync-backoff.ts';
import { connectMinutes } from '../../../shared/connections/connection.ts';
import type {
  CloudDescriptor,
  ProviderDescriptor,
  ProviderRateLimit,
} from '../../../shared/providers/kit/descriptor.ts';
import { getProviderLabel } from '../../../shared/providers/provider-label.ts';

export const providerNames = Object.fromEntries(providerIds.map((id) => [id, getProviderLabel(id)]));

export const deviceTypeNames: Readonly<Record<DeviceType, string>> = {
  ring: 'Ring',
  wrist: 'Watch or band',
  scale: 'Scale',
  phone: 'Phone',
  app: 'App',
  cgm: 'Glucose sensor',
};

export function describeArrival(provider: ProviderDescriptor): string {
  if (provider.connection === 'sdk') return 'Your app uploads it through the Mobile SDK.';
  const { push, sync } = provider;
  if (!push)
    return `Polled every ${formatSpan(quickPollMinutes)} while data arrives, and every ${formatSpan(sync.pollIntervalMinutes).replace(/^1 /, '')} at night and when no data arrives.`;
  const arrival = push.carriesData ? 'Pushed, including the data.' : 'Announced by a push, then fetched.';
  return sync.maxSilenceMinutes === null
    ? `${arrival} Never polled.`
    : `${arrival} Polled every ${formatSpan(quickPollMinutes)} until the first push of a user arrives, and when none has arrived for twice the usual time.`;
}

export const describeHistory = ({ historyDays }: ProviderDescriptor): string => plural(historyDays, 'day');

export const describeRateLimits = ({ rateLimits: limits }: CloudDescriptor): string[] =>
  limits.map(
    ({ requests, seconds, per }) =>
      `${formatNumber(requests)} requests ${formatInterval(seconds)}${rateLimitScopeTexts[per]}`,
  );

/** Undefined for a provider that is never polled. */
export const describePollCapacity = (provider: CloudDescriptor): string | undefined =>
  canBePolled(provider)
    ? `Polls reach about ${plural(countPolledPeople(provider, quickPollMinutes), 'person', 'people')} every ${formatSpan(quickPollMinutes)}, or ${formatNumber(countPolledPeople(provider, 60))} every hour`
    : undefined;

const rateLimitScopeTexts: Readonly<Record<ProviderRateLimit['per'], string>> = {
  deployment: '',
  person: ' per user',
};

export const describeTokenInvalidation = ({
  name,
  invalidTokenPolicy: { minReports: times, minMinutesApart: minutesApart },
}: CloudDescriptor): string =>
  times === 1
    ? `A connection ends when ${name} reports that its token is invalid.`
    : `A connection ends when ${name} has reported ${times} times, ${formatSpan(minutesApart)} apart, that its token is invalid. Outages and errors never end a connection.`;

export const connectLinkText = `A link to the consent page works once, for ${connectMinutes} minutes, in the browser that opened it.`;

export const describePkce = ({ name, oauth: { pkce } }: CloudDescriptor): string =>
  pkce ? 'An S256 challenge is sent.' : `${name} does not document PKCE, so no challenge is sent.`;

const formatInterval = (seconds: number): string =>
  seconds === 86_400 ? 'a day' : seconds === 60 ? 'a minute' : `in ${formatSpan(seconds / 60)}`;

function formatSpan(minutes: number): string {
  if (minutes % 1440 === 0) return plural(minutes / 1440, 'day');
  return minutes % 60 === 0 ? plural(minutes / 60, 'hour') : plural(minutes, 'minute');
}

const plural = (count: number, unit: string, units = `${unit}s`): string =>
  `${formatNumber(count)} ${count === 1 ? unit : units}`;
const formatNumber = (count: number): string => new Intl.NumberFormat('en-US').format(count);
