// The kinds of work of the user's writer, each with its pending commands, for tests that disturb a
// pass and expect the outcome of an undisturbed one.
import { disconnectDevice } from '../../../../shared/connections/disconnect.ts';
import { updateUser } from '../../../../shared/users/users.ts';
import {
  createProviderDevice,
  exerciseFrom,
  hourMs,
  type ProviderDevice,
  sleepUntil,
} from '../../../harness/provider-device.ts';
import { addDevice, changeSettings, watch } from '../../../harness/stored-data.ts';

const walked = (start: string, value: number) => {
  const startMs = Date.parse(start);
  return { metric: 'steps', startMs, endMs: startMs + hourMs, value, offsetMinutes: 60 } as const;
};
const window = { from: '2026-03-09', to: '2026-03-12', sleep: true, workouts: true } as const;

/** Two devices that measured the same days; the writer has processed everything of one of them. */
export async function twoDevices(): Promise<ProviderDevice> {
  const providerDevice = await createProviderDevice(undefined, 'UTC');
  const other = await addDevice(providerDevice.deps, providerDevice.userId, watch);
  await providerDevice.ingest({
    samples: [walked('2026-03-10T09:30:00Z', 600), walked('2026-03-11T23:30:00Z', 20)],
    sleep: [sleepUntil('2026-03-10T06:00:00Z', { sourceId: 'night', summary: { sleep_heart_rate: { value: 52 } } })],
    workouts: [exerciseFrom('2026-03-11T03:00:00Z', { sourceId: 'run' }), exerciseFrom('2026-03-12T18:00:00Z')],
    daily: [{ metric: 'weight', date: '2026-03-10', value: 70 }],
  });
  await providerDevice.accept(
    { samples: [walked('2026-03-10T09:45:00Z', 900), walked('2026-03-12T09:00:00Z', 40)] },
    other,
  );
  await providerDevice.processPending();
  await providerDevice.events();
  return providerDevice;
}

/** The pending work when the pass begins. */
export const works: Record<string, (providerDevice: ProviderDevice) => Promise<unknown>> = {
  // The night moves to another day, a workout and the weight are retracted, and samples arrive.
  upload: async (providerDevice) => {
    await providerDevice.accept({
      samples: [walked('2026-03-10T20:30:00Z', 333)],
      sleep: [sleepUntil('2026-03-11T07:00:00Z', { sourceId: 'night', asleepMinutes: 410 })],
      workouts: [exerciseFrom('2026-03-11T04:00:00Z', { sourceId: 'run', name: 'corrected' })],
      covered: [{ ...window, daily: ['weight'] }],
    });
    await providerDevice.accept({ samples: [walked('2026-03-13T20:30:00Z', 1)] });
  },
  recount: ({ deps, caller, userId }) => updateUser(deps, caller, userId, { timezone: 'Pacific/Honolulu' }),
  rebuild: ({ deps, userId }) => changeSettings(deps, userId, { methods: { steps: 'sum' } }),
  rescore: ({ deps, caller, userId }) => updateUser(deps, caller, userId, { profile: { date_of_birth: '1950-01-01' } }),
  'remove-device': ({ deps, caller, userId, device }) => disconnectDevice(deps, caller, userId, device.id),
};

/** Everything a caller reads and every event, without ids and times of the run. */
export async function outcomeOf(providerDevice: ProviderDevice): Promise<object> {
  const { days, sleep, workouts } = await providerDevice.read();
  const withoutId = ({ id: _id, ...session }: { id: string }) => session;
  const isDerived = (sk: string) => /^[NDTZWHS]#/.test(sk);
  return {
    days,
    sleep: sleep.map(withoutId),
    workouts: workouts.map(withoutId),
    // A trace key contains the id of its workout.
    rows: (await providerDevice.sortKeys()).filter(isDerived).map((sk) => sk.replaceAll(/wrk_\w+/g, 'wrk')),
    events: await providerDevice.events(),
  };
}
