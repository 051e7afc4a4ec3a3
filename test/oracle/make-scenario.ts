// Makes a complete random scenario from one integer: what is measured, how it is sent, and what
// else happens in between.

import type { DeviceRecords, RecordLists } from './edge-case.ts';
import { pickEdgeCases } from './edge-cases.ts';
import { metrics } from './metric-table.ts';
import { type Random, randomFrom } from './random.ts';
import { reviseNight, reviseSample, reviseTotal, reviseWorkout } from './record-revisions.ts';
import { isMerged, mergedMetrics, stageMetrics } from './rules.ts';
import type { ColumnRead, Scenario, ScenarioEvent } from './scenario.ts';
import { makeAdditiveSamples, makeReadings, makeTotals } from './scenario-samples.ts';
import { makeNight, makeSleeps, makeStages, makeTrainings, makeWorkout } from './scenario-sessions.ts';
import { type Gadget, makeSetting, type ScenarioSetting, zoneNames } from './scenario-setting.ts';
import { makeProfileChanges, markQuietUploads } from './scenario-travel.ts';
import { pickSessionEdgeCases } from './session-edge-cases.ts';
import { makeMethodChange, makeSettingsEvents } from './settings-events.ts';
import { addDays } from './zone-clock.ts';

interface ScenarioUpload {
  gadget: Gadget;
  zone: string;
  lists: RecordLists;
}

export function makeScenario(seed: number): Scenario {
  const random = randomFrom(seed);
  const setting = makeSetting(random);
  const measured = chooseMetrics(random);
  const [nights, sports] = [
    random.chance(0.4) ? makeSleeps(setting) : [],
    random.chance(0.25) ? makeTrainings(setting) : [],
  ];
  const scenes = pickEdgeCases(setting, measured);
  const sessions = pickSessionEdgeCases(setting);
  const edgeCaseRecords = [...scenes.records, ...sessions.records];
  const uploads = setting.gadgets.flatMap((gadget) => {
    const lists = addEdgeCases(makeRecords(setting, gadget, measured, nights, sports), gadget, edgeCaseRecords);
    return splitIntoBatches(random, lists).map((batch): ScenarioUpload => {
      const { phoneZone, trip } = gadget;
      const upload = { gadget, zone: trip && random.chance(0.5) ? trip.zone : phoneZone, lists: batch };
      return random.chance(0.1) ? withDuplicates(random, upload) : upload;
    });
  });
  const later = uploads.flatMap((upload) => (random.chance(0.3) ? [resend(random, upload)] : []));
  const events = toUploadEvents(random, [...random.shuffled(uploads), ...random.shuffled(later)]);
  const keys = [...measured, ...(nights.length > 0 ? ['asleep'] : []), ...random.shuffled(scenes.metrics).slice(0, 2)];
  const shown = [...measured, ...scenes.metrics];
  const { timezone, rule, dates } = setting;
  const others = [
    ...makeMethodChange(random, [...scenes.metrics.filter(isMerged), ...(nights.length > 0 ? ['asleep'] : [])]),
    ...makeSettingsEvents(setting, keys),
  ];
  // At the end, no further upload sets a time zone.
  const zoneRemoval: ScenarioEvent[] = random.chance(0.12)
    ? [{ kind: 'profile', patch: { timezone: null }, quiet: true }]
    : [];
  const merged = interleave(random, interleave(random, events, makeProfileChanges(random, setting)), others);
  return {
    seed,
    profile: { timezone, ...(rule === undefined ? {} : { day_rule: rule }) },
    events: [...markQuietUploads(random, timezone, insertPauses(random, merged)), ...zoneRemoval],
    edgeCases: [...scenes.names, ...sessions.names],
    from: addDays(dates[0] ?? '', -2),
    to: addDays(dates.at(-1) ?? '', 3),
    columnReads: [
      { metric: measured[0] ?? 'steps', date: random.pick(dates), resolution: '1h', imperial: false },
      ...makeColumnReads(random, setting, nights.length > 0 ? [...shown, ...stageMetrics] : shown),
    ],
  };
}

function chooseMetrics(random: Random): string[] {
  const often = ['steps', 'steps', 'active_calories', 'distance', 'exercise'];
  const listed = ['heart_rate', 'blood_oxygen', 'heart_rate_variability'];
  const others = metrics.map(({ id }) => id).filter((id) => !isMerged(id) && !stageMetrics.includes(id));
  const additive = Array.from({ length: random.int(1, 2) }, () =>
    random.pick([random.pick(often), random.pick(mergedMetrics)]),
  );
  const read = Array.from({ length: random.int(1, 2) }, () => random.pick([random.pick(others), random.pick(listed)]));
  const pressure = random.chance(0.15) ? ['blood_pressure_systolic', 'blood_pressure_diastolic'] : [];
  return [...new Set([...additive, ...read, ...pressure])];
}

function makeRecords(
  setting: ScenarioSetting,
  gadget: Gadget,
  measured: string[],
  nights: SpanList,
  sports: SpanList,
): RecordLists {
  const { random } = setting;
  const own = measured.filter(() => random.chance(0.8));
  const lists: RecordLists = {
    samples: own.flatMap((metric) =>
      isMerged(metric) ? makeAdditiveSamples(setting, gadget, metric) : makeReadings(setting, gadget, metric),
    ),
    daily: own.filter(() => random.chance(0.2)).flatMap((metric) => makeTotals(setting, metric)),
    sleep: random.chance(0.75)
      ? nights.filter(() => random.chance(0.9)).map((night) => makeNight(setting, gadget, night))
      : [],
    workouts: random.chance(0.75) ? sports.map((sport) => makeWorkout(setting, gadget, sport)) : [],
  };
  if (random.chance(0.4)) lists.samples.push(...nights.flatMap((night) => makeStages(setting, gadget, night)));
  if (nights.length > 0 && random.chance(0.15))
    lists.daily.push(...makeTotals(setting, random.pick([...stageMetrics, 'sleep_latency'])));
  return lists;
}
type SpanList = Parameters<typeof makeStages>[2][];

