// The keys of the table; the other files `*-keys.ts` of this folder have those of the console, the
// audit trail, made credentials and counts. A user is one partition, so each read is a Query on it.

import { type CloudProviderId, cloudProviderIds } from '../catalog/provider.ts';
import type { Key } from '../platform/ports.ts';
import type { Environment } from './caller.ts';

export const keys = {
  /** An API key, by its keyed hash: authentication, revocation and rate limit. */
  apiKey: (hash: string): Key => ({ pk: `K#${hash}`, sk: 'KEY' }),
  /** A copy of the key's row with a share of a limit too high for one partition. */
  apiKeyShare: (hash: string, share: number): Key => ({ pk: `K#${hash}#${share}`, sk: 'KEY' }),
  account: (account: string): Key => ({ pk: `A#${account}`, sk: 'ACCOUNT' }),
  /** The current API key of an environment. */
  environment: (account: string, env: Environment): Key => ({ pk: `A#${account}`, sk: `ENV#${env}` }),

  /** `@` marks the head of a user's partition: one Query returns the user and what is connected. */
  user: (user: string): Key => ({ pk: userPartition(user), sk: '@USER' }),
  device: (user: string, device: string): Key => ({ pk: userPartition(user), sk: `@DEVICE#${device}` }),
  /** A disconnected device whose data has been removed; outside the head. */
  deviceTombstone: (user: string, device: string): Key => ({ pk: userPartition(user), sk: `GONE#${device}` }),
  /** Consolidation settings with their generation, and the counter of device ordinals. */
  state: (user: string): Key => ({ pk: userPartition(user), sk: '@STATE' }),

  /**
   * `!` marks a user's commands: one Query on it returns the work to do. Commands sort before the
   * head, so that a Query over both reads the head last. This command is for a disconnected device,
   * until its data is removed.
   */
  removeDeviceCommand: (user: string, device: string): Key => ({ pk: userPartition(user), sk: `!DEVICE#${device}` }),
  /** One row for all requests of this kind. */
  coalescedCommand: (user: string, kind: string): Key => ({ pk: userPartition(user), sk: `!DO#${kind}` }),
  /** An upload to ingest. Uploads sort after the commands above, in the order of arrival. */
  uploadCommand: (user: string, receivedMs: number, upload: string): Key => ({
    pk: userPartition(user),
    sk: `!UPLOAD#${toSortableTimestamp(receivedMs)}#${upload}`,
  }),
  /** An upload that could not be ingested, until an operator retries it. */
  quarantinedUpload: (user: string, upload: string): Key => ({ pk: userPartition(user), sk: `Q#${upload}` }),
  /** Raw: the uploaded data, in chunks that fit an item. */
  rawChunk: (user: string, upload: string, chunk: number): Key => ({
    pk: userPartition(user),
    sk: `R#${upload}#${String(chunk).padStart(3, '0')}`,
  }),
  /** What arrived, in numbers; the newest sorts last. */
  uploadSummary: (user: string, receivedMs: number, upload: string): Key => ({
    pk: userPartition(user),
    sk: `${uploadSummaryPrefix}${toSortableTimestamp(receivedMs)}#${upload}`,
  }),
  /** Normalized: every sample of one metric from one device on one UTC day. */
  samples: (user: string, metricIndex: number, utcDay: string, device: number): Key => ({
    pk: userPartition(user),
    sk: `T#${metricIndex}#${utcDay}#${device}`,
  }),
  /**
   * Normalized: every metric of one phone within a few hours of its current UTC day. `A` sorts
   * right after the head, so that one Query reads both.
   */
  openSamples: (user: string, device: number, half: number, slot: number): Key => ({
    pk: userPartition(user),
    sk: `${openSamplesPrefix(device)}${half}#${slot}`,
  }),
  /** A summary of the sample rows of a phone, read together with its open samples. */
  closedSamples: (user: string, device: number): Key => ({
    pk: userPartition(user),
    sk: `${openSamplesPrefix(device)}${closedSamplesSuffix}`,
  }),
  /** Normalized: what every device reported for a local day. */
  normalizedDay: (user: string, date: string): Key => ({ pk: userPartition(user), sk: `N#${date}` }),
  /** Canonical: one value per metric. */
  canonicalDay: (user: string, date: string): Key => ({ pk: userPartition(user), sk: `D#${date}` }),
  /** The sleep sessions of every device that end on a local day. */
  sleepDay: (user: string, date: string): Key => ({ pk: userPartition(user), sk: `Z#${date}` }),
  /** The workouts of every device that start on a local day. */
  workoutDay: (user: string, date: string): Key => ({ pk: userPartition(user), sk: `W#${date}` }),
  /** The scores of a local day. */
  scoreDay: (user: string, date: string): Key => ({ pk: userPartition(user), sk: `S#${date}` }),
  /** The days on which a session with a source id is stored: an edit may have moved it by weeks. */
  sessionLocation: (user: string, device: number, kind: string, name: string): Key => ({
    pk: userPartition(user),
    sk: `${sessionLocationsPrefix(device)}${kind}#${name}`,
  }),
  /** A workout's heart rate trace. */
  trace: (user: string, workout: string): Key => ({ pk: userPartition(user), sk: `H#${workout}` }),

  /** An installation of the Mobile SDK; outside the head. */
  sdkSession: (user: string, session: string): Key => ({ pk: userPartition(user), sk: `SDK#${session}` }),
  /** The session that an installation has for a provider. */
  installation: (user: string, installation: string, provider: string): Key => ({
    pk: userPartition(user),
    sk: `INSTALL#${installation.toLowerCase()}#${provider}`,
  }),
  /** The response that was returned for an idempotency key. */
  idempotency: (user: string, key: string): Key => ({ pk: userPartition(user), sk: `IDEM#${key.toLowerCase()}` }),

  /**
   * A device's connection to its provider: pending consent, tokens, and what to request next. It is
   * outside the head, which every read of the user pays for.
   */
  connection: (user: string, device: string): Key => ({ pk: userPartition(user), sk: `${connectionPrefix}${device}` }),
  /** The devices that a provider's account feeds: finds the account that a push names. */
  providerAccount: (provider: string, env: Environment, account: string, user: string, device: string): Key => ({
    pk: providerAccountPartition(provider, env, account),
    sk: `${user}#${device}`,
  }),
  /** A connect link, for as long as it can be revoked; its URL contains everything else. */
  connectLink: (user: string, link: string): Key => ({ pk: userPartition(user), sk: `LINK#${link}` }),
  /** Stored with the linked user, so that the link is erased with the user. */
  providerAccountPointer: (user: string, provider: string, env: Environment, device: string, account: string): Key => ({
    pk: userPartition(user),
    sk: providerAccountPointer.prefix + [provider, env, device, account].join('#'),
  }),
  /** A consent to revoke: it outlives the device and its user by a day at most. */
  revocation: (user: string, device: string): Key => ({ pk: `${revocationPrefix}${user}#${device}`, sk: 'REVOKE' }),

  /** The schedule of a sandbox user's data; outside the head. */
  seed: (user: string): Key => ({ pk: userPartition(user), sk: 'SEED' }),
  /** The baseline of a sandbox user before its first day. */
  seededBaseline: (user: string): Key => ({ pk: userPartition(user), sk: 'SEED#BASELINE' }),

  /** A used or revoked code or grant of a simulated provider, until it would expire. */
  sandboxGrant: (name: string): Key => ({ pk: `SBX#${name}`, sk: 'ENDED' }),

  /** Reserves the caller's own reference, so that no two users of an environment share one. */
  reference: (account: string, env: Environment, reference: string): Key => ({
    pk: `E#${account}#${env}#REF#${reference}`,
    sk: 'REF',
  }),

  /** How many users of an environment fall into a shard; all shards are in one partition. */
  userCount: (account: string, env: Environment, shard: number): Key => ({
    pk: userCountPartition(account, env),
    sk: `COUNT#${shard}`,
  }),

  /** Where the sweep of a kind continues, if there was more work than one sweep can handle. */
  sweepCursor: (kind: string): Key => ({ pk: 'SWEEP', sk: kind }),
  /** The time up to which the schedule of a kind has checked for due work. */
  scheduleWatermark: (kind: string): Key => ({ pk: 'SWEEP', sk: `WATERMARK#${kind}` }),
  /** The progress of rescoring users with new score formulas. */
  rescoring: { pk: 'SWEEP', sk: '@SCORES' } satisfies Key,
  /** The identity of a table on a laptop; on AWS the table itself has one. */
  tableEpoch: { pk: 'TABLE', sk: 'EPOCH' } satisfies Key,
  mobileToken: (hash: string): Key => ({ pk: `M#${hash}`, sk: 'MOBILE' }),
  /** Stored with the token's user, so that the token is erased with the user. */
  mobileTokenPointer: (user: string, hash: string): Key => ({
    pk: userPartition(user),
    sk: mobileTokenPointer.prefix + hash,
  }),
  /** A provider's subscription, which makes it push to this deployment. */
  subscription: (provider: string, env: Environment): Key => ({
    pk: `${subscriptionPrefix}${provider}#${env}`,
    sk: 'SUBSCRIPTION',
  }),
  /** A processed push, by a hash of the provider's id for it. A repeat is ignored for a while. */
  processedPush: (provider: string, env: Environment, nameHash: string): Key => ({
    pk: `PUSH#${provider}#${env}#${nameHash}`,
    sk: 'SEEN',
  }),
  /** A chunk of a push about many users, until those users are resolved. */
  pushChunk: (chunk: string): Key => ({ pk: `${pushChunkPrefix}${chunk}`, sk: 'CHUNK' }),
  /** The wrapped data key that seals tokens on a day, per KMS key. */
  vaultKey: (keyId: string, day: string): Key => ({ pk: `VAULT#${keyId}`, sk: day }),
  /** How many users a provider has reported as disconnected in an hour. */
  endedConsents: (provider: string, env: Environment, hour: number): Key => ({
    pk: `ENDED#${provider}#${env}#${hour}`,
    sk: 'ENDED',
  }),
  /** The mark of one of a provider's rate limits, which all workers share. */
  providerLimit: (name: string): Key => ({ pk: `LIMIT#${name}`, sk: 'LIMIT' }),
  providerSettingsSummary: { pk: 'PROVIDERS', sk: 'SUMMARY' } satisfies Key,
  signingKey: (kid: string): Key => ({ pk: 'SIGNING', sk: kid }),
  /** The endpoints of an environment: one Query returns the receivers of an event. */
  webhook: (account: string, env: Environment, webhook: string): Key => ({
    pk: webhookPartition(account, env),
    sk: `HOOK#${webhook}`,
  }),
  webhookCount: (account: string, env: Environment): Key => ({ pk: webhookPartition(account, env), sk: 'COUNT' }),
  /** The team of an environment is in one partition. A member; the newest sorts last. */
  member: (account: string, env: Environment, member: string): Key => ({
    pk: teamPartition(account, env),
    sk: `${memberPrefix}${member}`,
  }),
  /** A removed member: only its id, stored forever, so that a repeated removal is recognized. */
  memberTombstone: (account: string, env: Environment, member: string): Key => ({
    pk: teamPartition(account, env),
    sk: `GONE#${member}`,
  }),
  invitation: (account: string, env: Environment, invitation: string): Key => ({
    pk: teamPartition(account, env),
    sk: `${invitationPrefix}${invitation}`,
  }),
  /** Reserves an e-mail address for one invitation and one member at a time. */
  emailReservation: (account: string, env: Environment, emailHash: string): Key => ({
    pk: teamPartition(account, env),
    sk: `MAIL#${emailHash}`,
  }),
  /** Every invitation of an address, so that they are erased with the member who has it. */
  addressInvitation: (account: string, env: Environment, emailHash: string, invitation: string): Key => ({
    pk: teamPartition(account, env),
    sk: `${addressInvitationPrefix(emailHash)}${invitation}`,
  }),
  /** How many invitation messages were requested on a day. */
  invitationCount: (account: string, env: Environment, utcDay: string): Key => ({
    pk: teamPartition(account, env),
    sk: `INVITED#${utcDay}`,
  }),
  /** How many messages were sent to a mailbox on a day. */
  messageCount: (account: string, env: Environment, utcDay: string, emailHash: string): Key => ({
    pk: teamPartition(account, env),
    sk: `MAILED#${utcDay}#${emailHash}`,
  }),
  /**
   * Stored with the user of a member, so that the membership ends with the user. A user has at most
   * one member.
   */
  membershipPointer: (user: string): Key => ({ pk: userPartition(user), sk: 'MEMBER' }),
  /**
   * Stored with the user that an invitation is about, so that the invitee is erased with the user.
   */
  invitationPointer: (user: string, invitation: string): Key => ({
    pk: userPartition(user),
    sk: invitationPointer.prefix + invitation,
  }),
  /**
   * The deliveries of an endpoint, in the order of the events. They are the source of truth; queue
   * messages only point to them.
   */
  delivery: (webhook: string, delivery: string): Key => ({ pk: `H#${webhook}`, sk: `DELIVERY#${delivery}` }),
  /** A deleted endpoint, until its deliveries are erased. */
  webhookTombstone: (webhook: string): Key => ({ pk: `H#${webhook}`, sk: 'GONE' }),

  /**
   * The events of a commit, identified by the first one, until they are numbered. Events about a
   * user are in the user's partition.
   */
  outbox: (event: string, user: string | undefined): Key =>
    user === undefined
      ? { pk: `V#${event}`, sk: outboxPrefix }
      : { pk: userPartition(user), sk: `${outboxPrefix}#${event}` },
  /** Several outbox rows merged into one. It sorts right after the first, under its own key. */
  mergedOutbox: ({ pk, sk }: Key): Key => ({ pk, sk: `${sk}+` }),
  /**
   * A page of an environment's feed, identified by its first number. Numbers have no gaps, so a
   * reader's position is a number.
   */
  feedPage: (account: string, env: Environment, first: number): Key => ({
    pk: feedPartition(account, env),
    sk: String(first).padStart(16, '0'),
  }),
  /** The next number. It sorts after every page: a read to the end of the feed also returns it. */
  feedEnd: (account: string, env: Environment): Key => ({ pk: feedPartition(account, env), sk: '@NEXT' }),
  /** Keys of outbox rows that wait for their numbers while a feed is held. */
  parkedRows: (account: string, env: Environment, sk: string): Key => ({ pk: `PARKED#${account}#${env}`, sk }),
} as const;

