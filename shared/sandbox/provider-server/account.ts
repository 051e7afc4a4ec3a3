// An account at the simulated provider. Its name contains the sandbox profile, so that nothing has
// to be stored.
import { createHash } from 'node:crypto';
import type { CloudProviderId } from '../../catalog/provider.ts';
import {
  defaultSandboxDays,
  SandboxDays,
  SandboxPersona,
  SandboxSeed,
  type SimulatedFailure,
  simulatedFailures,
} from '../../catalog/sandbox.ts';
import { isTimeZone } from '../../platform/time/time.ts';
import type { SandboxProfile } from '../life/simulated-user.ts';

const accountPattern = new RegExp(
  `^sbx-([a-z_]+)(?:-([0-9]{1,3}))?(?:-(${simulatedFailures.join('|')}))?-([0-9a-hjkmnp-tv-z]{26})(?:~([^~]+)~)?-([\\w.+-]+)$`,
);

/**
 * The account contains the user id without its prefix, so that a user's ring and phone report the
 * same life, and two users with the same seed have two accounts.
 */
export function toSandboxAccount(
  { userId, persona, timezone, days = defaultSandboxDays, lifeSeed }: SandboxProfile,
  failure?: SimulatedFailure,
): string {
  const life = days === defaultSandboxDays ? persona : `${persona}-${days}`;
  const behavior = failure === undefined ? '' : `-${failure}`;
  const seed = lifeSeed === undefined || lifeSeed === null ? '' : `~${lifeSeed}~`;
  return `sbx-${life}${behavior}-${userId.slice('usr_'.length)}${seed}-${(timezone ?? 'UTC').replaceAll('/', '.')}`;
}

/** Undefined if the name is not such an account. */
export function parseSandboxAccount(account: string): (SandboxProfile & { timezone: string }) | undefined {
  const [, personaText, daysText, _failure, user, seedText, zoneText] = accountPattern.exec(account) ?? [];
  const persona = SandboxPersona.safeParse(personaText).data;
  const timezone = zoneText?.replaceAll('.', '/');
  if (!persona || timezone === undefined || !isTimeZone(timezone)) return undefined;
  const days = daysText === undefined ? undefined : SandboxDays.safeParse(Number(daysText)).data;
  if (daysText !== undefined && days === undefined) return undefined;
  const lifeSeed = seedText === undefined ? undefined : SandboxSeed.safeParse(seedText).data;
  if (seedText !== undefined && lifeSeed === undefined) return undefined;
  return {
    userId: `usr_${user}`,
    persona,
    timezone,
    ...(days === undefined ? {} : { days }),
    ...(lifeSeed === undefined ? {} : { lifeSeed }),
  };
}

/** Undefined if the provider works for this account. */
export function getSimulatedFailure(account: string): SimulatedFailure | undefined {
  const name = accountPattern.exec(account)?.[3];
  return simulatedFailures.find((each) => each === name);
}

const numericAccountProviders: ReadonlySet<CloudProviderId> = new Set(['whoop', 'strava', 'polar', 'withings']);

/**
 * The account id in the provider's responses and pushes; some providers use numbers. An account that
 * fails has the same id as the one that works.
 */
export function toProviderAccount(provider: CloudProviderId, accountWithFailure: string): string {
  const failure = getSimulatedFailure(accountWithFailure);
  const account = failure === undefined ? accountWithFailure : accountWithFailure.replace(`-${failure}-`, '-');
  if (!numericAccountProviders.has(provider)) return account;
  const digest = createHash('sha256').update(`${provider}\n${account}`).digest();
  return String(digest.readUIntBE(0, 6));
}
