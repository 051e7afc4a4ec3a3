// Stores a user's commands: the pending work of the writer of the user's derived data, in the order
// of arrival. A caller's change is already stored; its command requests that days and scores
// follow. Every command is also in the index of pending work, so a lost message costs a minute but
// never loses work.
import * as z from 'zod';
import { UploadKind } from '../catalog/upload-kinds.ts';
import { noUnannouncedChanges, UnannouncedChanges } from '../events/unannounced-changes.ts';
import { writeConditionally } from '../platform/conditional-write.ts';
import type { Item, Key, Update, Write } from '../platform/ports.ts';
import { keys, userPartition } from '../system/keys.ts';
import { pendingIndexKeys } from '../system/pending-kinds.ts';
import { repository } from '../system/store.ts';
import { DeviceRow } from './device-rows.ts';

const RecordedChange = z.object({
  metrics: z.array(z.string()),
  sleep: z.boolean(),
  workouts: z.boolean(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  /** The days to derive again, as ranges. */
  ranges: z.array(z.object({ from: z.string(), to: z.string() })),
});
/**
 * What a pass is about to change, written before the change itself, so that a repeated pass applies
 * all of it again and announces it.
 */
export type RecordedChange = z.infer<typeof RecordedChange>;

const LongCommandProgress = z.object({
  /** When the last step ended. */
  atMs: z.number(),
  /** The last day that is done. */
  through: z.string(),
  /** The range of days to score; null if there are none. */
  from: z.string().nullable(),
  to: z.string().nullable(),
  /** Of a rebuild: the version of the merge rules by which those days were built. */
  mergeRule: z.number().exactOptional(),
});
/** The progress of a long command across passes. */
export type LongCommandProgress = z.infer<typeof LongCommandProgress>;

const commandFields = {
  sk: z.string(),
  /**
   * Changes with every request for the command: a pass finishes only the command that it has read.
   */
  id: z.string(),
  /**
   * The number of passes that failed on this command, and the number of workers that crashed while
   * processing it.
   */
  failures: z.number().default(0),
  crashes: z.number().default(0),
  /** When the last repeated pass started. */
  attemptMs: z.number().optional(),
  /** Set after failures: no pass processes the command before this time. */
  notBeforeMs: z.number().optional(),
};

const UploadCommand = z.object({
  ...commandFields,
  kind: z.literal('upload'),
  device: z.string(),
  receivedMs: z.number(),
  source: z.string(),
  format: z.number(),
  timeZone: z.string().nullable(),
  scopes: z.array(z.string()),
  /**
   * The number of chunks of its raw data. The upload is acknowledged only when all of them are
   * stored.
   */
  chunks: z.number(),
  records: z.number(),
  /** The first and the last day of its records; empty if it has none. */
  from: z.string(),
  to: z.string(),
  /** How the data came; absent for a phone's upload, which was summarized when it arrived. */
  via: UploadKind.optional(),
  /**
   * The upload was quarantined and is processed after later arrivals: its records count, but its
   * claims no longer match what its days hold.
   */
  late: z.boolean().optional(),
  recordedChange: RecordedChange.optional(),
});
/** Raw data to ingest; `id` is derived from its content. */
export type UploadCommand = z.infer<typeof UploadCommand>;

const ReplayCommand = z.object({
  ...commandFields,
  kind: z.literal('replay'),
  device: z.string(),
  receivedMs: z.number(),
  /** The uploads to ingest again, in this order, and the number of uploads already replayed. */
  uploads: z.array(z.string()),
  replayed: z.number(),
  recordedChange: RecordedChange.optional(),
});
export type ReplayCommand = z.infer<typeof ReplayCommand>;

const longCommandFields = {
  ...commandFields,
  cursor: LongCommandProgress.optional(),
  unannounced: UnannouncedChanges.default(noUnannouncedChanges),
};

const RemoveDeviceCommand = z.object({ ...commandFields, kind: z.literal('remove-device'), device: DeviceRow });
export type RemoveDeviceCommand = z.infer<typeof RemoveDeviceCommand>;

/**
 * Derives every day again from samples and sessions, because the day rule changed or an upload was
 * quarantined after it began to change some days.
 */
const RecountCommand = z.object({ ...longCommandFields, kind: z.literal('recount') });
export type RecountCommand = z.infer<typeof RecountCommand>;

/** Merges every canonical day again, because settings, the type of a device or merge rules changed. */
const RebuildCommand = z.object({ ...longCommandFields, kind: z.literal('rebuild') });
export type RebuildCommand = z.infer<typeof RebuildCommand>;

/** Scores every day again, because the profile or the formulas changed. */
const RescoreCommand = z.object({ ...commandFields, kind: z.literal('rescore') });
export type RescoreCommand = z.infer<typeof RescoreCommand>;

const Command = z.discriminatedUnion('kind', [
  UploadCommand,
  ReplayCommand,
  RemoveDeviceCommand,
  RecountCommand,
  RebuildCommand,
  RescoreCommand,
]);
export type Command = z.infer<typeof Command>;
export type CommandKind = Command['kind'];
export type LongCommand = RecountCommand | RebuildCommand;
/** The kinds of which one command serves all requests. */
export type CoalescedCommandKind = 'recount' | 'rebuild' | 'rescore';

type NewCommand<Kind extends Command> = Omit<Kind, 'sk' | 'failures' | 'crashes'>;

export const commandRows = repository(({ table }) => {
  const commandKey = (user: string, { sk }: Pick<Command, 'sk'>): Key => ({ pk: userPartition(user), sk });
  const updateCommand = async (user: string, command: Command, change: Pick<Update, 'update' | 'values'>) => {
    const { applied, item } = await writeConditionally(table, {
      kind: 'update',
      key: commandKey(user, command),
      condition: '#id = :id',
      ...change,
      values: { ...change.values, id: command.id },
    });
    return applied && item ? Command.parse(item) : undefined;
  };

  return {
    /**
     * Also returns the sort keys of commands that cannot be read, such as kinds from a later
     * release. They do not block other commands.
     */
    parse(items: readonly Item[]): { commands: Command[]; unreadable: string[] } {
      const parsed = items.map((item) => ({ sk: String(item['sk']), command: Command.safeParse(item).data }));
      return {
        commands: parsed.flatMap(({ command }) => command ?? []),
        unreadable: parsed.flatMap(({ sk, command }) => (command ? [] : [sk])),
      };
    },
    buildAppend: (
      user: string,
      command: NewCommand<UploadCommand> | NewCommand<ReplayCommand>,
    ): Write & { kind: 'put' } => ({
      kind: 'put',
      item: {
        ...omitUndefined(command),
        ...keys.uploadCommand(user, command.receivedMs, command.id),
        ...pendingIndexKeys('user', user, command.receivedMs),
      },
    }),
    buildRemoveDevice: (user: string, id: string, device: DeviceRow, atMs: number): Write => ({
      kind: 'put',
      item: {
        ...keys.removeDeviceCommand(user, device.id),
        kind: 'remove-device',
        id,
        device,
        ...pendingIndexKeys('user', user, atMs),
      },
    }),
    /**
     * Replaces a pending command of the same kind; the changes that it has begun stay recorded for
     * the announcement.
     */
    buildRequest: (user: string, kind: CoalescedCommandKind, id: string, atMs: number): Write => ({
      kind: 'update',
      key: keys.coalescedCommand(user, kind),
      update:
        'SET #kind = :kind, #id = :id, #duePk = :duePk, #dueSk = :dueSk REMOVE #cursor, #failures, #crashes, #attemptMs, #notBeforeMs',
      values: { kind, id, ...pendingIndexKeys('user', user, atMs) },
    }),
    /** Fails if a command of the same kind is already pending. */
    buildRequestIfAbsent(user: string, kind: CoalescedCommandKind, id: string, atMs: number): Write {
      return { ...this.buildRequest(user, kind, id, atMs), condition: 'attribute_not_exists(#pk)' };
    },
    /** Returns false if the command is no longer the one that was read. */
    recordChange: async (
      user: string,
      command: UploadCommand | ReplayCommand,
      recordedChange: RecordedChange,
    ): Promise<boolean> =>
      (await updateCommand(user, command, {
        update: 'SET #recordedChange = :recordedChange',
        values: { recordedChange },
      })) !== undefined,
    recordUnannounced: async (user: string, command: LongCommand, unannounced: UnannouncedChanges): Promise<boolean> =>
      (await updateCommand(user, command, { update: 'SET #unannounced = :unannounced', values: { unannounced } })) !==
      undefined,
    /** Returns the updated command; undefined if it no longer exists or was replaced. */
    recordFailure: (user: string, command: Command): Promise<Command | undefined> =>
      updateCommand(user, command, {
        update: 'SET #failures = :failures',
        values: { failures: command.failures + 1 },
      }),
    /** The command is retried at that time and does not block others until then. */
    postpone: (user: string, command: Command, untilMs: number): Promise<Command | undefined> =>
      updateCommand(user, command, {
        update: 'SET #notBeforeMs = :until, #duePk = :duePk, #dueSk = :dueSk',
        values: { until: untilMs, ...pendingIndexKeys('user', user, untilMs) },
      }),
    recordAttempt: (user: string, command: Command, crashes: number, atMs: number): Promise<Command | undefined> =>
      updateCommand(user, command, {
        update: 'SET #crashes = :crashes, #attemptMs = :at',
        values: { crashes, at: atMs },
      }),
    clearAttempt: (user: string, command: Command): Promise<Command | undefined> =>
      updateCommand(user, command, { update: 'REMOVE #attemptMs', values: {} }),
    /** Fails if the command is no longer the one that was read. */
    buildFinish: (user: string, command: Command): Write => ({
      kind: 'delete',
      key: commandKey(user, command),
      condition: '#id = :id',
      values: { id: command.id },
    }),
    /**
     * Saves the progress after a step. Fails if the command was requested again in the meantime.
     */
    buildSaveProgress: (user: string, command: LongCommand, cursor: LongCommandProgress): Write => ({
      kind: 'update',
      key: commandKey(user, command),
      update: 'SET #cursor = :cursor',
      condition: '#id = :id',
      values: { id: command.id, cursor },
    }),
    /** Saves the uploads of a replay that are left. */
    buildReplayProgress: (user: string, command: ReplayCommand, remaining: readonly string[]): Write => ({
      kind: 'update',
      key: commandKey(user, command),
      update: 'SET #uploads = :left, #replayed = :replayed REMOVE #recordedChange',
      condition: '#id = :id',
      values: {
        id: command.id,
        left: [...remaining],
        replayed: command.replayed + command.uploads.length - remaining.length,
      },
    }),
  };
});

const omitUndefined = (row: object): Item =>
  Object.fromEntries(Object.entries(row).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
