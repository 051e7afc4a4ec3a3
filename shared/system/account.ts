// Accounts, their two environments, and the keys that open them.
import * as z from 'zod';
import type { MobileScope } from '../catalog/mobile-scopes.ts';
import type { SdkProviderId } from '../catalog/provider.ts';
import { Timestamp } from '../platform/time/time.ts';
import { AccountId, KeyId } from './ids.ts';

export const Environment = z.enum(['live', 'sandbox']);
export type Environment = z.infer<typeof Environment>;

/** Which of the contract's two faces the account's keys are served. */
export const ApiForm = z.union([z.literal(1), z.literal(2)]);
export type ApiForm = z.infer<typeof ApiForm>;

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

export const ApiKeyStatus = z.enum(['active', 'revoked']);
export const ApiKeySummary = z.object({
  id: KeyId,
  env: Environment,
  status: z.enum(['active', 'revoked', 'expired']),
  key: z.string().meta({ description: 'The prefix and the last four characters; the key itself is shown only once.' }),
  created_at: Timestamp,
  expires_at: Timestamp,
});
export type ApiKeySummary = z.infer<typeof ApiKeySummary>;

/** Who is asking, as every verb of the domain sees it; what kinds of caller there are is for those who let them in. */
export interface Caller {
  kind: string;
  account: string;
  env: Environment;
  form: ApiForm;
}

/** A caller who hands out links; null where no API key stands behind it. */
export interface LinkingCaller extends Caller {
  keyHash: string | null;
}

/** A phone, with the credential of one installation. */
export interface SdkCaller extends Caller {
  kind: 'sdk_session';
  userId: string;
  sessionId: string;
  provider: SdkProviderId;
  scopes: readonly MobileScope[];
  /** The user's when the session was opened: it ends when the person stops sharing. */
  sharingEpoch: number;
}
