// The stages of a night that its provider changes later.
import { expect, test } from 'vitest';
import type { CloudProviderId } from '../../../../shared/catalog/provider.ts';
import { derivePushKeys } from '../../../../shared/connections/client/push-keys.ts';
import { dayMs } from '../../../../shared/platform/time/local-day.ts';
import { listStoredStages } from '../../../harness/stored-stages.ts';
import { hours, minutes, type SyncWorld, startMs, syncWorld } from '../../../harness/sync-world.ts';

/** The night before the test begins, from 23:00 to 07:00 UTC. */
const today = '2026-03-12';
const [fromMs, toMs] = [Date.parse(`${today}T00:00:00Z`) - hours(1), Date.parse(`${today}T07:00:00Z`)];
const seconds = (ms: number): number => ms / 1000;

type Version = { from: number; to: number; stages: readonly (readonly [code: unknown, hour: number])[] };
const stagesByHour = ({ from, to, stages }: Version) =>
  stages.map(([code, hour], at) => ({
    code,
    fromMs: from + hours(hour),
    toMs: from + hours(stages[at + 1]?.[1] ?? (to - from) / hours(1)),
  }));
const clockTime = (ms: number): string => new Date(ms).toISOString().slice(11, 16);
const iso = (ms: number): string => new Date(ms).toISOString().replace('.000Z', '+00:00');

interface Source {
  provider: CloudProviderId;
  /** The provider's codes for light and deep sleep. */
  light: unknown;
  deep: unknown;
  write(version: Version): Record<string, readonly unknown[]>;
}

const sources: readonly Source[] = [
  {
    provider: 'polar',
    light: 2,
    deep: 4,
    write: (version) => ({
      nights: [
        {
          date: today,
          sleep_start_time: iso(version.from),
          sleep_end_time: iso(version.to),
          hypnogram: Object.fromEntries(stagesByHour(version).map((each) => [clockTime(each.fromMs), each.code])),
        },
      ],
    }),
  },
  {
    provider: 'ultrahuman',
    light: 'light_sleep',
    deep: 'deep_sleep',
    write: (version) => ({
      metrics: [
        {
          date: today,
          metric_data: [
            {
              type: 'Sleep',
              object: {
                bedtime_start: seconds(version.from),
                bedtime_end: seconds(version.to),
                sleep_graph: {
                  data: stagesByHour(version).map(({ code, ...each }) => ({
                    start: seconds(each.fromMs),
                    end: seconds(each.toMs),
                    type: code,
                  })),
                },
              },
            },
          ],
        },
      ],
    }),
  },
  {
    provider: 'withings',
    light: 1,
    deep: 2,
    write: (version) => ({
      sleep: [{ id: 7, date: today, startdate: seconds(version.from), enddate: seconds(version.to), data: {} }],
      stages: stagesByHour(version).map(({ code, ...each }) => ({
        startdate: seconds(each.fromMs),
        enddate: seconds(each.toMs),
        state: code,
      })),
    }),
  },
];

async function readStages({ deps }: SyncWorld, user: string): Promise<(string[] | null)[]> {
  const nights = await listStoredStages(deps, user);
  return nights.map(
    (stages) => stages?.map((each) => [each.stage, clockTime(each.startMs), clockTime(each.endMs)].join(' ')) ?? null,
  );
}

const account = '4711';

async function connect({ provider, write }: Source, version: Version) {
  const world = syncWorld({ provider });
  const user = await world.user();
  world.fakeProvider.fixtures.write(provider, account, write(version));
  await world.connect(user, account);
  await world.processQueue();
  return {
    world,
    user,
    /** Polls the provider, whose interval of half a day varies by up to a tenth. */
    async update(next: Version) {
      world.fakeProvider.fixtures.write(provider, account, write(next));
      await world.passTime(hours(14));
      return readStages(world, user);
    },
  };
}

test.each(sources)(
  '$provider replaces the stages of an edited night, and drops those it no longer has, unless its answer may be incomplete',
  async (source) => {
    const { light, deep } = source;
    const first = {
      from: fromMs,
      to: toMs,
      stages: [
        [light, 0],
        [deep, 2],
      ],
    } as const;
    const { world, user, update } = await connect(source, first);
    expect(await readStages(world, user)).toEqual([['light 23:00 01:00', 'deep 01:00 07:00']]);
    expect(
      await update({
        ...first,
        stages: [
          [deep, 0],
          [light, 3],
        ],
      }),
    ).toEqual([['deep 23:00 02:00', 'light 02:00 07:00']]);
    const longer = { ...first, to: toMs + hours(1) };
    expect(await update(longer)).toEqual([['light 23:00 01:00', 'deep 01:00 08:00']]);
    const afterwards = source.provider === 'withings' ? ['light 23:00 01:00', 'deep 01:00 08:00'] : null;
    expect(await update({ ...longer, stages: [] })).toEqual([afterwards]);
  },
);

test('a night of Withings that is read again after two weeks keeps its stages, unless its times have changed', async () => {
  const source = sources.find(({ provider }) => provider === 'withings');
  if (!source) return expect.unreachable();
  const version = {
    from: fromMs,
    to: toMs,
    stages: [
      [1, 0],
      [2, 2],
    ],
  } as const;
  const { world, user } = await connect(source, version);
  const pushNight = async (next: Version) => {
    world.fakeProvider.fixtures.write('withings', account, source.write(next));
    world.fakeProvider.requests.length = 0;
    const { pathSecret } = derivePushKeys(world.deps, 'withings', 'live');
    const body = `userid=${account}&appli=44&startdate=${seconds(next.from)}&enddate=${seconds(next.to)}`;
    const { status } = await world.pushRaw(body, { pathSecret });
    expect(status).toBe(200);
    // The rate limit delays it behind the days that were never read.
    for (let tries = 0; tries < 5; tries++) await world.passTime(minutes(2));
    const forms = world.fakeProvider.requests.map(({ form }) => form);
    const nights = forms.filter(({ action }) => action === 'getsummary');
    expect(nights.some(({ startdateymd = '', enddateymd = '' }) => startdateymd < today && enddateymd > today)).toBe(
      true,
    );
    return {
      stages: await readStages(world, user),
      hasRequest: forms.some(({ action }) => action === 'get'),
    };
  };
  world.clock.advance(10 * dayMs);
  expect(await pushNight(version)).toEqual({ stages: [['light 23:00 01:00', 'deep 01:00 07:00']], hasRequest: true });
  world.clock.advance(startMs + 31 * dayMs - world.clock.now());
  expect(await pushNight(version)).toEqual({ stages: [['light 23:00 01:00', 'deep 01:00 07:00']], hasRequest: false });
  expect(await pushNight({ ...version, to: toMs + hours(1) })).toEqual({ stages: [null], hasRequest: false });
});
