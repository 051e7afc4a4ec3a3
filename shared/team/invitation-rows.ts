// Invitations into a team, and what is owed of their messages. A row is small, so every change writes it whole, on condition that nobody else did.
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

/** After an invitation ended. */
const retentionDays = 30;

const InvitationMail = z.object({
  status: z.enum(['queued', 'sent', 'failed', 'not_configured']),
  /** When the newest message was asked for. */
  requestedMs: z.number(),
  /** How often the newest message was tried. */
  tries: z.number(),
  /** How often nobody took it, for another reason than that there was too much at once. */
  failures: z.number(),
  /** How often there was too much at once. */
  throttles: z.number(),
  /** When it is to be tried next, by whoever comes first; null when nothing is owed. */
  nextMs: z.number().nullable(),
  /** Whether a worker is at it until then. */
  isLeased: z.boolean(),
  sentMs: z.number().nullable(),
  error: z.string().nullable(),
  /** What the newest message's link is made from. */
  linkSalt: z.string(),
});
export type InvitationMail = z.infer<typeof InvitationMail>;

export const InvitationRow = z.object({
  id: z.string(),
  account: z.string(),
  env: Environment,
  /** Null, like the hash, once the person is to be forgotten. */
  email: z.string().nullable(),
  emailHash: z.string().nullable(),
  name: z.string().nullable(),
  /** One that a later release writes to people in is read as ours. */
  language: Language.catch('en'),
  /** One that nobody answered stays `pending` here: it has expired by the clock. */
  status: z.enum(['pending', 'accepted', 'revoked']),
  createdMs: z.number(),
  expiresMs: z.number(),
  endedMs: z.number().nullable(),
  member: z.string().nullable(),
  /** Who was named, and whom the member is linked to in the end. */
  user: z.string().nullable(),
  /** Whose partition leads here: the user, or that of the archived member who is invited again. */
  about: z.string().nullable(),
  /** Where people reach this deployment: the worker who writes to them cannot know. */
  origin: z.string(),
  /** Keyed hashes of what the links have in them, one a message. */
  links: z.array(z.string()),
  /** How many messages were asked for. */
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

/** Refused when it was changed since it was read. */
const buildUpdate = (before: InvitationRow, after: InvitationRow): Put => ({
  kind: 'put',
  item: toItem({ ...after, revision: before.revision + 1 }),
  condition: '#revision = :read',
  values: { read: before.revision },
});

const buildCountUpTo = (most: number, key: Key, nowMs: number): Write => ({
  kind: 'update',
  key,
  update: 'SET #count = if_not_exists(#count, :none) + :one, #ttl = :ttl',
  condition: 'attribute_not_exists(#count) OR #count < :most',
  values: { none: 0, one: 1, most, ttl: toSeconds(nowMs + 2 * dayMs) },
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

    /** So that it is found by its address; it stays for as long as the invitation may. */
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
    /** Refused when as many messages were asked for on this day as may be. */
    buildCount: (account: string, env: Environment, nowMs: number): Write =>
      buildCountUpTo(maxInvitationsPerDay, keys.invitationCount(account, env, utcDay(nowMs)), nowMs),
    /**
     * Refused when the mailbox, by the hash of its untagged address, was sent as many on this day
     * as may be.
     */
    buildCountAddress: ({ account, env, emailHash }: ReservedEmail, nowMs: number): Write =>
      buildCountUpTo(maxMessagesPerAddress, keys.messageCount(account, env, utcDay(nowMs), emailHash), nowMs),
    /** So that it is found when the user is deleted; it stays for as long as the invitation may. */
    buildUserPointer: (user: string, { account, env, id, expiresMs }: InvitationRow): Write => ({
      kind: 'put',
      item: { ...keys.invitationPointer(user, id), account, env, ttl: computeTtl({ endedMs: null, expiresMs }) },
    }),
    buildRemoveUserPointer: (user: string, { id }: InvitationRow): Write => ({
      kind: 'delete',
      key: keys.invitationPointer(user, id),
    }),
    /** Of a worker that is known to be gone; what cannot be read is left to whoever is woken. */
    async endLease({ pk, sk }: Key, nowMs: number): Promise<void> {
      const before = InvitationRow.safeParse(await table.get({ pk, sk }, { consistent: true })).data;
      if (!before?.mail.isLeased) return;
      const mail = { ...before.mail, isLeased: false, nextMs: nowMs };
      await writeConditionally(table, buildUpdate(before, { ...before, mail }));
    },
  };
});