function addEdgeCases(lists: RecordLists, gadget: Gadget, edgeCaseRecords: readonly DeviceRecords[]): RecordLists {
  const own = edgeCaseRecords.filter((each) => each.gadget === gadget);
  return {
    samples: [...lists.samples, ...own.flatMap(({ samples = [] }) => samples)],
    daily: [...lists.daily, ...own.flatMap(({ daily = [] }) => daily)],
    sleep: [...lists.sleep, ...own.flatMap(({ sleep = [] }) => sleep)],
    workouts: [...lists.workouts, ...own.flatMap(({ workouts = [] }) => workouts)],
  };
}

/** The records of a device in one to three uploads, in random order. */
function splitIntoBatches(random: Random, lists: RecordLists): RecordLists[] {
  const batchLists = Array.from(
    { length: random.int(1, 3) },
    (): RecordLists => ({ samples: [], daily: [], sleep: [], workouts: [] }),
  );
  for (const sample of random.shuffled(lists.samples)) random.pick(batchLists).samples.push(sample);
  for (const total of random.shuffled(lists.daily)) random.pick(batchLists).daily.push(total);
  for (const night of random.shuffled(lists.sleep)) random.pick(batchLists).sleep.push(night);
  for (const workout of random.shuffled(lists.workouts)) random.pick(batchLists).workouts.push(workout);
  return batchLists.filter((batch) => Object.values(batch).some(({ length }) => length > 0));
}

/**
 * The same upload or part of it again, or new versions of some records, perhaps from a phone that
 * has traveled.
 */
function resend(random: Random, { gadget, zone, lists }: ScenarioUpload): ScenarioUpload {
  const share = random.pick([0.1, 0.3, 1]);
  const changing = random.chance(0.7);
  const some = <Item>(items: Item[], change: (item: Item) => Item): Item[] =>
    items.filter(() => random.chance(share)).map((item) => (changing && random.chance(0.8) ? change(item) : item));
  return {
    gadget,
    zone: random.chance(0.3) ? random.pick(zoneNames) : zone,
    lists: {
      samples: some(lists.samples, (wire) => reviseSample(random, wire)),
      daily: some(lists.daily, (wire) => reviseTotal(random, wire)),
      sleep: some(lists.sleep, (wire) => reviseNight(random, gadget, wire)),
      workouts: some(lists.workouts, (wire) => reviseWorkout(random, gadget, wire)),
    },
  };
}

/** Some records repeated, or corrected, within the same upload. */
function withDuplicates(random: Random, upload: ScenarioUpload): ScenarioUpload {
  const { lists } = resend(random, upload);
  const { samples, daily, sleep, workouts } = upload.lists;
  return {
    ...upload,
    lists: {
      samples: [...samples, ...lists.samples],
      daily: [...daily, ...lists.daily],
      sleep: [...sleep, ...lists.sleep],
      workouts: [...workouts, ...lists.workouts],
    },
  };
}

/** Each upload uses another device name, so that no two bodies are equal. */
function toUploadEvents(random: Random, uploads: readonly ScenarioUpload[]): ScenarioEvent[] {
  const types = new Map(uploads.map(({ gadget }) => [gadget, gadget.type]));
  return uploads
    .filter(({ lists }) => Object.values(lists).some(({ length }) => length > 0))
    .map(({ gadget, zone, lists }, at) => {
      if (random.chance(0.04)) types.set(gadget, random.pick(['phone', 'wrist', 'ring', 'app']));
      const { provider, model } = gadget;
      const filled = Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0));
      const device = { name: `Number ${at}`, model, type: types.get(gadget) ?? gadget.type };
      return { kind: 'upload', provider, body: { time_zone: zone, device, ...filled } };
    });
}

function interleave(
  random: Random,
  uploads: readonly ScenarioEvent[],
  others: readonly ScenarioEvent[],
): ScenarioEvent[] {
  const events = [...uploads];
  let at = 0;
  for (const other of others) {
    at = random.int(at, events.length);
    events.splice(at, 0, other);
    at += 1;
  }
  return events;
}

const insertPauses = (random: Random, events: readonly ScenarioEvent[]): ScenarioEvent[] =>
  events.flatMap((event): ScenarioEvent[] => {
    if (random.chance(0.07)) return [event, { kind: 'look' }];
    return random.chance(0.35) ? [event, { kind: 'drain' }] : [event];
  });

function makeColumnReads(random: Random, { dates }: ScenarioSetting, measured: readonly string[]): ColumnRead[] {
  const resolutions: (readonly [number, ColumnRead['resolution']])[] = [
    [5, '1h'],
    [4, '15m'],
    [2, '5m'],
    [1, '1m'],
  ];
  return Array.from({ length: random.int(3, 5) }, () => ({
    metric: random.chance(0.4) ? (measured[0] ?? 'steps') : random.pick(measured),
    date: addDays(random.pick(dates), random.pick([0, 0, 0, 0, -1, 1])),
    resolution: random.weighted(resolutions),
    imperial: random.chance(0.3),
  }));
}
