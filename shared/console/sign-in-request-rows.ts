// Rows of requests for sign-in links by e-mail, which are the pending work of the mail worker. One is
// written for every address that someone enters, known or not, so that the response tells neither.
import * as z from 'zod';
import { writeConditionally } from '../platform/conditional-write.ts';
import type { Item, Key, Put, Write } from '../platform/ports.ts';
import { consoleKeys } from '../system/console-keys.ts';
import { pendingIndexKeys } from '../system/pending-kinds.ts';
import { repository } from '../system/store.ts';

/** Links that can be requested for a mailbox in an hour. */
export const maxRequestsPerHour = 5;
const hourMs = 3_600_000;

export const SignInRequestRow = z.object({
  id: z.string(),
  emailHash: z.string(),
  /** Set for an invitation, which is about one account. */
  invitedTo: z.string().nullable(),
  /** The public origin of this deployment, which the worker that sends the messages cannot know. */
  origin: z.string(),
  requestedMs: z.number(),
  tries: z.number(),
  failures: z.number(),
  throttles: z.number(),
  /** When any worker may make the next attempt. */
  nextMs: z.number(),
  /** Whether a worker holds the lease until `nextMs`. */
  isLeased: z.boolean(),
});
export type SignInRequestRow = z.infer<typeof SignInRequestRow>;

const toItem = (row: SignInRequestRow): Key & Item => ({
  ...consoleKeys.signInRequest(row.id),
  ...row,
  ttl: Math.ceil((row.requestedMs + hourMs) / 1000),
  ...pendingIndexKeys('mail', row.id, row.nextMs),
});

/** Fails if another worker has tried since. */
const buildUpdate = (before: SignInRequestRow, after: SignInRequestRow): Put => ({
  kind: 'put',
  item: toItem(after),
  condition: '#tries = :tries AND #nextMs = :nextMs',
  values: { tries: before.tries, nextMs: before.nextMs },
});

export const signInRequestRows = repository(({ table }) => {
  return {
    async find(request: string): Promise<SignInRequestRow | undefined> {
      const item = await table.get(consoleKeys.signInRequest(request), { consistent: true });
      return item && SignInRequestRow.parse(item);
    },
    buildInsert: (row: SignInRequestRow): Write => ({
      kind: 'put',
      item: toItem(row),
      condition: 'attribute_not_exists(#pk)',
    }),
    /** Fails if the mailbox has reached its limit. */
    buildCount: (mailboxHash: string, nowMs: number): Write => ({
      kind: 'update',
      key: consoleKeys.signInRequestCount(mailboxHash, Math.floor(nowMs / hourMs)),
      update: 'SET #count = if_not_exists(#count, :none) + :one, #ttl = :ttl',
      condition: 'attribute_not_exists(#count) OR #count < :max',
      values: { none: 0, one: 1, max: maxRequestsPerHour, ttl: Math.ceil((nowMs + 2 * hourMs) / 1000) },
    }),
    buildUpdate,
    buildDelete: ({ id }: SignInRequestRow): Write => ({ kind: 'delete', key: consoleKeys.signInRequest(id) }),
    /** Ends the lease of a worker that is known to be gone. */
    async endLease({ pk, sk }: Key, nowMs: number): Promise<void> {
      const before = SignInRequestRow.safeParse(await table.get({ pk, sk }, { consistent: true })).data;
      if (!before?.isLeased) return;
      await writeConditionally(table, buildUpdate(before, { ...before, isLeased: false, nextMs: nowMs }));
    },
  };
});
