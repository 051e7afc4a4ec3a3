// Creating, reading, changing and deleting users. A foreign user and a missing one are the same thing here.

import { personaAges } from '../catalog/sandbox.ts';
import { scoringGeneration } from '../catalog/score-table.ts';
import { userEvent } from '../events/new-event.ts';
import { optimisticRetry } from '../platform/optimistic-retry.ts';
import { TransactionRefused, type Write } from '../platform/ports.ts';
import { utcDay } from '../platform/time/local-day.ts';
import { timestamp } from '../platform/time/time.ts';
import type { Caller } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import { Failure } from '../system/failure.ts';
import { UserId } from '../system/ids.ts';
import { newId } from '../system/new-id.ts';
import { wake } from '../system/wake.ts';
import { type AskedKind, commandRows } from './command-rows.ts';
import { findUser, isLookup, type UserLookup } from './find-user.ts';
import { noOwedScores } from './owed-scores.ts';
import type { Profile } from './profile.ts';
import { type SeedRow, seedRows } from './seed-rows.ts';
import { mustShare } from './sharing.ts';
import type { NewUser, User, UserPatch } from './user.ts';
import { countsOtherwise, type UserRow, userRows } from './user-rows.ts';

const staleAfterMs = 24 * 3600 * 1000;
/** Of those who change a user at once each waits for the others. */
const mostRetries = 20;

export const userNotFound = (userId: string): Failure =>
  new Failure('not_found', `User ${userId.slice(0, 64)} not found.`);

/**
 * The caller's own user, or the one answer for every other case; throws `sharing_revoked` while the
 * person shares nothing.
 */
export async function ownUser(deps: Deps, caller: Owner, userId: string): Promise<UserRow> {
  const row = await ownUserEvenUnshared(deps, caller, userId);
  mustShare(row);
  return row;
}

/** For calls that tell no health value and take none in. */
export async function ownUserEvenUnshared(deps: Deps, caller: Owner, userId: string): Promise<UserRow> {
  const row = UserId.safeParse(userId).success ? await userRows(deps.store).byId(userId) : undefined;
  return mustOwn(caller, userId, row);
}

type Owner = Pick<Caller, 'account' | 'env'>;

export function mustOwn(caller: Owner, userId: string, row: UserRow | undefined): UserRow {
  const owned = row && row.status !== 'deleting' && row.account === caller.account && row.env === caller.env;
  if (!owned) throw userNotFound(userId);
  return row;
}

/** In the sandbox a new user is owed data; the message only brings it at once. */
export async function createUser(deps: Deps, caller: Caller, input: NewUser): Promise<User> {
  const { row, writes } = creatingUser(deps, caller, input);
  try {
    await deps.store.commit(writes);
  } catch (error) {
    throw referenceTaken(error, row.reference) ?? error;
  }
  if (row.env === 'sandbox') await wake(deps, 'seed', { user_id: row.id });
  return presentUser(row);
}

/** A user that is yet to be written, with its event: for whoever makes one together with something else. */
export function creatingUser(deps: Deps, caller: Owner, input: NewUser): { row: UserRow; writes: Write[] } {
  const now = deps.clock.now();
  const inSandbox = caller.env === 'sandbox';
  if (!inSandbox && input.profile?.sandbox_persona) throw personaRefused('it is for users of the sandbox only');
  const row: UserRow = {
    id: newId(deps, 'user'),
    account: caller.account,
    env: caller.env,
    reference: referenceIn(input) ?? null,
    timezone: input.timezone ?? null,
    dayRule: input.day_rule ?? 'profile',
    timezoneSource: 'caller',
    profile: newProfile(input.profile ?? {}, now),
    status: 'active',
    createdMs: now,
    lastSyncMs: null,
    lastScoreMs: null,
    scoreGeneration: scoringGeneration,
    revision: 0,
    fence: 0,
    seen: {},
    scores: noOwedScores,
    sharingEpoch: 0,
    unshared: null,
  };
  const writes = [
    ...userRows(deps.store).inserting(row),
    userEvent(deps, 'user.created', row),
    ...(inSandbox ? [seedRows(deps.store).inserting(row.id, seedFor(row))] : []),
  ];
  return { row, writes };
}

export async function listUsers(
  deps: Deps,
  caller: Caller,
  { limit, afterId, ...lookup }: UserLookup & { limit: number; afterId?: string | undefined },
): Promise<{ users: User[]; nextAfterId: string | undefined }> {
  if (isLookup(lookup)) {
    const row = await findUser(deps, caller, lookup);
    return { users: row ? [presentUser(row)] : [], nextAfterId: undefined };
  }
  const page = await userRows(deps.store).page(caller.account, caller.env, limit, afterId);
  return {
    users: page.users.map(presentUser),
    nextAfterId: page.more ? page.users.at(-1)?.id : undefined,
  };
}

