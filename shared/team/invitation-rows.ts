// Invitations into a team, and what is owed of their messages. A row is small, so every change writes it whole, on condition that nobody else did.
import * as z from 'zod';
import { conditionalWrite } from '../platform/conditional-write.ts';
import { Language } from '../platform/language.ts';
import type { Item, Key, Put, Write } from '../platform/ports.ts';
import { dayMs, utcDay } from '../platform/time/local-day.ts';
import { Environment } from '../system/caller.ts';
import { due } from '../system/due.ts';
import {
  invitationPrefix,
  invitedAddressPrefix,
  invitedPointer,
  keys,
  teamPartition,
  userPartition,
} from '../system/keys.ts';
import { repository } from '../system/store.ts';
import type { HeldEmail } from './email-holds.ts';
import { mostInvitationsADay, mostMessagesAnAddress } from './team.ts';
import { teamPage } from './team-page.ts';

/** After an invitation ended. */
const keptDays = 30;

const InvitationMail = z.object({
  status: z.enum(['queued', 'sent', 'failed', 'not_configured']),
  /** When the newest message was asked for. */
  askedMs: z.number(),
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

const keyOf = ({ account, env, id }: Pick<InvitationRow, 'account' | 'env' | 'id'>): Key =>
  keys.invitation(account, env, id);

const seconds = (ms: number): number => Math.ceil(ms / 1000);
const ttlOf = ({ endedMs, expiresMs }: Pick<InvitationRow, 'endedMs' | 'expiresMs'>): number =>
  seconds((endedMs ?? expiresMs) + keptDays * dayMs);

function itemOf(row: InvitationRow): Key & Item {
  const { nextMs } = row.mail;
  const isOwed = row.status === 'pending' && nextMs !== null;
  return { ...keyOf(row), ...row, ttl: ttlOf(row), ...(isOwed ? due('mail', row.id, nextMs) : {}) };
}

/** Refused when it was changed since it was read. */
const changing = (before: InvitationRow, after: InvitationRow): Put => ({
  kind: 'put',
  item: itemOf({ ...after, revision: before.revision + 1 }),
  condition: '#revision = :read',
  values: { read: before.revision },
});

const countingUpTo = (most: number, key: Key, nowMs: number): Write => ({
  kind: 'update',
  key,
  update: 'SET #count = if_not_exists(#count, :none) + :one, #ttl = :ttl',
  condition: 'attribute_not_exists(#count) OR #count < :most',
  values: { none: 0, one: 1, most, ttl: seconds(nowMs + 2 * dayMs) },
});

export const invitationRows = repository(({ table }) => {
  return {
    async byId(account: string, env: Environment, invitation: string): Promise<InvitationRow | undefined> {
      const item = await table.get(keys.invitation(account, env, invitation), { consistent: true });
      return item && InvitationRow.parse(item);
    },
    page: (
      account: string,
      env: Environment,
      query: {
        limit: number;
        afterId?: string | undefined;
        shows?: ((row: InvitationRow) => boolean) | undefined;
      },
    ) =>
      teamPage<InvitationRow>(table, {
        account,
        env,
        prefix: invitationPrefix,
        read: (item) => InvitationRow.parse(item),
        ...query,
      }),
    /** The invitations that are about a user. */
    async about(user: string): Promise<{ account: string; env: Environment; id: string }[]> {
      const found: { account: string; env: Environment; id: string }[] = [];
      const pointers = table.queryAll({
        where: '#pk = :pk AND begins_with(#sk, :invited)',
        values: { pk: userPartition(user), invited: invitedPointer.prefix },
        consistent: true,
      });
      for await (const item of pointers) {
        const { sk, account, env } = z.object({ sk: z.string(), account: z.string(), env: Environment }).parse(item);
        found.push({ account, env, id: invitedPointer.invitationIn(sk) ?? '' });
      }
      return found;
    },

    /** The invitations of an address. */
    async to({ account, env, emailHash }: HeldEmail): Promise<{ account: string; env: Environment; id: string }[]> {
      const found: { account: string; env: Environment; id: string }[] = [];
      const prefix = invitedAddressPrefix(emailHash);
      const pointers = table.queryAll({
        where: '#pk = :pk AND begins_with(#sk, :prefix)',
        values: { pk: teamPartition(account, env), prefix },
        consistent: true,
      });
      for await (const item of pointers)
        found.push({ account, env, id: z.object({ sk: z.string() }).parse(item).sk.slice(prefix.length) });
      return found;
    },

    /** So that it is found by its address; it stays for as long as the invitation may. */
    addressing: ({ account, env, emailHash }: HeldEmail, { id, expiresMs }: InvitationRow): Write => ({
      kind: 'put',
      item: { ...keys.invitationTo(account, env, emailHash, id), ttl: ttlOf({ endedMs: null, expiresMs }) },
    }),
    noLongerAddressing: ({ account, env, emailHash }: HeldEmail, id: string): Write => ({
      kind: 'delete',
      key: keys.invitationTo(account, env, emailHash, id),
    }),
    inserting: (row: InvitationRow): Write => ({
      kind: 'put',
      item: itemOf(row),
      condition: 'attribute_not_exists(#pk)',
    }),
    changing,
    /** Refused when as many messages were asked for on this day as may be. */
    counting: (account: string, env: Environment, nowMs: number): Write =>
      countingUpTo(mostInvitationsADay, keys.invitationCount(account, env, utcDay(nowMs)), nowMs),
    /**
     * Refused when the mailbox, by the hash of its untagged address, was sent as many on this day
     * as may be.
     */
    countingAddress: ({ account, env, emailHash }: HeldEmail, nowMs: number): Write =>
      countingUpTo(mostMessagesAnAddress, keys.messageCount(account, env, utcDay(nowMs), emailHash), nowMs),
    /** So that it is found when the user is deleted; it stays for as long as the invitation may. */
    pointing: (user: string, { account, env, id, expiresMs }: InvitationRow): Write => ({
      kind: 'put',
      item: { ...keys.invitationOf(user, id), account, env, ttl: ttlOf({ endedMs: null, expiresMs }) },
    }),
    noLongerPointing: (user: string, { id }: InvitationRow): Write => ({
      kind: 'delete',
      key: keys.invitationOf(user, id),
    }),
    /** Of a worker that is known to be gone; what cannot be read is left to whoever is woken. */
    async endLease({ pk, sk }: Key, nowMs: number): Promise<void> {
      const before = InvitationRow.safeParse(await table.get({ pk, sk }, { consistent: true })).data;
      if (!before?.mail.isLeased) return;
      const mail = { ...before.mail, isLeased: false, nextMs: nowMs };
      await conditionalWrite(table, changing(before, { ...before, mail }));
    },
  };
});
