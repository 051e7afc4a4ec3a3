// Every key of the one table on one page. A user's whole life is one partition, so every read is a Query on it.

import { type CloudProviderId, cloudProviderIds } from '../catalog/provider.ts';
import type { Key } from '../platform/ports.ts';
import type { Environment } from './caller.ts';

export const tableSchema = {
  pk: 'pk',
  sk: 'sk',
  ttl: 'ttl',
  indexes: [
    /** Lists of an environment or of the deployment, in order of their sort key (ids sort by time). */
    { name: 'by-list', pk: 'listPk', sk: 'listSk', projection: 'KEYS_ONLY' },
    /** What is owed, by when: sweeps read from the front. */
    { name: 'by-due', pk: 'duePk', sk: 'dueSk', projection: 'KEYS_ONLY' },
  ],
} as const;

export const keys = {
  /** An API key by the keyed hash of its text: authentication, revocation and rate limit in one item. */
  apiKey: (hash: string): Key => ({ pk: `K#${hash}`, sk: 'KEY' }),
  /** A copy of it, counted from 1, with its share of a limit that is too high for one partition. */
  apiKeyShare: (hash: string, share: number): Key => ({ pk: `K#${hash}#${share}`, sk: 'KEY' }),
  account: (account: string): Key => ({ pk: `A#${account}`, sk: 'ACCOUNT' }),
  /** Which API key an environment has now. */
  environment: (account: string, env: Environment): Key => ({ pk: `A#${account}`, sk: `ENV#${env}` }),

  /** `@` opens the head of a user's partition: one Query of it answers "who is this and what is connected". */
  user: (user: string): Key => ({ pk: userPartition(user), sk: '@USER' }),
  device: (user: string, device: string): Key => ({ pk: userPartition(user), sk: `@DEVICE#${device}` }),
  /** A device that was disconnected and whose data is out: it leaves the head, which every read of the user pays for. */
  deviceTombstone: (user: string, device: string): Key => ({ pk: userPartition(user), sk: `GONE#${device}` }),
  /** Consolidation settings with their generation, and the counter of device ordinals. */
  state: (user: string): Key => ({ pk: userPartition(user), sk: '@STATE' }),

  /**
   * `!` opens the commands of a person: one Query of it answers "what is there to do". They stand before the head, so that a Query of both reads the
   * head last. Here, a device that was disconnected, until its data is out.
   */
  removeDeviceCommand: (user: string, device: string): Key => ({ pk: userPartition(user), sk: `!DEVICE#${device}` }),
  /** One stands for all that ask for it. */
  coalescedCommand: (user: string, kind: string): Key => ({ pk: userPartition(user), sk: `!DO#${kind}` }),
  /** An upload that is to be worked in: behind those, in the order of arrival. */
  uploadCommand: (user: string, receivedMs: number, upload: string): Key => ({
    pk: userPartition(user),
    sk: `!UPLOAD#${toSortableTimestamp(receivedMs)}#${upload}`,
  }),
  /** An upload that could not be worked in, until an operator has it tried again. */
  quarantinedUpload: (user: string, upload: string): Key => ({ pk: userPartition(user), sk: `Q#${upload}` }),
  /** Raw: what was uploaded, in pieces that fit an item. */
  rawChunk: (user: string, upload: string, chunk: number): Key => ({
    pk: userPartition(user),
    sk: `R#${upload}#${String(chunk).padStart(3, '0')}`,
  }),
  /** Normalized: one metric of one device on one UTC day, every sample. */
  samples: (user: string, metricIndex: number, utcDay: string, device: number): Key => ({
    pk: userPartition(user),
    sk: `T#${metricIndex}#${utcDay}#${device}`,
  }),
  /** Normalized: every metric of one phone within some hours of its current UTC day. `A` sorts right behind the head: one Query reads both. */
  openSamples: (user: string, device: number, half: number, slot: number): Key => ({
    pk: userPartition(user),
    sk: `${openSamplesPrefix(device)}${half}#${slot}`,
  }),
  /** Summary of the rows of a phone's samples, read together with its open samples. */
  closedSamples: (user: string, device: number): Key => ({
    pk: userPartition(user),
    sk: `${openSamplesPrefix(device)}${closedSamplesSuffix}`,
  }),
  /** Normalized: what every device said of a local day. */
  normalizedDay: (user: string, date: string): Key => ({ pk: userPartition(user), sk: `N#${date}` }),
  /** Canonical: one value a metric. */
  canonicalDay: (user: string, date: string): Key => ({ pk: userPartition(user), sk: `D#${date}` }),
  /** The sleep sessions that end on a local day, of every device. */
  sleepDay: (user: string, date: string): Key => ({ pk: userPartition(user), sk: `Z#${date}` }),
  /** The workouts that start on a local day, of every device. */
  workoutDay: (user: string, date: string): Key => ({ pk: userPartition(user), sk: `W#${date}` }),
  /** The scores of a local day. */
  scoreDay: (user: string, date: string): Key => ({ pk: userPartition(user), sk: `S#${date}` }),
  /** On which days a session stands that its source has a name for: an edit may have moved it by weeks. */
  sessionLocation: (user: string, device: number, kind: string, name: string): Key => ({
    pk: userPartition(user),
    sk: `${sessionLocationsPrefix(device)}${kind}#${name}`,
  }),
  /** A workout's heart rate trace. */
  trace: (user: string, workout: string): Key => ({ pk: userPartition(user), sk: `H#${workout}` }),

  /** An installation of the Mobile SDK; it stands outside the head, which every read of the user pays for. */
  sdkSession: (user: string, session: string): Key => ({ pk: userPartition(user), sk: `SDK#${session}` }),
  /** Which session an installation has for a provider. */
  installation: (user: string, installation: string, provider: string): Key => ({
    pk: userPartition(user),
    sk: `INSTALL#${installation.toLowerCase()}#${provider}`,
  }),
  /** What an idempotency key was answered with. */
  idempotency: (user: string, key: string): Key => ({ pk: userPartition(user), sk: `IDEM#${key.toLowerCase()}` }),

  /** A device's link to its vendor: consent that is awaited, tokens, and what is to be asked for; outside the head, which every read of the user pays for. */
  connection: (user: string, device: string): Key => ({ pk: userPartition(user), sk: `${connectionPrefix}${device}` }),
  /** Whose devices a vendor's account feeds: what a push names is found here. */
  providerAccount: (provider: string, env: Environment, account: string, user: string, device: string): Key => ({
    pk: providerAccountPartition(provider, env, account),
    sk: `${user}#${device}`,
  }),
  /** A connect link, for as long as it may be revoked; its address says all else. */
  connectLink: (user: string, link: string): Key => ({ pk: userPartition(user), sk: `LINK#${link}` }),
  /** With the user it is linked to, so that it is erased with them. */
  providerAccountPointer: (user: string, provider: string, env: Environment, device: string, account: string): Key => ({
    pk: userPartition(user),
    sk: providerAccountPointer.prefix + [provider, env, device, account].join('#'),
  }),
  /** A consent that is to be given back: it outlives the device and its user, by a day at most. */
  revocation: (user: string, device: string): Key => ({ pk: `${revocationPrefix}${user}#${device}`, sk: 'REVOKE' }),

  /** What keeps a sandbox user alive; outside the head, which every read of the user pays for. */
  seed: (user: string): Key => ({ pk: userPartition(user), sk: 'SEED' }),
  /** What is usual for a sandbox user before its first day. */
  seededBaseline: (user: string): Key => ({ pk: userPartition(user), sk: 'SEED#BASELINE' }),

  /** A code or a grant of the sandbox's own vendor that is spent or taken back, until it would have run out. */
  sandboxGrant: (name: string): Key => ({ pk: `SBX#${name}`, sk: 'ENDED' }),

  /** Holds the caller's own reference, so that no two users of an environment share one. */
  reference: (account: string, env: Environment, reference: string): Key => ({
    pk: `E#${account}#${env}#REF#${reference}`,
    sk: 'REF',
  }),

  /** How many users of an environment there are whose ids fall into a shard; the shards stand together. */
  userCount: (account: string, env: Environment, shard: number): Key => ({
    pk: userCountPartition(account, env),
    sk: `COUNT#${shard}`,
  }),

  /** Where the sweep of a kind goes on, when there was more of it than one sweep takes. */
  sweepCursor: (kind: string): Key => ({ pk: 'SWEEP', sk: kind }),
  /** How far the schedule of a kind has looked. */
  scheduleWatermark: (kind: string): Key => ({ pk: 'SWEEP', sk: `LOOKED#${kind}` }),
  /** How far users are moved to new formulas of their scores. */
  rescoring: { pk: 'SWEEP', sk: '@SCORES' } satisfies Key,
  /** The identity of a table on a laptop; on AWS the table itself has one. */
  tableEpoch: { pk: 'TABLE', sk: 'EPOCH' } satisfies Key,
  mobileToken: (hash: string): Key => ({ pk: `M#${hash}`, sk: 'MOBILE' }),
  /** With the user it was made for, so that it is erased with them. */
  mobileTokenPointer: (user: string, hash: string): Key => ({
    pk: userPartition(user),
    sk: mobileTokenPointer.prefix + hash,
  }),
  /** What a vendor was asked to tell this deployment of. */
  subscription: (provider: string, env: Environment): Key => ({
    pk: `${subscriptionPrefix}${provider}#${env}`,
    sk: 'SUBSCRIPTION',
  }),
  /** A push that was worked off, by a hash of what the vendor calls it: the same one again is ignored for a while. */
  processedPush: (provider: string, env: Environment, nameHash: string): Key => ({
    pk: `PUSH#${provider}#${env}#${nameHash}`,
    sk: 'SEEN',
  }),
  /** A part of a push that tells of many people, until it was found out whom. */
  pushChunk: (chunk: string): Key => ({ pk: `${pushChunkPrefix}${chunk}`, sk: 'PIECE' }),
  /** The wrapped data key that tokens are sealed with on a day, under a key of KMS. */
  vaultKey: (keyId: string, day: string): Key => ({ pk: `VK#${keyId}`, sk: day }),
  /** How many people a vendor's word has disconnected in an hour. */
  endedConsents: (provider: string, env: Environment, hour: number): Key => ({
    pk: `VE#${provider}#${env}#${hour}`,
    sk: 'ENDED',
  }),
  /** The mark of one of a vendor's limits, which all workers share. */
  providerLimit: (name: string): Key => ({ pk: `VL#${name}`, sk: 'LIMIT' }),
  signingKey: (kid: string): Key => ({ pk: 'SIGNING', sk: kid }),
  /** The endpoints of an environment stand together: one Query answers who is to be told. */
  webhook: (account: string, env: Environment, webhook: string): Key => ({
    pk: webhookPartition(account, env),
    sk: `HOOK#${webhook}`,
  }),
  webhookCount: (account: string, env: Environment): Key => ({ pk: webhookPartition(account, env), sk: 'COUNT' }),
  /** The team of an environment stands together. A member, newest last. */
  member: (account: string, env: Environment, member: string): Key => ({
    pk: teamPartition(account, env),
    sk: `${memberPrefix}${member}`,
  }),
  /** A member that was removed: nothing but its id, for good, so that removing it again is known to be that. */
  memberTombstone: (account: string, env: Environment, member: string): Key => ({
    pk: teamPartition(account, env),
    sk: `GONE#${member}`,
  }),
  invitation: (account: string, env: Environment, invitation: string): Key => ({
    pk: teamPartition(account, env),
    sk: `${invitationPrefix}${invitation}`,
  }),
  /** Holds an e-mail address, by a keyed hash of it, so that nobody is invited twice or two members at once. */
  emailReservation: (account: string, env: Environment, emailHash: string): Key => ({
    pk: teamPartition(account, env),
    sk: `MAIL#${emailHash}`,
  }),
  /** Every invitation of an address, so that they are forgotten with the member who has it. */
  addressInvitation: (account: string, env: Environment, emailHash: string, invitation: string): Key => ({
    pk: teamPartition(account, env),
    sk: `${addressInvitationPrefix(emailHash)}${invitation}`,
  }),
  /** How many messages of invitations were asked for on a day. */
  invitationCount: (account: string, env: Environment, utcDay: string): Key => ({
    pk: teamPartition(account, env),
    sk: `INVITED#${utcDay}`,
  }),
  /** How many messages a mailbox was sent on a day, whatever became of its invitations. */
  messageCount: (account: string, env: Environment, utcDay: string, emailHash: string): Key => ({
    pk: teamPartition(account, env),
    sk: `MAILED#${utcDay}#${emailHash}`,
  }),
  /** With the user that a member is linked to, so that the membership ends with them; a user is one member at most. */
  membershipPointer: (user: string): Key => ({ pk: userPartition(user), sk: 'MEMBER' }),
  /** With the user that an invitation is about, so that who was invited is forgotten with them. */
  invitationPointer: (user: string, invitation: string): Key => ({
    pk: userPartition(user),
    sk: invitationPointer.prefix + invitation,
  }),
  /** What an endpoint is told, in the order of the events; it is the truth that queue messages only point at. */
  delivery: (webhook: string, delivery: string): Key => ({ pk: `H#${webhook}`, sk: `DELIVERY#${delivery}` }),
  /** A deleted endpoint, until its deliveries are erased. */
  webhookTombstone: (webhook: string): Key => ({ pk: `H#${webhook}`, sk: 'GONE' }),

  /** The events of a commit, by the first of them, until they are numbered; about a person, in their partition. */
  outbox: (event: string, user: string | undefined): Key =>
    user === undefined
      ? { pk: `V#${event}`, sk: outboxPrefix }
      : { pk: userPartition(user), sk: `${outboxPrefix}#${event}` },
  /** Several outbox rows merged into one: sorts right after the first, under a key of its own. */
  mergedOutbox: ({ pk, sk }: Key): Key => ({ pk, sk: `${sk}+` }),
  /** A page of an environment's feed, by its first number; numbers have no gaps, so a reader's place is a number. */
  feedPage: (account: string, env: Environment, first: number): Key => ({
    pk: feedPartition(account, env),
    sk: String(first).padStart(16, '0'),
  }),
  /** The next number. It sorts behind every page, so a read to the end of the feed also finds it. */
  feedEnd: (account: string, env: Environment): Key => ({ pk: feedPartition(account, env), sk: '@NEXT' }),
} as const;

