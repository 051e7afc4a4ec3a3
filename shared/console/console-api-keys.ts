// The API keys of an account, as its colleagues manage them. Developers manage those of the sandbox.
import * as z from 'zod';
import { ApiKeyStatus, type ApiKeySummary } from '../accounts/account.ts';
import { listKeys, maxKeyOverlapMs, replaceKey, revokeKey } from '../accounts/accounts.ts';
import { Timestamp } from '../platform/time/time.ts';
import { Environment } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import { Failure } from '../system/failure.ts';
import { KeyId } from '../system/ids.ts';
import type { ColleagueCaller } from './admit-session.ts';

const hourMs = 3_600_000;
const maxOverlapHours = maxKeyOverlapMs / hourMs;

export const ConsoleKey = z
  .object({
    id: KeyId,
    environment: Environment,
    status: z.enum([...ApiKeyStatus.options, 'expired']).meta({
      description: '`ending`: replaced by another key, and accepted until `ends_at`.',
      examples: ['active'],
    }),
    key: z.string().meta({ description: 'The prefix and the last four characters.', examples: ['sk_live_…x7Qz'] }),
    created_at: Timestamp,
    ends_at: Timestamp,
    last_used_at: Timestamp.nullable().meta({
      description: 'Approximate; null for a key that was never used.',
      examples: ['2026-03-14T07:26:53.589Z'],
    }),
  })
  .meta({ id: 'ConsoleKey', description: 'An API key of the account.' });
export type ConsoleKey = z.infer<typeof ConsoleKey>;

export const KeyRequest = z
  .strictObject({
    environment: Environment,
    overlap_hours: z
      .int()
      .min(0)
      .max(maxOverlapHours)
      .optional()
      .meta({ description: 'How long the key before this one keeps working; 0 by default.', examples: [24] }),
  })
  .meta({ id: 'KeyRequest', description: 'Which key to replace.' });
export type KeyRequest = z.infer<typeof KeyRequest>;

export const IssuedKey = z
  .object({
    id: KeyId,
    key: z.string().meta({ description: 'The key. Shown only once.', examples: ['sk_sandbox_4fT'] }),
    environment: Environment,
    expires_at: Timestamp,
    previous_key_ends_at: Timestamp.nullable().meta({
      description: 'When the key before this one stops working; null if it has.',
      examples: [null],
    }),
  })
  .meta({ id: 'IssuedKey', description: 'A new API key.' });
export type IssuedKey = z.infer<typeof IssuedKey>;

const canManageKeys = ({ role }: ColleagueCaller, environment: Environment): boolean =>
  role === 'owner' || (role === 'developer' && environment === 'sandbox');

function assertCanManageKeys(caller: ColleagueCaller, environment: Environment): void {
  if (!canManageKeys(caller, environment))
    throw new Failure(
      'insufficient_scope',
      `The role ${caller.role} does not permit this: only owners manage live keys. Ask an owner.`,
    );
}

export const listConsoleKeys = async (deps: Deps, caller: ColleagueCaller): Promise<ConsoleKey[]> =>
  (await listKeys(deps, caller.account)).filter(({ env }) => canManageKeys(caller, env)).map(presentConsoleKey);

const presentConsoleKey = ({ id, env, status, key, created_at, ends_at, last_used_at }: ApiKeySummary): ConsoleKey => ({
  id,
  environment: env,
  ...{ status, key, created_at, ends_at, last_used_at },
});

export async function replaceConsoleKey(
  deps: Deps,
  caller: ColleagueCaller,
  { environment, overlap_hours = 0 }: KeyRequest,
): Promise<IssuedKey> {
  assertCanManageKeys(caller, environment);
  const { id, key, expires_at, previous_key_ends_at } = await replaceKey(
    deps,
    caller.account,
    environment,
    overlap_hours * hourMs,
    caller.maker,
  );
  return { id, key, environment, expires_at, previous_key_ends_at: previous_key_ends_at ?? null };
}

/** Returns the ids of the revoked keys. */
export async function revokeConsoleKeys(
  deps: Deps,
  caller: ColleagueCaller,
  environment: Environment,
): Promise<string[]> {
  assertCanManageKeys(caller, environment);
  return revokeKey(deps, caller.account, environment);
}
