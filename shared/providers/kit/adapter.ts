// What a cloud provider's adapter consists of: facts as data, and pure functions. Each provider has
// its own folder.
import type { CloudDescriptor } from './descriptor.ts';
import type { GrantAdapter } from './grant.ts';
import type { DayWindow, ProviderPage } from './provider-pages.ts';
import type { ProviderCredentials, RequestFlow } from './request-flow.ts';

export interface FetchRequest extends DayWindow {
  /** The time zone of the user's profile; null means UTC. */
  zone: string | null;
  account: string;
  /** The scopes that the user has granted; null if the provider does not report them. */
  scopes: readonly string[] | null;
  nowMs: number;
  credentials: ProviderCredentials;
}

export interface FetchAdapter {
  /**
   * Fetches every page of the data whose instant is on these days in the user's zone, or whose date
   * is one of them, regardless of the date the provider files it under. It takes a few dozen
   * requests at most, because an interrupted fetch starts over. Data that the user has not allowed
   * is left out, and the normalizer does not claim it as covered.
   */
  fetchWindow(requested: FetchRequest): RequestFlow<ProviderPage[]>;
  /** Fetches an announced object that the provider returns only by its id, not by day. */
  collect?(object: { resource: string; id: string }): RequestFlow<ProviderPage[]>;
  /** The days that an announced object is on; undefined if it does not exist (yet). */
  locate?(
    object: { resource: string; id: string },
    requested: Omit<FetchRequest, 'from' | 'to'>,
  ): RequestFlow<DayWindow | undefined>;
}

/** For providers that push only after a subscription was created. */
export interface SubscriptionAdapter {
  /**
   * Runs once for the whole deployment. Creates or renews missing subscriptions and returns when to
   * check again.
   */
  ensureForDeployment?(requested: SubscriptionRequest): RequestFlow<SubscriptionState>;
  /**
   * Runs for each user, with their token. Returns when to check again: soon if the provider allows
   * only one subscription to be created at a time, otherwise when the next check is due.
   */
  ensureForUser?(requested: SubscriptionRequest & { account: string }): RequestFlow<Pick<SubscriptionState, 'renewMs'>>;
}
export interface SubscriptionRequest {
  credentials: ProviderCredentials;
  /**
   * The URL that receives pushes; its path contains the secret if `descriptor.push.hasSecretPath`
   * is true.
   */
  callbackUrl: string;
  verificationToken: string;
  /** The state that the previous run returned. */
  known: SubscriptionState | undefined;
  nowMs: number;
}
export interface SubscriptionState {
  /** Keyed by purpose. */
  ids: Readonly<Record<string, string>>;
  /** The provider sends it only once, and every push is verified with it. */
  secret?: string;
  renewMs: number;
}

/**
 * Everything needed to request a user's data from a provider. Pushes are handled by a
 * `PushAdapter`, and a `Normalizer` turns all data into records.
 */
export interface ProviderAdapter {
  descriptor: CloudDescriptor;
  grant: GrantAdapter;
  fetch: FetchAdapter;
  /** Null if pushes need no subscription, or if the provider does not push. */
  subscriptions: SubscriptionAdapter | null;
}