/** Reads and writes again when another change came between. */
export async function updateUser(deps: Deps, caller: Caller, userId: string, patch: UserPatch): Promise<User> {
  return optimisticRetry({ what: 'a user', retries: mostRetries }, async () => {
    const before = await ownUserEvenUnshared(deps, caller, userId);
    const after = patched(before, patch);
    if (JSON.stringify(after) === JSON.stringify(before)) return presentUser(before);
    const follows: AskedKind[] = [
      ...(countsOtherwise(before, after) ? (['recount'] as const) : []),
      ...(scoredBy(after.profile) === scoredBy(before.profile) ? [] : (['rescore'] as const)),
    ];
    try {
      await deps.store.commit([
        ...userRows(deps.store).changing(before, after),
        ...follows.map((kind) => commandRows(deps.store).asking(userId, kind, newId(deps, 'ask'), deps.clock.now())),
      ]);
    } catch (error) {
      const taken = after.reference === before.reference ? undefined : referenceTaken(error, after.reference);
      // When the user itself took it meanwhile, reading again shows so.
      throw taken && taken.details['user_id'] !== userId ? taken : error;
    }
    if (follows.length > 0) await wake(deps, 'person', { user_id: userId });
    return presentUser(after);
  });
}

export function presentUser(row: UserRow): User {
  return {
    id: row.id,
    external_ref: row.reference,
    timezone: row.timezone,
    day_rule: row.dayRule,
    timezone_source: row.timezone === null ? null : row.timezoneSource,
    profile: row.profile,
    status: row.status === 'unshared' ? 'unshared' : 'active',
    score_status: scoreStatus(row),
    last_sync_at: row.lastSyncMs === null ? null : timestamp(row.lastSyncMs),
    last_score_at: row.lastScoreMs === null ? null : timestamp(row.lastScoreMs),
    created_at: timestamp(row.createdMs),
  };
}

function scoreStatus(row: UserRow): User['score_status'] {
  if (row.lastScoreMs === null) return 'calibrating';
  return row.lastSyncMs !== null && row.lastSyncMs - row.lastScoreMs >= staleAfterMs ? 'stale' : 'ready';
}

function referenceIn(input: NewUser | UserPatch): string | null | undefined {
  const { external_ref, reference_id } = input;
  if (external_ref !== undefined && reference_id !== undefined && external_ref !== reference_id)
    throw new Failure(
      'invalid_body',
      'external_ref and reference_id are two names for the same field. Send only one of them.',
      {
        details: { issues: [{ path: 'reference_id', message: 'must not differ from external_ref' }] },
      },
    );
  return external_ref ?? reference_id ?? (external_ref === null || reference_id === null ? null : undefined);
}

function referenceTaken(error: unknown, reference: string | null): Failure | undefined {
  if (reference === null || !(error instanceof TransactionRefused)) return undefined;
  const holder = error.failed[0]?.item?.user;
  if (typeof holder !== 'string') return undefined;
  return new Failure(
    'external_ref_taken',
    'Another user already has this reference (external_ref or reference_id): use that user, or another reference.',
    {
      details: { user_id: holder },
      cause: error,
    },
  );
}

const seedFor = ({ timezone, profile, createdMs }: UserRow): SeedRow & { nextMs: number } => ({
  zone: timezone,
  persona: profile.sandbox_persona ?? 'average',
  devices: null,
  fedMs: null,
  nextMs: createdMs,
  pushedMs: {},
});

const personaRefused = (why: string): Failure =>
  new Failure('invalid_body', `profile.sandbox_persona cannot be set: ${why}.`, {
    details: { issues: [{ path: 'profile.sandbox_persona', message: why }] },
  });

function patched(row: UserRow, patch: UserPatch): UserRow {
  const reference = referenceIn(patch);
  const { sandbox_persona = null } = row.profile;
  const asked = patch.profile?.sandbox_persona;
  if (asked !== undefined && asked !== sandbox_persona)
    throw personaRefused('it can only be chosen when a sandbox user is created');
  return {
    ...row,
    reference: reference === undefined ? row.reference : reference,
    dayRule: patch.day_rule === undefined ? row.dayRule : (patch.day_rule ?? 'profile'),
    ...(patch.timezone === undefined ? {} : { timezone: patch.timezone, timezoneSource: 'caller' }),
    profile:
      patch.profile === undefined
        ? row.profile
        : patch.profile === null
          ? withoutNulls({ sandbox_persona })
          : withoutNulls({ ...row.profile, ...patch.profile }),
  };
}

/** The part of a profile that scores are made with. */
const scoredBy = ({ date_of_birth, weight_kg, height_cm }: Profile): string =>
  JSON.stringify([date_of_birth, weight_kg, height_cm]);

/** A persona with an age has a date of birth, whoever sends none. */
function newProfile(profile: Profile, nowMs: number): Profile {
  const sent = withoutNulls(profile);
  const age = sent.sandbox_persona ? personaAges[sent.sandbox_persona] : undefined;
  return age === undefined ? sent : { date_of_birth: bornAgo(age, nowMs), ...sent };
}

/** Its last birthday was half a year ago, so that it stays of that age for a while. */
function bornAgo(years: number, nowMs: number): string {
  const now = new Date(nowMs);
  return utcDay(Date.UTC(now.getUTCFullYear() - years, now.getUTCMonth() - 6, now.getUTCDate()));
}

function withoutNulls(profile: Profile): Profile {
  return Object.fromEntries(Object.entries(profile).filter(([, value]) => value !== null && value !== undefined));
}