const outboxPrefix = 'OUT';

/** Whether a row of a user waits for the feed's writer, and for nobody else. */
export const isOutboxKey = ({ sk }: Key): boolean => sk.startsWith(`${outboxPrefix}#`);

/** The page of a feed that stands under this key; undefined for every other row. */
export function parseFeedPageKey({ pk, sk }: Key): { account_id: string; env: Environment; first: number } | undefined {
  if (!pk.startsWith('F#')) return undefined;
  const [, account_id = '', env] = pk.split('#');
  return { account_id, env: env === 'sandbox' ? 'sandbox' : 'live', first: Number(sk) };
}

/** Of one device, by its ordinal, or of all. */
export const openSamplesPrefix = (device?: number): string => (device === undefined ? 'A#' : `A#${device}#`);
/** Ends the key where an open slot has its half and number. */
export const closedSamplesSuffix = 'rows';

/** Everything of one device, by its ordinal. */
export const sessionLocationsPrefix = (device: number): string => `L#${device}#`;

/** A command of a person begins with it, and nothing else of theirs does. */
export const commandPrefix = '!';

/** The endpoint that stands under this key, which is behind its feed; undefined when something else does. */
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

/** The delivery that stands under this key. */
export const parseDeliveryKey = ({ pk, sk }: Key): { webhook_id: string; delivery_id: string } => ({
  webhook_id: pk.slice('H#'.length),
  delivery_id: sk.slice('DELIVERY#'.length),
});

