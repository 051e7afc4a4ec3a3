// Commands of a person: what waits for the one writer of their derived data, in the order of arrival. A caller's change stands already; its command
// says that days and scores must follow. Every command has a place among what is due, so a lost message costs a minute and never work.
import * as z from 'zod';
import { Announced, nothingAnnounced } from '../events/announced.ts';
import { conditionalWrite } from '../platform/conditional-write.ts';
import type { Item, Key, Update, Write } from '../platform/ports.ts';
import { due } from '../system/due.ts';
import { keys, userPartition } from '../system/keys.ts';
import { repository } from '../system/store.ts';
import { DeviceRow } from './device-rows.ts';

const Noted = z.object({
  metrics: z.array(z.string()),
  sleep: z.boolean(),
  workouts: z.boolean(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  /** The days that are made anew, as runs of them. */
  runs: z.array(z.object({ from: z.string(), to: z.string() })),
});
/** What a pass is about to change, written before the change itself: a repeated pass makes all of it again and announces it. */
export type Noted = z.infer<typeof Noted>;

const LongProgress = z.object({
  /** When its last stretch ended. */
  atMs: z.number(),
  /** The last day that is done. */
  through: z.string(),
  /** The days that want their scores anew; null without any. */
  from: z.string().nullable(),
  to: z.string().nullable(),
});
/** How far the passes of a long command have come. */
export type LongProgress = z.infer<typeof LongProgress>;

const shared = {
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
  ...shared,
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
  noted: Noted.optional(),
});
/** Raw data that is to be worked in; `id` is made of its content. */
export type UploadCommand = z.infer<typeof UploadCommand>;

const ReplayCommand = z.object({
  ...shared,
  kind: z.literal('replay'),
  device: z.string(),
  receivedMs: z.number(),
  /** Uploads that are worked in again, in this order, and how many were before them. */
  uploads: z.array(z.string()),
  replayed: z.number(),
  noted: Noted.optional(),
});
export type ReplayCommand = z.infer<typeof ReplayCommand>;

const long = { ...shared, cursor: LongProgress.optional(), announced: Announced.default(nothingAnnounced) };

const RemoveDeviceCommand = z.object({ ...shared, kind: z.literal('remove-device'), device: DeviceRow });
export type RemoveDeviceCommand = z.infer<typeof RemoveDeviceCommand>;

/** Every day is made anew from samples and sessions: days are counted otherwise, or an upload that began to change some was set aside. */
const RecountCommand = z.object({ ...long, kind: z.literal('recount') });
export type RecountCommand = z.infer<typeof RecountCommand>;

/** Every canonical day is merged anew: the settings or a device's type changed. */
const RebuildCommand = z.object({ ...long, kind: z.literal('rebuild') });
export type RebuildCommand = z.infer<typeof RebuildCommand>;

/** Every day is scored anew: the profile or the formulas changed. */
const RescoreCommand = z.object({ ...shared, kind: z.literal('rescore') });
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
export type AskedKind = 'recount' | 'rebuild' | 'rescore';

type Added<Kind extends Command> = Omit<Kind, 'sk' | 'failures' | 'deaths'>;

