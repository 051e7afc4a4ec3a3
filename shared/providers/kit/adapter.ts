// How a cloud vendor is asked: facts as data, and pure functions. One folder each.
import type { CloudDescriptor } from './descriptor.ts';
import type { GrantAdapter } from './grant.ts';
import type { DayWindow, ProviderPage } from './provider-pages.ts';
import type { ProviderCredentials, RequestFlow } from './request-flow.ts';

export interface FetchRequest extends DayWindow {
  /** The zone of the person's profile; null is UTC. */
  zone: string | null;
  account: string;
  /** What the person has allowed; null where the vendor does not say. */
  scopes: readonly string[] | null;
  nowMs: number;
  credentials: ProviderCredentials;
}

export interface FetchAdapter {
  /**
   * Everything whose instant lies on these days in the person's zone, or that is stated of them, every
   * page of it, whatever date the vendor files it under. A few dozen requests at most: whatever breaks
   * off is asked for again from the start. What the person has not allowed is left out, and the
   * normalizer does not claim it as covered.
   */
  fetchWindow(requested: FetchRequest): RequestFlow<ProviderPage[]>;
  /**
   * What a vendor has announced and gives out only as what it was announced as, not by its days.
   */
  collect?(object: { resource: string; id: string }): RequestFlow<ProviderPage[]>;
  /** Which days an announced object is on; undefined when it is not there (yet). */
  locate?(
    object: { resource: string; id: string },
    requested: Omit<FetchRequest, 'from' | 'to'>,
  ): RequestFlow<DayWindow | undefined>;
}

/** Where pushes come only if they were asked for. */
export interface SubscriptionAdapter {
  /** Once for the whole deployment. Makes or renews what is missing and says when to look again. */
  ensureForDeployment?(requested: SubscriptionRequest): RequestFlow<SubscriptionState>;
  /** For each person, with their token. Says when to look again: soon, where one may only be made at a time, or when it is due to be checked. */
  ensureForUser?(requested: SubscriptionRequest & { account: string }): RequestFlow<Pick<SubscriptionState, 'againMs'>>;
}
export interface SubscriptionRequest {
  credentials: ProviderCredentials;
  /** Where pushes are taken; with the secret in its path where `descriptor.push.secretPath` says so. */
  callbackUrl: string;
  verificationToken: string;
  /** As it was left last time. */
  known: SubscriptionState | undefined;
  nowMs: number;
}
export interface SubscriptionState {
  /** By what each is for. */
  ids: Readonly<Record<string, string>>;
  /** Given once, and needed to check every push. */
  secret?: string;
  againMs: number;
}

/** All that it takes to ask a vendor for a person's data. What it sends by itself is `PushRules`, what is made of it all a `Normalizer`. */
export interface ProviderAdapter {
  descriptor: CloudDescriptor;
  grant: GrantAdapter;
  fetch: FetchAdapter;
  /** Null where pushes come without being asked for, or not at all. */
  subscriptions: SubscriptionAdapter | null;
}
