// Creates, reads, updates and deletes users. A user of another account is treated as missing.

import { mergeRule } from '../catalog/merge-rule.ts';
import { defaultSandboxDays, personaAges } from '../catalog/sandbox.ts';
import { scoringGeneration } from '../catalog/score-table.ts';
import { userEvent } from '../events/new-event.ts';
import { optimisticRetry } from '../platform/optimistic-retry.ts';
import { TransactionCanceled, type Write } from '../platform/ports.ts';
import { utcDay } from '../platform/time/local-day.ts';
import { formatTimestamp } from '../platform/time/time.ts';
import { type Caller, canSeeValues } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import { Failure } from '../system/failure.ts';
import { UserId } from '../system/ids.ts';
import { newId } from '../system/new-id.ts';
import { wakeWorker } from '../system/wake-worker.ts';
import { type CoalescedCommandKind, commandRows } from './command-rows.ts';
import { findUser, isLookup, type UserLookup } from './find-user.ts';
import { noPendingScores } from './pending-scores.ts';
import type { Profile } from './profile.ts';
import { type SeedRow, seedRows } from './seed-rows.ts';
import { assertShared } from './sharing.ts';
import type { NewUser, User, UserPatch } from './user.ts';
import { haveDayBoundariesChanged, type UserRow, userRows } from './user-rows.ts';
import { wakeUser } from './wake-user.ts';

const staleAfterMs = 24 * 3600 * 1000;
/** Of concurrent changes to a user, one succeeds in each round. */
const maxRetries = 20;

export const userNotFound = (userId: string): Failure =>
  new Failure('not_found', `User ${userId.slice(0, 64)} not found.`);

/**
 * Returns the caller's own user. Every other case is the same `not_found`; throws `sharing_revoked`
 * while the user shares no data.
 */
export async function getAuthorizedUser(deps: Deps, caller: Owner, userId: string): Promise<UserRow> {
  const row = await getAuthorizedUserIncludingUnshared(deps, caller, userId);
  assertShared(row);
  return row;
}

/** For endpoints that neither return nor accept health data. */
export async function getAuthorizedUserIncludingUnshared(deps: Deps, caller: Owner, userId: string): Promise<UserRow> {
  const row = UserId.safeParse(userId).success ? await userRows(deps.store).findById(userId) : undefined;
  return assertOwnsUser(caller, userId, row);
}

type Owner = Pick<Caller, 'account' | 'env'>;

export function assertOwnsUser(caller: Owner, userId: string, row: UserRow | undefined): UserRow {
  const owned = row && row.status !== 'deleting' && row.account === caller.account && row.env === caller.env;
  if (!owned) throw userNotFound(userId);
  return row;
}

/**
 * The seed row of a new sandbox user already schedules its data; the message only starts it at
 * once. A user without data needs neither.
 */
export async function createUser(deps: Deps, caller: Caller, input: NewUser): Promise<User> {
  const { row, writes } = prepareUser(deps, caller, input);
  try {
    await deps.store.commit(writes);
  } catch (error) {
    throw toReferenceTaken(error, row.reference) ?? error;
  }
  if (row.env === 'sandbox' && row.profile.sandbox_persona !== 'empty')
    await wakeWorker(deps, 'seed', { user_id: row.id });
  return presentUser(row, caller);
}

/**
 * Returns a user that is not written yet, with its event, for callers that create it together with
 * other items.
 */
export function prepareUser(deps: Deps, caller: Owner, input: NewUser): { row: UserRow; writes: Write[] } {
  const now = deps.clock.now();
  const inSandbox = caller.env === 'sandbox';
  for (const field of sandboxFields)
    if (!inSandbox && input.profile?.[field]) throw refuseField(field, 'it is only available for sandbox users');
  const row: UserRow = {
    id: newId(deps, 'user'),
    account: caller.account,
    env: caller.env,
    reference: parseReference(input) ?? null,
    timezone: input.timezone ?? null,
    dayRule: input.day_rule ?? 'profile',
    timezoneSource: 'caller',
    profile: buildProfile(input.profile ?? {}, now),
    status: 'active',
    createdMs: now,
    lastSyncMs: null,
    lastScoreMs: null,
    scoreGeneration: scoringGeneration,
    mergeRule,
    revision: 0,
    fence: 0,
    sessionsOpened: 0,
    lastUploads: {},
    scores: noPendingScores,
    sharingEpoch: 0,
    unshared: null,
  };
  const writes = [
    ...userRows(deps.store).buildInsert(row),
    userEvent(deps, 'user.created', row),
    ...(inSandbox ? [seedRows(deps.store).buildInsert(row.id, buildSeed(row))] : []),
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
    return { users: row ? [presentUser(row, caller)] : [], nextAfterId: undefined };
  }
  const page = await userRows(deps.store).readPage(caller.account, caller.env, limit, afterId);
  return {
    users: page.users.map((row) => presentUser(row, caller)),
    nextAfterId: page.more ? page.users.at(-1)?.id : undefined,
  };
}

