// Commands of a person: what waits for the one writer of their derived data, in the order of arrival. A caller's change stands already; its command
// says that days and scores must follow. Every command has a place among what is due, so a lost message costs a minute and never work.
import * as z from 'zod';
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
  /** The days that are made anew, as runs of them. */
  runs: z.array(z.object({ from: z.string(), to: z.string() })),
});
/** What a pass is about to change, written before the change itself: a repeated pass makes all of it again and announces it. */
export type RecordedChange = z.infer<typeof RecordedChange>;

const LongCommandProgress = z.object({
  /** When its last stretch ended. */
  atMs: z.number(),
  /** The last day that is done. */
  through: z.string(),
  /** The days that want their scores anew; null without any. */
  from: z.string().nullable(),
  to: z.string().nullable(),
});
/** How far the passes of a long command have come. */
export type LongCommandProgress = z.infer<typeof LongCommandProgress>;

const commandFields = {
  sk: z.string(),
  /** Different for every change that asks for it: a pass ends only the command that it has read. */
  id: z.string(),
  /** How often a pass has failed at it, and how often one has ended without a word. */
  failures: z.number().default(0),
  deaths: z.number().default(0),
  /** When the last repeated pass began. */
  attemptMs: z.number().optional(),
  /** After failures: no pass takes it up before then. */
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
  /** Of its raw data; until they are all there, the upload has not been acknowledged. */
  pieces: z.number(),
  records: z.number(),
  /** The first and the last day that its records name; empty without any. */
  from: z.string(),
  to: z.string(),
  /** It was set aside and comes after what arrived later: its records count, but it no longer knows what its days hold. */
  late: z.boolean().optional(),
  noted: RecordedChange.optional(),
});
/** Raw data that is to be worked in; `id` is made of its content. */
export type UploadCommand = z.infer<typeof UploadCommand>;

const ReplayCommand = z.object({
  ...commandFields,
  kind: z.literal('replay'),
  device: z.string(),
  receivedMs: z.number(),
  /** Uploads that are worked in again, in this order, and how many were before them. */
  uploads: z.array(z.string()),
  replayed: z.number(),
  noted: RecordedChange.optional(),
});
export type ReplayCommand = z.infer<typeof ReplayCommand>;

const longCommandFields = {
  ...commandFields,
  cursor: LongCommandProgress.optional(),
  announced: UnannouncedChanges.default(noUnannouncedChanges),
};

const RemoveDeviceCommand = z.object({ ...commandFields, kind: z.literal('remove-device'), device: DeviceRow });
export type RemoveDeviceCommand = z.infer<typeof RemoveDeviceCommand>;

/** Every day is made anew from samples and sessions: days are counted otherwise, or an upload that began to change some was set aside. */
const RecountCommand = z.object({ ...longCommandFields, kind: z.literal('recount') });
export type RecountCommand = z.infer<typeof RecountCommand>;

/** Every canonical day is merged anew: the settings or a device's type changed. */
const RebuildCommand = z.object({ ...longCommandFields, kind: z.literal('rebuild') });
export type RebuildCommand = z.infer<typeof RebuildCommand>;

/** Every day is scored anew: the profile or the formulas changed. */
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
/** Those of which one stands for all that ask for it. */
export type CoalescedCommandKind = 'recount' | 'rebuild' | 'rescore';

type NewCommand<Kind extends Command> = Omit<Kind, 'sk' | 'failures' | 'deaths'>;

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
    /** With the sort keys of those that cannot be read, such as kinds of a later release: they hold nothing up. */
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
    /** In the place of one that waits already: what that has begun to change stays to be announced. */
    buildRequest: (user: string, kind: CoalescedCommandKind, id: string, atMs: number): Write => ({
      kind: 'update',
      key: keys.coalescedCommand(user, kind),
      update:
        'SET #kind = :kind, #id = :id, #duePk = :duePk, #dueSk = :dueSk REMOVE #cursor, #failures, #deaths, #attemptMs, #notBeforeMs',
      values: { kind, id, ...pendingIndexKeys('user', user, atMs) },
    }),
    /** Refused where one waits already. */
    buildRequestIfAbsent(user: string, kind: CoalescedCommandKind, id: string, atMs: number): Write {
      return { ...this.buildRequest(user, kind, id, atMs), condition: 'attribute_not_exists(#pk)' };
    },
    /** False when the command is not the one that was read any more. */
    recordChange: async (
      user: string,
      command: UploadCommand | ReplayCommand,
      noted: RecordedChange,
    ): Promise<boolean> =>
      (await updateCommand(user, command, { update: 'SET #noted = :noted', values: { noted } })) !== undefined,
    recordUnannounced: async (user: string, command: LongCommand, announced: UnannouncedChanges): Promise<boolean> =>
      (await updateCommand(user, command, { update: 'SET #announced = :announced', values: { announced } })) !==
      undefined,
    /** The command as it is then; undefined when it is gone, or another. */
    recordFailure: (user: string, command: Command): Promise<Command | undefined> =>
      updateCommand(user, command, {
        update: 'SET #failures = :failures',
        values: { failures: command.failures + 1 },
      }),
    /** It is taken up again then, and holds nothing up meanwhile. */
    postpone: (user: string, command: Command, untilMs: number): Promise<Command | undefined> =>
      updateCommand(user, command, {
        update: 'SET #notBeforeMs = :until, #duePk = :duePk, #dueSk = :dueSk',
        values: { until: untilMs, ...pendingIndexKeys('user', user, untilMs) },
      }),
    recordAttempt: (user: string, command: Command, deaths: number, atMs: number): Promise<Command | undefined> =>
      updateCommand(user, command, { update: 'SET #deaths = :deaths, #attemptMs = :at', values: { deaths, at: atMs } }),
    clearAttempt: (user: string, command: Command): Promise<Command | undefined> =>
      updateCommand(user, command, { update: 'REMOVE #attemptMs', values: {} }),
    /** Refused when it is not the one that was read any more. */
    buildFinish: (user: string, command: Command): Write => ({
      kind: 'delete',
      key: commandKey(user, command),
      condition: '#id = :id',
      values: { id: command.id },
    }),
    /** A stretch of it is done. Refused when it was asked for anew meanwhile. */
    buildSaveProgress: (user: string, command: LongCommand, cursor: LongCommandProgress): Write => ({
      kind: 'update',
      key: commandKey(user, command),
      update: 'SET #cursor = :cursor',
      condition: '#id = :id',
      values: { id: command.id, cursor },
    }),
    /** Some of a replay are done, and these are left. */
    buildReplayProgress: (user: string, command: ReplayCommand, remaining: readonly string[]): Write => ({
      kind: 'update',
      key: commandKey(user, command),
      update: 'SET #uploads = :left, #replayed = :replayed REMOVE #noted',
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
