// Invitations to a team, and the pending work for their messages. A row is small, so every change
// writes the whole row, on condition that it has not changed since.
import * as z from 'zod';
import { writeConditionally } from '../platform/conditional-write.ts';
import { Language } from '../platform/language.ts';
import type { Item, Key, Put, Write } from '../platform/ports.ts';
import { dayMs, utcDay } from '../platform/time/local-day.ts';
import { Environment } from '../system/caller.ts';
import {
  addressInvitationPrefix,
  invitationPointer,
  invitationPrefix,
  keys,
  teamPartition,
  userPartition,
} from '../system/keys.ts';
import { pendingIndexKeys } from '../system/pending-kinds.ts';
import { repository } from '../system/store.ts';
import type { ReservedEmail } from './email-reservation-rows.ts';
import { readTeamPage } from './read-team-page.ts';
import { maxInvitationsPerDay, maxMessagesPerAddress } from './team.ts';

/** The retention after an invitation has ended. */
const retentionDays = 30;

const InvitationMail = z.object({
  status: z.enum(['queued', 'sent', 'failed', 'not_configured']),
  /** When the newest message was requested. */
  requestedMs: z.number(),
  /** The number of attempts to send the newest message. */
  tries: z.number(),
  /** How often sending failed for a reason other than throttling. */
  failures: z.number(),
  /** How often sending was throttled. */
  throttles: z.number(),
  /** When any worker may make the next attempt; null when none is pending. */
  nextMs: z.number().nullable(),
  /** Whether a worker holds the lease until `nextMs`. */
  isLeased: z.boolean(),
  sentMs: z.number().nullable(),
  error: z.string().nullable(),
  /** The salt that the link of the newest message is derived from. */
  linkSalt: z.string(),
});
export type InvitationMail = z.infer<typeof InvitationMail>;

export const InvitationRow = z.object({
  id: z.string(),
  account: z.string(),
  env: Environment,
  /** Null, like the hash, once the invitee has been forgotten. */
  email: z.string().nullable(),
  emailHash: z.string().nullable(),
  name: z.string().nullable(),
  /** A language that only a later release knows is read as English. */
  language: Language.catch('en'),
  /** An invitation that nobody answered stays `pending` here, and expires by the clock. */
  status: z.enum(['pending', 'accepted', 'revoked']),
  createdMs: z.number(),
  expiresMs: z.number(),
  endedMs: z.number().nullable(),
  member: z.string().nullable(),
  /** The user that was named, and finally the user that the member is linked to. */
  user: z.string().nullable(),
  /**
   * The user whose partition points here: the named user, or the user of an archived member who is
   * invited again.
   */
  aboutUser: z.string().nullable(),
  /** The public origin of this deployment, which the worker that sends the messages cannot know. */
  origin: z.string(),
  /** Keyed hashes of the nonces in the links, one per message. */
  links: z.array(z.string()),
  /** The number of messages requested so far. */
  messages: z.number(),
  mail: InvitationMail,
  revision: z.number(),
});
export type InvitationRow = z.infer<typeof InvitationRow>;

const invitationKey = ({ account, env, id }: Pick<InvitationRow, 'account' | 'env' | 'id'>): Key =>
  keys.invitation(account, env, id);

const toSeconds = (ms: number): number => Math.ceil(ms / 1000);
const computeTtl = ({ endedMs, expiresMs }: Pick<InvitationRow, 'endedMs' | 'expiresMs'>): number =>
  toSeconds((endedMs ?? expiresMs) + retentionDays * dayMs);

function toItem(row: InvitationRow): Key & Item {
  const { nextMs } = row.mail;
  const isMailPending = row.status === 'pending' && nextMs !== null;
  return {
    ...invitationKey(row),
    ...row,
    ttl: computeTtl(row),
    ...(isMailPending ? pendingIndexKeys('mail', row.id, nextMs) : {}),
  };
}

/** Fails when the invitation has changed since it was read. */
const buildUpdate = (before: InvitationRow, after: InvitationRow): Put => ({
  kind: 'put',
  item: toItem({ ...after, revision: before.revision + 1 }),
  condition: '#revision = :read',
  values: { read: before.revision },
});

const buildCountUpTo = (max: number, key: Key, nowMs: number): Write => ({
  kind: 'update',
  key,
  update: 'SET #count = if_not_exists(#count, :none) + :one, #ttl = :ttl',
  condition: 'attribute_not_exists(#count) OR #count < :max',
  values: { none: 0, one: 1, max, ttl: toSeconds(nowMs + 2 * dayMs) },
});

