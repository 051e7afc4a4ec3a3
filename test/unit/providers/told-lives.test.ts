// Every life of the sandbox, told in the words of Oura, WHOOP and Ultrahuman and read again: no night, workout or step is lost or doubled.
import { expect, test } from 'vitest';
import { SandboxPersona } from '../../../shared/catalog/sandbox.ts';
import { datesInRange } from '../../../shared/platform/time/local-day.ts';
import { adapterOf } from '../../../shared/providers/adapters.ts';
import { accountOfLife } from '../../../shared/sandbox/provider-server/account.ts';
import { itemsOfLife } from '../../../shared/sandbox/provider-server/built-in.ts';
import { lifeDays } from '../../../shared/sandbox/provider-server/living.ts';
import { ouraShapes } from '../../../shared/sandbox/simulated-providers/oura.ts';
import { ultrahumanShapes } from '../../../shared/sandbox/simulated-providers/ultrahuman.ts';
import { whoopShapes } from '../../../shared/sandbox/simulated-providers/whoop.ts';
import { playedBy } from '../../harness/played-vendor.ts';
import { askedFor, normalizedPages, talked } from '../../harness/vendor-talk.ts';

const nowMs = Date.parse('2026-03-31T15:00:00Z');
const zone = 'Europe/Berlin';
const asked = { from: '2026-03-18', to: '2026-03-31' };

const lives = [
  { adapter: adapterOf('oura'), shapes: ouraShapes, tellsNaps: true, tellsWorkouts: true, tellsSteps: true },
  { adapter: adapterOf('whoop'), shapes: whoopShapes, tellsNaps: true, tellsWorkouts: true, tellsSteps: false },
  {
    adapter: adapterOf('ultrahuman'),
    shapes: ultrahumanShapes,
    tellsNaps: false,
    tellsWorkouts: false,
    tellsSteps: true,
  },
].flatMap((vendor) => SandboxPersona.options.map((persona) => ({ ...vendor, persona })));

test.each(lives)('$adapter.descriptor.name tells the life of $persona', (vendor) => {
  const { adapter, shapes, persona, tellsNaps, tellsWorkouts, tellsSteps } = vendor;
  const { id, deviceType } = adapter.descriptor;
  const life = { userId: 'usr_01kkgynztjwyzsrk5sgvqhy5d6', persona, timezone: zone };
  const items = itemsOfLife(id, accountOfLife(life), nowMs);
  const played = playedBy(shapes, items, { account: '475', nowMs });
  const pages = talked(adapter.fetch.window(askedFor(asked, { zone, nowMs })), played).result;
  const { records, rejected } = normalizedPages(id, pages, { asked, timeZone: zone, receivedMs: nowMs });
  expect(rejected).toEqual({ count: 0, first: [] });

  const days = lifeDays({ ...life, worn: deviceType }, asked, nowMs);
  expect(days.length).toBeGreaterThan(10);
  // Whoever has changed to a watch by then leaves the ring in a drawer.
  const isWorn = persona !== 'device_swap' || deviceType === 'wrist';
  expect(days.some((day) => day.sleeps.length > 0)).toBe(isWorn);
  const sleeps = days.flatMap((day) => day.sleeps).filter(({ isNap }) => tellsNaps || !isNap);
  const asleep = (list: readonly { endMs: number; asleepMinutes: number | null }[]) =>
    list.map(({ endMs, asleepMinutes }) => `${Math.floor(endMs / 1000)} ${asleepMinutes}`).sort();
  expect(asleep(records.sleep)).toEqual(asleep(sleeps));
  const workouts = tellsWorkouts ? days.flatMap((day) => day.workouts) : [];
  expect(records.workouts.map(({ startMs }) => startMs).sort()).toEqual(workouts.map(({ startMs }) => startMs).sort());
  const stepsOn = new Map(
    records.daily.flatMap(({ metric, date, value }) => (metric === 'steps' ? [[date, value] as const] : [])),
  );
  expect(datesInRange(asked.from, asked.to).map((date) => stepsOn.get(date) ?? null)).toEqual(
    datesInRange(asked.from, asked.to).map(
      (date) => (tellsSteps ? days.find((day) => day.date === date)?.steps : undefined) ?? null,
    ),
  );
});
