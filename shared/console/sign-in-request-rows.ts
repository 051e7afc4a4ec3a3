// Rows of requests for sign-in links by e-mail, which are the pending work of the mail worker. One is
// written for every address that someone enters, known or not, so that the response tells neither.
import * as z from 'zod';
import { writeConditionally } from '../platform/conditional-write.ts';
import type { Item, Key, Put } from '../platform/ports.ts';
import { consoleKeys } from '../system/console-keys.ts';
import { pendingIndexKeys } from '../system/pending-kinds.ts';
import { repository } from '../system/store.ts';

/**
 * Links that can be requested for a mailbox in an hour: from one network, and from all of them. A
 * stranger who knows the address uses up the share of their own network, and the colleague still
 * gets links in another one.
 */
export const maxRequestsPerHour = { fromOneSource: 5, fromAll: 20 } as const;
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
    async insert(row: SignInRequestRow): Promise<void> {
      await table.write({ kind: 'put', item: toItem(row), condition: 'attribute_not_exists(#pk)' });
    },
    /**
     * Returns false if the mailbox has reached its limit. One row has the total and the share of each
     * source, so that a request costs one write. The total also limits how large the row grows.
     */
    async count(mailboxHash: string, sourceHash: string, nowMs: number): Promise<boolean> {
      const source = `#from_${sourceHash}`;
      const { applied } = await writeConditionally(table, {
        kind: 'update',
        key: consoleKeys.signInRequestCount(mailboxHash, Math.floor(nowMs / hourMs)),
        update: `SET #count = if_not_exists(#count, :none) + :one, ${source} = if_not_exists(${source}, :none) + :one, #ttl = :ttl`,
        condition: `(attribute_not_exists(#count) OR #count < :max) AND (attribute_not_exists(${source}) OR ${source} < :maxOfSource)`,
        values: {
          none: 0,
          one: 1,
          max: maxRequestsPerHour.fromAll,
          maxOfSource: maxRequestsPerHour.fromOneSource,
          ttl: Math.ceil((nowMs + 2 * hourMs) / 1000),
        },
      });
      return applied;
    },
    /** Returns false if another worker has tried since. */
    async update(before: SignInRequestRow, after: SignInRequestRow): Promise<boolean> {
      return (await writeConditionally(table, buildUpdate(before, after))).applied;
    },
    async delete({ id }: SignInRequestRow): Promise<void> {
      await table.write({ kind: 'delete', key: consoleKeys.signInRequest(id) });
    },
    /** Ends the lease of a worker that is known to be gone. */
    async endLease({ pk, sk }: Key, nowMs: number): Promise<void> {
      const before = SignInRequestRow.safeParse(await table.get({ pk, sk }, { consistent: true })).data;
      if (!before?.isLeased) return;
      await writeConditionally(table, buildUpdate(before, { ...before, isLeased: false, nextMs: nowMs }));
    },
  };
});