export const commandRows = repository(({ table }) => {
  const keyOf = (user: string, { sk }: Pick<Command, 'sk'>): Key => ({ pk: userPartition(user), sk });
  const changed = async (user: string, command: Command, change: Pick<Update, 'update' | 'values'>) => {
    const { held, item } = await conditionalWrite(table, {
      kind: 'update',
      key: keyOf(user, command),
      condition: '#id = :id',
      ...change,
      values: { ...change.values, id: command.id },
    });
    return held && item ? Command.parse(item) : undefined;
  };

  return {
    /** With the sort keys of those that cannot be read, such as kinds of a later release: they hold nothing up. */
    read(items: readonly Item[]): { commands: Command[]; unreadable: string[] } {
      const parsed = items.map((item) => ({ sk: String(item['sk']), command: Command.safeParse(item).data }));
      return {
        commands: parsed.flatMap(({ command }) => command ?? []),
        unreadable: parsed.flatMap(({ sk, command }) => (command ? [] : [sk])),
      };
    },
    appending: (user: string, command: Added<UploadCommand> | Added<ReplayCommand>): Write & { kind: 'put' } => ({
      kind: 'put',
      item: {
        ...withoutUndefined(command),
        ...keys.upload(user, command.receivedMs, command.id),
        ...due('person', user, command.receivedMs),
      },
    }),
    removingDevice: (user: string, id: string, device: DeviceRow, atMs: number): Write => ({
      kind: 'put',
      item: {
        ...keys.leavingDevice(user, device.id),
        kind: 'remove-device',
        id,
        device,
        ...due('person', user, atMs),
      },
    }),
    /** In the place of one that waits already: what that has begun to change stays to be announced. */
    asking: (user: string, kind: AskedKind, id: string, atMs: number): Write => ({
      kind: 'update',
      key: keys.askedCommand(user, kind),
      update:
        'SET #kind = :kind, #id = :id, #duePk = :duePk, #dueSk = :dueSk REMOVE #cursor, #failures, #deaths, #attemptMs, #notBeforeMs',
      values: { kind, id, ...due('person', user, atMs) },
    }),
    /** Refused where one waits already. */
    askingOnce(user: string, kind: AskedKind, id: string, atMs: number): Write {
      return { ...this.asking(user, kind, id, atMs), condition: 'attribute_not_exists(#pk)' };
    },
    /** False when the command is not the one that was read any more. */
    note: async (user: string, command: UploadCommand | ReplayCommand, noted: Noted): Promise<boolean> =>
      (await changed(user, command, { update: 'SET #noted = :noted', values: { noted } })) !== undefined,
    announce: async (user: string, command: LongCommand, announced: Announced): Promise<boolean> =>
      (await changed(user, command, { update: 'SET #announced = :announced', values: { announced } })) !== undefined,
    /** The command as it is then; undefined when it is gone, or another. */
    failed: (user: string, command: Command): Promise<Command | undefined> =>
      changed(user, command, {
        update: 'SET #failures = :failures',
        values: { failures: command.failures + 1 },
      }),
    /** It is taken up again then, and holds nothing up meanwhile. */
    postpone: (user: string, command: Command, untilMs: number): Promise<Command | undefined> =>
      changed(user, command, {
        update: 'SET #notBeforeMs = :until, #duePk = :duePk, #dueSk = :dueSk',
        values: { until: untilMs, ...due('person', user, untilMs) },
      }),
    attempted: (user: string, command: Command, deaths: number, atMs: number): Promise<Command | undefined> =>
      changed(user, command, { update: 'SET #deaths = :deaths, #attemptMs = :at', values: { deaths, at: atMs } }),
    answered: (user: string, command: Command): Promise<Command | undefined> =>
      changed(user, command, { update: 'REMOVE #attemptMs', values: {} }),
    /** Refused when it is not the one that was read any more. */
    finishing: (user: string, command: Command): Write => ({
      kind: 'delete',
      key: keyOf(user, command),
      condition: '#id = :id',
      values: { id: command.id },
    }),
    /** A stretch of it is done. Refused when it was asked for anew meanwhile. */
    continuing: (user: string, command: LongCommand, cursor: LongProgress): Write => ({
      kind: 'update',
      key: keyOf(user, command),
      update: 'SET #cursor = :cursor',
      condition: '#id = :id',
      values: { id: command.id, cursor },
    }),
    /** Some of a replay are done, and these are left. */
    replayingOn: (user: string, command: ReplayCommand, left: readonly string[]): Write => ({
      kind: 'update',
      key: keyOf(user, command),
      update: 'SET #uploads = :left, #replayed = :replayed REMOVE #noted',
      condition: '#id = :id',
      values: {
        id: command.id,
        left: [...left],
        replayed: command.replayed + command.uploads.length - left.length,
      },
    }),
  };
});

const withoutUndefined = (row: object): Item =>
  Object.fromEntries(Object.entries(row).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
