// Stores users: one item at the head of the partition, listed per environment, and found by the
// caller's own reference.
import * as z from 'zod';
import type { Item, Update, Value, Write } from '../platform/ports.ts';
import { buildSetClause } from '../platform/set-clause.ts';
import { TimeZoneSource } from '../platform/time/time.ts';
import { Environment } from '../system/caller.ts';
import { commandPrefix, keys, lists, openSamplesPrefix, userPartition } from '../system/keys.ts';
import { messageGraceMs, pendingIndexKeys } from '../system/pending-kinds.ts';
import { repository } from '../system/store.ts';
import { findScoresDueMs, PendingScores } from './pending-scores.ts';
import { Profile } from './profile.ts';
import { buildReleaseReference, buildReserveReference } from './reference-rows.ts';
import { buildUserCountUpdate } from './user-count-rows.ts';
import { buildRaise } from './wake-rows.ts';

export const UserRow = z.object({
  id: z.string(),
  account: z.string(),
  env: Environment,
  reference: z.string().nullable(),
  timezone: z.string().nullable(),
  /** Whether records are assigned to days by the time zone alone, or by the offset they carry. */
  dayRule: z.enum(['profile', 'recorded']),
  /** Meaningless without a time zone. */
  timezoneSource: TimeZoneSource,
  profile: Profile,
  /**
   * `unshared`: the user was removed from the team. All data stays stored, but none is returned or
   * accepted.
   */
  status: z.enum(['active', 'unshared', 'deleting']),
  createdMs: z.number(),
  lastSyncMs: z.number().nullable(),
  lastScoreMs: z.number().nullable(),
  /**
   * The generation of the formulas whose scores readers see (`scoringGeneration`). Every response
   * uses one generation.
   */
  scoreGeneration: z.number(),
  /** Every canonical day was last built by this version of the merge rules, or by a later one. */
  mergeRule: z.number(),
  /** Counts the changes made through the API, so that concurrent updates never undo each other. */
  revision: z.number(),
  /**
   * Counts the passes of the user's writer, which alone changes it: a writer that was overtaken
   * cannot commit.
   */
  fence: z.number(),
  /** SDK sessions ever opened (`mobile/count-session.ts`). */
  sessionsOpened: z.number(),
  /** Of the message that wakes the writer next (`wake-number.ts`); absent until the first one. */
  wake: z.int().optional(),
  /** The last ingested upload of each phone, and when it arrived. */
  lastUploads: z.record(z.string(), z.object({ upload: z.string(), receivedMs: z.number() })),
  scores: PendingScores,
  /**
   * Counts how often the user stopped sharing. Tokens, SDK sessions and links carry it: those of an
   * earlier epoch are invalid for good.
   */
  sharingEpoch: z.number(),
  /**
   * Set while the status is `unshared`: since when, and the keyed hash of the email address by
   * which an invitation finds the user again.
   */
  unshared: z.object({ sinceMs: z.number(), emailHash: z.string() }).nullable(),
});
export type UserRow = z.infer<typeof UserRow>;

/** Every field that `buildUpdate` does not store. It stores all others: the compiler asks. */
type FieldKeptByUpdate =
  | 'id'
  | 'account'
  | 'env'
  | 'status'
  | 'createdMs'
  | 'fence'
  | 'sessionsOpened'
  | 'wake'
  | 'sharingEpoch'
  | 'unshared'
  | keyof PassResult;

/** The fields that a pass updates on the row. */
export type PassResult = Pick<
  UserRow,
  'lastSyncMs' | 'lastScoreMs' | 'scoreGeneration' | 'mergeRule' | 'scores' | 'lastUploads'
>;

export interface UserHead {
  user: UserRow;
  /** All other items in the head of the partition. */
  rest: Item[];
}

/** The number of devices is limited, and so is the number of commands that one run reads. */
const maxItemsPerQuery = 150;

/** Not being deleted, whether or not the user shares data. */
const notDeletingCondition = '#status IN (:active, :unshared)';
const notDeletingValues = { active: 'active', unshared: 'unshared' } as const;

const parseItemKey = (item: Item): { pk: string; sk: string } =>
  z.object({ pk: z.string(), sk: z.string() }).parse(item);