const outboxPrefix = 'OUT';

/** Whether a row in a user's partition is waiting only for the feed's writer. */
export const isOutboxKey = ({ sk }: Key): boolean => sk.startsWith(`${outboxPrefix}#`);

/** The feed page with this key; undefined for any other row. */
export function parseFeedPageKey({ pk, sk }: Key): { account_id: string; env: Environment; first: number } | undefined {
  if (!pk.startsWith('F#')) return undefined;
  const [, account_id = '', env] = pk.split('#');
  return { account_id, env: env === 'sandbox' ? 'sandbox' : 'live', first: Number(sk) };
}

/** The open samples of one device, by its ordinal, or of all devices. */
export const openSamplesPrefix = (device?: number): string => (device === undefined ? 'A#' : `A#${device}#`);
/** Ends the key in place of an open slot's half and number. */
export const closedSamplesSuffix = 'rows';

export const uploadSummaryPrefix = 'UP#';

/** All session locations of one device, by its ordinal. */
export const sessionLocationsPrefix = (device: number): string => `L#${device}#`;

/** The prefix of a user's commands, and of nothing else in the user's partition. */
export const commandPrefix = '!';

/** The endpoint with this key, which is behind its feed; undefined for any other row. */
export function parseEndpointKey({
  pk,
  sk,
}: Key): { account_id: string; env: Environment; webhook_id: string; catch_up: true } | undefined {
  if (!sk.startsWith(endpointPrefix)) return undefined;
  const [, account_id = '', env] = pk.split('#');
  const webhook_id = sk.slice(endpointPrefix.length);
  return { account_id, env: env === 'sandbox' ? 'sandbox' : 'live', webhook_id, catch_up: true };
}
const endpointPrefix = 'HOOK#';

