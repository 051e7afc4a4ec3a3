// An account at the sandbox's vendor. Its name says whose life it is, so that nothing about it has to be stored.
import { createHash } from 'node:crypto';
import type { CloudProviderId } from '../../catalog/provider.ts';
import { SandboxPersona } from '../../catalog/sandbox.ts';
import { isTimeZone } from '../../platform/time/time.ts';
import type { SandboxLife } from '../life/sandbox-day.ts';

const written = /^sbx-([a-z_]+)-([0-9a-hjkmnp-tv-z]{26})-([\w.+-]+)$/;

/** The life's own user, without the prefix, is the account's seed: a user's ring and phone tell of the same life. */
export const accountOfLife = ({ userId, persona, timezone }: SandboxLife): string =>
  `sbx-${persona}-${userId.slice('usr_'.length)}-${(timezone ?? 'UTC').replaceAll('/', '.')}`;

/** Undefined for what no such account is called. */
export function lifeOfAccount(account: string): (SandboxLife & { timezone: string }) | undefined {
  const [, personaText, seed, zoneText] = written.exec(account) ?? [];
  const persona = SandboxPersona.safeParse(personaText).data;
  const timezone = zoneText?.replaceAll('.', '/');
  if (!persona || timezone === undefined || !isTimeZone(timezone)) return undefined;
  return { userId: `usr_${seed}`, persona, timezone };
}

const numbered: ReadonlySet<CloudProviderId> = new Set(['whoop', 'strava', 'polar', 'withings']);

/** As the vendor calls it in its answers and pushes: some know people by numbers. */
export function shownAccount(provider: CloudProviderId, account: string): string {
  if (!numbered.has(provider)) return account;
  const digest = createHash('sha256').update(`${provider}\n${account}`).digest();
  return String(digest.readUIntBE(0, 6));
}