export const mobileTokenPointer = {
  prefix: 'MT#',
  /** Undefined for every other row. */
  parseHash: (sk: string): string | undefined =>
    sk.startsWith(mobileTokenPointer.prefix) ? sk.slice(mobileTokenPointer.prefix.length) : undefined,
} as const;

export const invitationPointer = {
  prefix: 'INVITED#',
  /** Undefined for every other row. */
  parseInvitationId: (sk: string): string | undefined =>
    sk.startsWith(invitationPointer.prefix) ? sk.slice(invitationPointer.prefix.length) : undefined,
} as const;

/** Whether a row of a user leads to the team: its membership, or an invitation. */
export const isTeamPointer = ({ sk }: Key): boolean => sk === 'MEMBER' || sk.startsWith(invitationPointer.prefix);

export const addressInvitationPrefix = (emailHash: string): string => `TO#${emailHash}#`;

export const memberPrefix = 'MEM#';
export const invitationPrefix = 'INV#';

export const teamPartition = (account: string, env: Environment): string => `E#${account}#${env}#TEAM`;

/** The invitation that stands under this key. */
export function parseInvitationKey({ pk, sk }: Key): { account_id: string; env: Environment; invitation_id: string } {
  const [, account_id = '', env] = pk.split('#');
  return { account_id, env: env === 'sandbox' ? 'sandbox' : 'live', invitation_id: sk.slice(invitationPrefix.length) };
}