/** The delivery with this key. */
export const parseDeliveryKey = ({ pk, sk }: Key): { webhook_id: string; delivery_id: string } => ({
  webhook_id: pk.slice('H#'.length),
  delivery_id: sk.slice('DELIVERY#'.length),
});

export const mobileTokenPointer = {
  prefix: 'MT#',
  /** Undefined for any other row. */
  parseHash: (sk: string): string | undefined =>
    sk.startsWith(mobileTokenPointer.prefix) ? sk.slice(mobileTokenPointer.prefix.length) : undefined,
} as const;

export const invitationPointer = {
  prefix: 'INVITED#',
  /** Undefined for any other row. */
  parseInvitationId: (sk: string): string | undefined =>
    sk.startsWith(invitationPointer.prefix) ? sk.slice(invitationPointer.prefix.length) : undefined,
} as const;

/** Whether a row in a user's partition points to the team: a membership or an invitation. */
export const isTeamPointer = ({ sk }: Key): boolean => sk === 'MEMBER' || sk.startsWith(invitationPointer.prefix);

export const addressInvitationPrefix = (emailHash: string): string => `TO#${emailHash}#`;

export const memberPrefix = 'MEM#';
export const invitationPrefix = 'INV#';

export const teamPartition = (account: string, env: Environment): string => `E#${account}#${env}#TEAM`;