export const invitationRows = repository(({ table }) => {
  return {
    async findById(account: string, env: Environment, invitation: string): Promise<InvitationRow | undefined> {
      const item = await table.get(keys.invitation(account, env, invitation), { consistent: true });
      return item && InvitationRow.parse(item);
    },
    readPage: (
      account: string,
      env: Environment,
      query: {
        limit: number;
        afterId?: string | undefined;
        shows?: ((row: InvitationRow) => boolean) | undefined;
      },
    ) =>
      readTeamPage<InvitationRow>(table, {
        account,
        env,
        prefix: invitationPrefix,
        read: (item) => InvitationRow.parse(item),
        ...query,
      }),
    /** The invitations that are about a user. */
    async listByUser(user: string): Promise<{ account: string; env: Environment; id: string }[]> {
      const invitations: { account: string; env: Environment; id: string }[] = [];
      const pointers = table.queryAll({
        where: '#pk = :pk AND begins_with(#sk, :invited)',
        values: { pk: userPartition(user), invited: invitationPointer.prefix },
        consistent: true,
      });
      for await (const item of pointers) {
        const { sk, account, env } = z.object({ sk: z.string(), account: z.string(), env: Environment }).parse(item);
        invitations.push({ account, env, id: invitationPointer.parseInvitationId(sk) ?? '' });
      }
      return invitations;
    },

    /** The invitations of an address. */
    async listByAddress({
      account,
      env,
      emailHash,
    }: ReservedEmail): Promise<{ account: string; env: Environment; id: string }[]> {
      const invitations: { account: string; env: Environment; id: string }[] = [];
      const prefix = addressInvitationPrefix(emailHash);
      const pointers = table.queryAll({
        where: '#pk = :pk AND begins_with(#sk, :prefix)',
        values: { pk: teamPartition(account, env), prefix },
        consistent: true,
      });
      for await (const item of pointers)
        invitations.push({ account, env, id: z.object({ sk: z.string() }).parse(item).sk.slice(prefix.length) });
      return invitations;
    },

    /** Lets the invitation be found by its address, for as long as the invitation can exist. */
    buildAddressPointer: ({ account, env, emailHash }: ReservedEmail, { id, expiresMs }: InvitationRow): Write => ({
      kind: 'put',
      item: { ...keys.addressInvitation(account, env, emailHash, id), ttl: computeTtl({ endedMs: null, expiresMs }) },
    }),
    buildRemoveAddressPointer: ({ account, env, emailHash }: ReservedEmail, id: string): Write => ({
      kind: 'delete',
      key: keys.addressInvitation(account, env, emailHash, id),
    }),
    buildInsert: (row: InvitationRow): Write => ({
      kind: 'put',
      item: toItem(row),
      condition: 'attribute_not_exists(#pk)',
    }),
    buildUpdate,
    /** Fails when the daily limit of requested messages is reached. */
    buildCount: (account: string, env: Environment, nowMs: number): Write =>
      buildCountUpTo(maxInvitationsPerDay, keys.invitationCount(account, env, utcDay(nowMs)), nowMs),
    /**
     * Fails when the mailbox, identified by the hash of its untagged address, has reached its daily
     * limit.
     */
    buildCountAddress: ({ account, env, emailHash }: ReservedEmail, nowMs: number): Write =>
      buildCountUpTo(maxMessagesPerAddress, keys.messageCount(account, env, utcDay(nowMs), emailHash), nowMs),
    /**
     * Lets the invitation be found when the user is deleted, for as long as the invitation can
     * exist.
     */
    buildUserPointer: (user: string, { account, env, id, expiresMs }: InvitationRow): Write => ({
      kind: 'put',
      item: { ...keys.invitationPointer(user, id), account, env, ttl: computeTtl({ endedMs: null, expiresMs }) },
    }),
    buildRemoveUserPointer: (user: string, { id }: InvitationRow): Write => ({
      kind: 'delete',
      key: keys.invitationPointer(user, id),
    }),
    /**
     * Ends the lease of a worker that is known to be gone. A row that cannot be read is left to the
     * worker that is woken.
     */
    async endLease({ pk, sk }: Key, nowMs: number): Promise<void> {
      const before = InvitationRow.safeParse(await table.get({ pk, sk }, { consistent: true })).data;
      if (!before?.mail.isLeased) return;
      const mail = { ...before.mail, isLeased: false, nextMs: nowMs };
      await writeConditionally(table, buildUpdate(before, { ...before, mail }));
    },
  };
});