export const userRows = repository(({ table }) => {
  const listName = (account: string, env: Environment) => lists.users(account, env);
  const parseHead = (user: string, items: readonly Item[]): UserHead | undefined => {
    const item = items.find((each) => each.sk === keys.user(user).sk);
    return item && { user: UserRow.parse(item), rest: items.filter((each) => each !== item) };
  };

  return {
    async findById(user: string): Promise<UserRow | undefined> {
      const item = await table.get(keys.user(user), { consistent: true });
      return item && UserRow.parse(item);
    },
    /**
     * Reads the user with its devices and settings, and optionally its open samples, in one Query.
     */
    async readHead(user: string, { openSamples = false } = {}): Promise<UserHead | undefined> {
      const items: Item[] = [];
      const foundItems = table.queryAll({
        where: '#pk = :pk AND #sk BETWEEN :from AND :to',
        values: { pk: userPartition(user), from: '@', to: openSamples ? `${openSamplesPrefix()}~` : '@~' },
        consistent: true,
      });
      for await (const item of foundItems) items.push(item);
      return parseHead(user, items);
    },
    /**
     * Reads the oldest pending commands and the head in one Query, because they are adjacent in the
     * partition. The head is read last, so it includes the result of a pass that ended in the
     * meantime. Callers that append a command also need the newest commands, if there are more than
     * one Query returns.
     */
    async readHeadAndCommands(
      user: string,
      which: 'oldest' | 'newest too',
    ): Promise<{ head: UserHead | undefined; commands: Item[] }> {
      const queryRange = (to: string, newestFirst: boolean) =>
        table.query({
          where: '#pk = :pk AND #sk BETWEEN :from AND :to',
          values: { pk: userPartition(user), from: commandPrefix, to },
          ...{ newestFirst, limit: maxItemsPerQuery, consistent: true },
        });
      const { items, next } = await queryRange('@~', false);
      const isCommand = ({ sk }: Item) => String(sk).startsWith(commandPrefix);
      const oldest = items.filter(isCommand);
      if (!next) return { commands: oldest, head: parseHead(user, items.slice(oldest.length)) };
      const newest = which === 'newest too' ? (await queryRange(`${commandPrefix}~`, true)).items : [];
      const oldestKeys = new Set(oldest.map(({ sk }) => sk));
      const commands = [...oldest, ...newest.filter(({ sk }) => !oldestKeys.has(sk ?? '')).reverse()];
      return { commands, head: await this.readHead(user) };
    },
    async findIdByReference(account: string, env: Environment, reference: string): Promise<string | undefined> {
      const item = await table.get(keys.reference(account, env, reference), { consistent: true });
      return item && z.object({ user: z.string() }).parse(item).user;
    },
    /** Users that are being deleted are left out. */
    async findByIds(users: readonly string[]): Promise<UserRow[]> {
      const items = await table.batchGet(users.map(keys.user), { consistent: true });
      return items.map((item) => UserRow.parse(item)).filter(({ status }) => status !== 'deleting');
    },
    /** Newest first, starting after `afterId`; deleted users never appear. */
    async readPage(
      account: string,
      env: Environment,
      limit: number,
      afterId: string | undefined,
    ): Promise<{ users: UserRow[]; more: boolean }> {
      const wanted = limit + 1;
      const users: UserRow[] = [];
      let before = afterId;
      for (;;) {
        const indexPage = await table.query({
          index: 'by-list',
          where: before === undefined ? '#listPk = :list' : '#listPk = :list AND #listSk < :before',
          values: { list: listName(account, env), ...(before === undefined ? {} : { before }) },
          newestFirst: true,
          limit: wanted - users.length,
        });
        const foundItems = await table.batchGet(indexPage.items.map(parseItemKey), { consistent: true });
        const rows = foundItems.map((item) => UserRow.parse(item)).filter((row) => row.status !== 'deleting');
        users.push(...rows.sort((a, b) => (a.id < b.id ? 1 : -1)));
        if (users.length >= wanted || !indexPage.next) break;
        // The index may still list a user that was just deleted: read on until the page is full.
        before = z.object({ listSk: z.string() }).parse(indexPage.next).listSk;
      }
      return { users: users.slice(0, limit), more: users.length > limit };
    },

    /** In the order of creation, skipping `offset` users, of which only the keys are read. */
    async readPageAtOffset(account: string, env: Environment, offset: number, limit: number): Promise<UserRow[]> {
      const users: UserRow[] = [];
      let toSkip = offset;
      let after: Item | undefined;
      do {
        const indexPage = await table.query({
          index: 'by-list',
          where: '#listPk = :list',
          values: { list: listName(account, env) },
          limit: toSkip + limit - users.length,
          only: ['pk', 'sk'],
          ...(after ? { after } : {}),
        });
        const wanted = indexPage.items.slice(toSkip).map(parseItemKey);
        const foundItems = wanted.length === 0 ? [] : await table.batchGet(wanted, { consistent: true });
        const rows = foundItems.map((item) => UserRow.parse(item)).filter((row) => row.status !== 'deleting');
        users.push(...rows.sort((a, b) => (a.id < b.id ? -1 : 1)));
        toSkip = Math.max(0, toSkip - indexPage.items.length);
        // The index may still list a user that was just deleted: read on until the page is full.
        after = indexPage.next;
      } while (after && users.length < limit);
      return users;
    },

    /** Fails if the user is being deleted or is unshared: nothing that gives or returns data begins. */
    buildActiveCheck: (user: string): Write => ({
      kind: 'check',
      key: keys.user(user),
      condition: '#status = :active',
      values: { active: 'active' },
    }),
    /** Fails if the user is being deleted: nothing new may then be added. */
    buildNotDeletingCheck: (user: string): Write => ({
      kind: 'check',
      key: keys.user(user),
      condition: notDeletingCondition,
      values: notDeletingValues,
    }),
    /**
     * The count changes in the same transaction. The reference comes first, so that its conflict
     * can be distinguished.
     */
    buildInsert({ wake: _none, ...row }: UserRow): Write[] {
      const user: Write = {
        kind: 'put',
        item: {
          ...keys.user(row.id),
          ...row,
          profile: toProfileItem(row.profile),
          listPk: listName(row.account, row.env),
          listSk: row.id,
        },
        condition: 'attribute_not_exists(#pk)',
      };
      const writes = [user, buildUserCountUpdate(row, 1)];
      return row.reference === null ? writes : [buildReserveReference(row, row.reference), ...writes];
    },
    /**
     * Fails if the row was changed or deleted since it was read. The reference comes first, so that
     * its conflict can be distinguished.
     */
    buildUpdate(before: UserRow, after: UserRow): Write[] {
      const changes = {
        reference: after.reference,
        timezone: after.timezone,
        timezoneSource: after.timezoneSource,
        dayRule: after.dayRule,
        profile: toProfileItem(after.profile),
        revision: before.revision + 1,
      } satisfies Record<Exclude<keyof UserRow, FieldKeptByUpdate>, Value>;
      const writes: Write[] = [];
      if (after.reference !== null && after.reference !== before.reference)
        writes.push(buildReserveReference(after, after.reference));
      writes.push({
        kind: 'update',
        key: keys.user(after.id),
        update: buildSetClause(changes),
        condition: `#revision = :read AND ${notDeletingCondition}`,
        values: { ...changes, read: before.revision, ...notDeletingValues },
      });
      if (before.reference !== null && after.reference !== before.reference)
        writes.push(buildReleaseReference(before, before.reference));
      return writes;
    },
    /**
     * Fails if the row was changed or deleted since it was read, or if a pass has built days from
     * it.
     */
    buildFillTimeZone: (row: UserRow, zone: string): Update => ({
      kind: 'update',
      key: keys.user(row.id),
      update: 'SET #timezone = :zone, #timezoneSource = :source, #revision = :nextRevision',
      condition: '#revision = :readRevision AND #status = :active AND #fence = :fence',
      values: {
        zone,
        source: 'device',
        readRevision: row.revision,
        nextRevision: row.revision + 1,
        fence: row.fence,
        active: 'active',
      },
    }),
    /**
     * Ends a pass. Fails if the writer was overtaken; if the user's status has changed since it was
     * read, because it decides whether an event is emitted; and if a profile without a time zone
     * has one now, because the days must follow it. Other changes by callers do not make it fail:
     * they have their own commands. With `nextWake`, the wake number rises in the same write.
     */
    buildFinishPass(row: UserRow, after: PassResult, nextWake?: number): Write {
      const dueMs = findScoresDueMs(after.scores);
      const indexKeys =
        dueMs === undefined ? undefined : pendingIndexKeys('user', row.id, Math.max(0, dueMs - messageGraceMs));
      const changes = {
        fence: row.fence + 1,
        lastSyncMs: after.lastSyncMs,
        lastScoreMs: after.lastScoreMs,
        scoreGeneration: after.scoreGeneration,
        mergeRule: after.mergeRule,
        scores: after.scores,
        lastUploads: after.lastUploads,
      } satisfies Record<keyof PassResult | 'fence', Value>;
      const raised = nextWake === undefined ? undefined : buildRaise(row, nextWake);
      return {
        kind: 'update',
        key: keys.user(row.id),
        update:
          buildSetClause({ ...changes, ...indexKeys, ...raised?.changes }) +
          (indexKeys ? '' : ' REMOVE #duePk, #dueSk'),
        condition: [
          '#fence = :read AND #status = :status',
          ...(row.timezone === null ? ['#timezone = :none'] : []),
          ...(raised ? [raised.condition] : []),
        ].join(' AND '),
        values: {
          ...changes,
          read: row.fence,
          status: row.status,
          ...(row.timezone === null ? { none: null } : {}),
          ...indexKeys,
          ...raised?.changes,
          ...raised?.values,
        },
      };
    },
    /**
     * Fails if the user is being deleted, or if readers see scores of another generation than when
     * it was read.
     */
    buildGenerationCheck: ({ id, scoreGeneration }: UserRow): Write => ({
      kind: 'check',
      key: keys.user(id),
      condition: `${notDeletingCondition} AND #scoreGeneration = :read`,
      values: { ...notDeletingValues, read: scoreGeneration },
    }),
    /**
     * The user stops sharing: from now on none of their data is returned or accepted. Fails if the
     * row has changed since it was read.
     */
    buildUnshare: ({ id, revision }: UserRow, unshared: { sinceMs: number; emailHash: string }): Write => ({
      kind: 'update',
      key: keys.user(id),
      update: 'SET #status = :unshared, #unshared = :since, #sharingEpoch = #sharingEpoch + :one, #revision = :next',
      condition: '#revision = :read AND #status = :active',
      values: { ...notDeletingValues, since: unshared, one: 1, read: revision, next: revision + 1 },
    }),
    /**
     * The user shares again, with all stored data. Fails if the row has changed since it was read.
     */
    buildReshare: ({ id, revision }: UserRow): Write => ({
      kind: 'update',
      key: keys.user(id),
      update: 'SET #status = :active, #unshared = :nothing, #revision = :next',
      condition: '#revision = :read AND #status = :unshared',
      values: { ...notDeletingValues, nothing: null, read: revision, next: revision + 1 },
    }),
    /**
     * From now on the user no longer exists for callers and is not counted; the user's writer
     * erases the rest.
     */
    buildDelete(row: UserRow, atMs: number): Write[] {
      const user: Write = {
        kind: 'update',
        key: keys.user(row.id),
        update: 'SET #status = :deleting, #duePk = :duePk, #dueSk = :dueSk, #revision = :next REMOVE #listPk, #listSk',
        condition: `#revision = :read AND ${notDeletingCondition}`,
        values: {
          deleting: 'deleting',
          ...notDeletingValues,
          ...pendingIndexKeys('user', row.id, atMs),
          read: row.revision,
          next: row.revision + 1,
        },
      };
      const writes = [user, buildUserCountUpdate(row, -1)];
      return row.reference === null ? writes : [...writes, buildReleaseReference(row, row.reference)];
    },
  };
});

/** Whether records may move to other days. */
export const haveDayBoundariesChanged = (before: UserRow, after: UserRow): boolean =>
  after.timezone !== before.timezone || after.dayRule !== before.dayRule;

const toProfileItem = (profile: Profile): Item =>
  Object.fromEntries(Object.entries(profile).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