/** The invitation with this key. */
export function parseInvitationKey({ pk, sk }: Key): { account_id: string; env: Environment; invitation_id: string } {
  const [, account_id = '', env] = pk.split('#');
  return { account_id, env: env === 'sandbox' ? 'sandbox' : 'live', invitation_id: sk.slice(invitationPrefix.length) };
}

const connectionPrefix = 'C#';

const subscriptionPrefix = 'SUB#';

/** The subscription with this key; undefined for any other row. */
export function parseSubscriptionKey({ pk }: Key): { provider: CloudProviderId; env: Environment } | undefined {
  if (!pk.startsWith(subscriptionPrefix)) return undefined;
  const [name, env] = pk.slice(subscriptionPrefix.length).split('#');
  const provider = cloudProviderIds.find((id) => id === name);
  return provider && { provider, env: env === 'sandbox' ? 'sandbox' : 'live' };
}

const pushChunkPrefix = 'CHUNK#';

/** The push chunk with this key; undefined for any other row. */
export const parsePushChunkKey = ({ pk }: Key): { chunk_id: string } | undefined =>
  pk.startsWith(pushChunkPrefix) ? { chunk_id: pk.slice(pushChunkPrefix.length) } : undefined;

const revocationPrefix = 'REVOKE#';

/** The revocation with this key; undefined for any other row. */
export function parseRevocationKey({ pk }: Key): { user_id: string; device_id: string; revoke: true } | undefined {
  if (!pk.startsWith(revocationPrefix)) return undefined;
  const [user_id = '', device_id = ''] = pk.slice(revocationPrefix.length).split('#');
  return { user_id, device_id, revoke: true };
}