const connectionPrefix = 'C#';

const subscriptionPrefix = 'SUB#';

/** The subscription that stands under this key; undefined when something else does. */
export function parseSubscriptionKey({ pk }: Key): { provider: CloudProviderId; env: Environment } | undefined {
  if (!pk.startsWith(subscriptionPrefix)) return undefined;
  const [name, env] = pk.slice(subscriptionPrefix.length).split('#');
  const provider = cloudProviderIds.find((id) => id === name);
  return provider && { provider, env: env === 'sandbox' ? 'sandbox' : 'live' };
}

const pushChunkPrefix = 'PP#';

/** The piece of a push that stands under this key; undefined when something else does. */
export const parsePushChunkKey = ({ pk }: Key): { piece_id: string } | undefined =>
  pk.startsWith(pushChunkPrefix) ? { piece_id: pk.slice(pushChunkPrefix.length) } : undefined;

const revocationPrefix = 'REVOKE#';

/** The revocation that stands under this key; undefined when something else does. */
export function parseRevocationKey({ pk }: Key): { user_id: string; device_id: string; revoke: true } | undefined {
  if (!pk.startsWith(revocationPrefix)) return undefined;
  const [user_id = '', device_id = ''] = pk.slice(revocationPrefix.length).split('#');
  return { user_id, device_id, revoke: true };
}