/** Retries when another change was written in between. */
export async function updateUser(deps: Deps, caller: Caller, userId: string, patch: UserPatch): Promise<User> {
  return optimisticRetry({ what: 'a user', retries: maxRetries }, async () => {
    const before = await getAuthorizedUserIncludingUnshared(deps, caller, userId);
    const after = applyUserPatch(before, patch);
    if (JSON.stringify(after) === JSON.stringify(before)) return presentUser(before, caller);
    const followUps: CoalescedCommandKind[] = [
      ...(haveDayBoundariesChanged(before, after) ? (['recount'] as const) : []),
      ...(serializeScoringInputs(after.profile) === serializeScoringInputs(before.profile)
        ? []
        : (['rescore'] as const)),
    ];
    try {
      await deps.store.commit([
        ...userRows(deps.store).buildUpdate(before, after),
        ...followUps.map((kind) =>
          commandRows(deps.store).buildRequest(userId, kind, newId(deps, 'command'), deps.clock.now()),
        ),
      ]);
    } catch (error) {
      const takenFailure = after.reference === before.reference ? undefined : toReferenceTaken(error, after.reference);
      // If the user itself took the reference in the meantime, the retry detects it.
      throw takenFailure && takenFailure.details['user_id'] !== userId ? takenFailure : error;
    }
    if (followUps.length > 0) await wakeUser(deps, userId);
    return presentUser(after, caller);
  });
}

/** Leaves out the profile for a caller who may not see values. */
export function presentUser(row: UserRow, caller: Pick<Caller, 'role'>): User {
  return {
    id: row.id,
    external_ref: row.reference,
    timezone: row.timezone,
    day_rule: row.dayRule,
    timezone_source: row.timezone === null ? null : row.timezoneSource,
    profile: canSeeValues(caller) ? row.profile : {},
    status: row.status === 'unshared' ? 'unshared' : 'active',
    score_status: scoreStatus(row),
    last_sync_at: row.lastSyncMs === null ? null : formatTimestamp(row.lastSyncMs),
    last_score_at: row.lastScoreMs === null ? null : formatTimestamp(row.lastScoreMs),
    created_at: formatTimestamp(row.createdMs),
  };
}

function scoreStatus(row: UserRow): User['score_status'] {
  if (row.lastScoreMs === null) return 'calibrating';
  return row.lastSyncMs !== null && row.lastSyncMs - row.lastScoreMs >= staleAfterMs ? 'stale' : 'ready';
}

function parseReference(input: NewUser | UserPatch): string | null | undefined {
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

function toReferenceTaken(error: unknown, reference: string | null): Failure | undefined {
  if (reference === null || !(error instanceof TransactionCanceled)) return undefined;
  const holder = error.failures[0]?.item?.user;
  if (typeof holder !== 'string') return undefined;
  return new Failure(
    'external_ref_taken',
    'Another user already has this external_ref (also called reference_id). Use that user, or send another value.',
    {
      details: { user_id: holder },
      cause: error,
    },
  );
}

/** The row of an `empty` user waits until a device is connected. */
function buildSeed({ timezone, profile, createdMs }: UserRow): SeedRow {
  const persona = profile.sandbox_persona ?? 'average';
  return {
    zone: timezone,
    persona,
    days: profile.sandbox_days ?? defaultSandboxDays,
    lifeSeed: profile.sandbox_seed ?? null,
    history: null,
    fedMs: null,
    pushedMs: {},
    ...(persona === 'empty' ? { devices: {}, nextMs: null } : { devices: null, nextMs: createdMs }),
  };
}

/** What decides a sandbox user's data, from the creation on. */
const sandboxFields = ['sandbox_persona', 'sandbox_days', 'sandbox_seed'] as const satisfies (keyof Profile)[];

const refuseField = (field: (typeof sandboxFields)[number], why: string): Failure =>
  new Failure('invalid_body', `profile.${field} cannot be set: ${why}.`, {
    details: { issues: [{ path: `profile.${field}`, message: why }] },
  });

function applyUserPatch(row: UserRow, patch: UserPatch): UserRow {
  const reference = parseReference(patch);
  const { sandbox_persona, sandbox_days, sandbox_seed } = row.profile;
  for (const field of sandboxFields) {
    const requested = patch.profile?.[field];
    if (requested !== undefined && requested !== (row.profile[field] ?? null))
      throw refuseField(field, 'it can only be set when a sandbox user is created');
  }
  return {
    ...row,
    reference: reference === undefined ? row.reference : reference,
    dayRule: patch.day_rule === undefined ? row.dayRule : (patch.day_rule ?? 'profile'),
    ...(patch.timezone === undefined ? {} : { timezone: patch.timezone, timezoneSource: 'caller' }),
    profile:
      patch.profile === undefined
        ? row.profile
        : patch.profile === null
          ? withoutNulls({ sandbox_persona, sandbox_days, sandbox_seed })
          : withoutNulls({ ...row.profile, ...patch.profile }),
  };
}

/** The profile fields that scores depend on. */
const serializeScoringInputs = ({ date_of_birth, weight_kg, height_cm }: Profile): string =>
  JSON.stringify([date_of_birth, weight_kg, height_cm]);

/** A persona with an age gets a date of birth if none is sent. */
function buildProfile(profile: Profile, nowMs: number): Profile {
  const provided = withoutNulls(profile);
  const age = provided.sandbox_persona ? personaAges[provided.sandbox_persona] : undefined;
  return age === undefined ? provided : { date_of_birth: birthDateFor(age, nowMs), ...provided };
}

/** The last birthday was half a year ago, so that the age stays the same for a while. */
function birthDateFor(years: number, nowMs: number): string {
  const now = new Date(nowMs);
  return utcDay(Date.UTC(now.getUTCFullYear() - years, now.getUTCMonth() - 6, now.getUTCDate()));
}

function withoutNulls(profile: Profile): Profile {
  return Object.fromEntries(Object.entries(profile).filter(([, value]) => value !== null && value !== undefined));
}
