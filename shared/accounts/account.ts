// Accounts, their two environments, and their API keys.
import * as z from 'zod';
import { Timestamp } from '../platform/time/time.ts';
import { ApiForm, Environment } from '../system/caller.ts';
import { AccountId, KeyId } from '../system/ids.ts';

export const AccountStatus = z.enum(['active', 'suspended']);
export type AccountStatus = z.infer<typeof AccountStatus>;

export const Account = z.object({
  id: AccountId,
  name: z.string().min(1).max(200),
  status: AccountStatus,
  api_form: ApiForm,
  created_at: Timestamp,
});
export type Account = z.infer<typeof Account>;

/** `ending`: replaced by another key, and accepted until the overlap ends. */
export const ApiKeyStatus = z.enum(['active', 'ending', 'revoked']);
export const ApiKeySummary = z.object({
  id: KeyId,
  env: Environment,
  status: z.enum([...ApiKeyStatus.options, 'expired']),
  key: z.string().meta({
    description: "The key's prefix and last four characters. The full key is shown only once, when it is created.",
  }),
  created_at: Timestamp,
  expires_at: Timestamp,
  /** When the key stops working, or stopped: at its expiry, or earlier if it was replaced or revoked. */
  ends_at: Timestamp,
  /** Approximate, and null for a key that was never used. */
  last_used_at: Timestamp.nullable(),
});
export type ApiKeySummary = z.infer<typeof ApiKeySummary>;