export const isConnectionKey = ({ sk }: Key): boolean => sk.startsWith(connectionPrefix);

/** The connection that stands under this key, or whose device does. */
export const parseConnectionKey = ({ pk, sk }: Key): { user_id: string; device_id: string } => ({
  user_id: `usr_${pk.slice('U#'.length)}`,
  device_id: sk.slice(sk.indexOf('#') + 1),
});

export const providerAccountPartition = (provider: string, env: Environment, account: string): string =>
  `P#${provider}#${env}#${account}`;

export const providerAccountPointer = {
  prefix: 'LINK#',
  /** The row it points at; undefined for every other row. */
  parseTarget({ pk, sk }: Key): Key | undefined {
    if (!sk.startsWith(providerAccountPointer.prefix)) return undefined;
    const [provider = '', env, device = '', ...account] = sk.slice(providerAccountPointer.prefix.length).split('#');
    const { user_id } = parseConnectionKey({ pk, sk: '' });
    return keys.providerAccount(provider, env === 'sandbox' ? 'sandbox' : 'live', account.join('#'), user_id, device);
  },
} as const;

/** Without the prefix of the id: every byte of a key is paid for with every day that is read. */
export const userPartition = (user: string): string => `U#${user.slice('usr_'.length)}`;

export const feedPartition = (account: string, env: Environment): string => `F#${account}#${env}`;

export const userCountPartition = (account: string, env: Environment): string => `E#${account}#${env}#COUNTS`;

export const webhookPartition = (account: string, env: Environment): string => `E#${account}#${env}#HOOKS`;

export const lists = {
  accounts: 'ACCOUNTS',
  /** Uploads that were set aside, of the whole deployment. */
  quarantine: 'ASIDE',
  users: (account: string, env: Environment): string => `E#${account}#${env}#USERS`,
  apiKeys: (account: string): string => `A#${account}#KEYS`,
} as const;

/** Sorts by time. */
export const toSortableTimestamp = (ms: number): string => String(ms).padStart(14, '0');