export const isConnectionKey = ({ sk }: Key): boolean => sk.startsWith(connectionPrefix);

/** The connection with this key, or of the device with this key. */
export const parseConnectionKey = ({ pk, sk }: Key): { user_id: string; device_id: string } => ({
  user_id: parseUserPartition(pk),
  device_id: sk.slice(sk.indexOf('#') + 1),
});

export const providerAccountPartition = (provider: string, env: Environment, account: string): string =>
  `P#${provider}#${env}#${account}`;

export const providerAccountPointer = {
  prefix: 'PROVIDER#',
  /** The row that it points to; undefined for any other row. */
  parseTarget({ pk, sk }: Key): Key | undefined {
    if (!sk.startsWith(providerAccountPointer.prefix)) return undefined;
    const [provider = '', env, device = '', ...account] = sk.slice(providerAccountPointer.prefix.length).split('#');
    const { user_id } = parseConnectionKey({ pk, sk: '' });
    return keys.providerAccount(provider, env === 'sandbox' ? 'sandbox' : 'live', account.join('#'), user_id, device);
  },
} as const;

/** Leaves out the id's prefix, because reading a day also pays for every byte of its key. */
export const userPartition = (user: string): string => `U#${user.slice('usr_'.length)}`;
export const parseUserPartition = (pk: string): string => `usr_${pk.slice('U#'.length)}`;

export const feedPartition = (account: string, env: Environment): string => `F#${account}#${env}`;

export const userCountPartition = (account: string, env: Environment): string => `E#${account}#${env}#COUNTS`;

export const webhookPartition = (account: string, env: Environment): string => `E#${account}#${env}#HOOKS`;

export const lists = {
  accounts: 'ACCOUNTS',
  /** Quarantined uploads of the whole deployment, by environment and time. */
  quarantine: 'QUARANTINE',
  /** Devices of an environment whose sync keeps failing, by provider and since when. */
  failingConnections: (account: string, env: Environment): string => `E#${account}#${env}#FAILING`,
  users: (account: string, env: Environment): string => `E#${account}#${env}#USERS`,
  references: (account: string, env: Environment): string => `E#${account}#${env}#REFS`,
  apiKeys: (account: string): string => `A#${account}#KEYS`,
} as const;

export const toSortableTimestamp = (ms: number): string => String(ms).padStart(14, '0');
