// Rows of requests for sign-in links by e-mail, which are the pending work of the mail worker. One is
// written for every address that someone enters, known or not, so that the response tells neither.
import * as z from 'zod';
import { writeConditionally } from '../platform/conditional-write.ts';
import type { Item, Key, Put } from '../platform/ports.ts';
import { consoleKeys } from '../system/console-keys.ts';
import { pendingIndexKeys } from '../system/pending-kinds.ts';
import { repository } from '../system/store.ts';

const hourMs = 3_600_000;

/** What a message took from the allowance of its mailbox. */
export const TakenAllowance = z.object({
  mailboxHash: z.string(),
  hour: z.number(),
  /** Whether a colleague of the address signed in from there before. */
  isKnown: z.boolean(),
  /** Whether one of them signed in at all; never for an invitation. */
  hasJoined: z.boolean(),
});
export type TakenAllowance = z.infer<typeof TakenAllowance>;

export const SignInRequestRow = z.object({
  id: z.string(),
  emailHash: z.string(),
  /** Set for an invitation, which is about one account. */
  invitedTo: z.string().nullable(),
  /** Where it was requested (`hashSource`); null if that is unknown. */
  sourceHash: z.string().nullable(),
  /** What the message took from the allowance of its mailbox; null before it is first tried. */
  allowance: TakenAllowance.nullable(),
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
