// What a life meets, by name: its scenes, the methods that are set, and what happens to it.
import { profileClock } from './days.ts';
import type { Life, LifeEvent, WireUpload } from './life.ts';
import { sessionScenes } from './life-night-scenes.ts';
import { timed, untimed } from './life-scenes.ts';
import { readNight, readSample, readWorkout, type Timed } from './records.ts';
import { localDate } from './zone-clock.ts';

const happenings = [
  'look',
  'reset',
  'disconnect',
  'a provider switched off',
  'a provider switched off for a metric',
  'a zone named by the first upload',
  'a zone taken away',
  'a zone named by a later upload',
  'a zone that a phone named, and then a caller',
  'a move to another zone',
  'a quiet change of the calendar',
  'a quiet upload that names the zone',
  'no zone at the end',
  'a record of another day elsewhere',
  'recorded from the start',
  'a switch to recorded',
  'a switch to profile',
] as const;
type Happening = (typeof happenings)[number];
const methods = ['merge', 'priority', 'max', 'avg', 'sum', 'no'] as const;

export const everything: readonly string[] = [
  ...[...timed(), ...untimed(), ...sessionScenes()].map(({ name }) => `scene ${name}`),
  ...methods.map((method) => `${method} method`),
  ...happenings,
];

export function metIn({ scenes, profile, events }: Life): Set<string> {
  const met = new Set<string>(scenes.map((name) => `scene ${name}`));
  const meet = (what: Happening, isMet = true): void => {
    if (isMet) met.add(what);
  };
  let zone = profile.timezone ?? null;
  let namedByPhone = false;
  let uploads = 0;
  meet('recorded from the start', profile.day_rule === 'recorded');
  for (const event of events)
    switch (event.kind) {
      case 'upload': {
        meet('a record of another day elsewhere', hasAnotherDay(event.body, zone ?? event.body.time_zone));
        uploads += 1;
        if (zone !== null) break;
        meet(uploads === 1 ? 'a zone named by the first upload' : 'a zone named by a later upload');
        meet('a quiet upload that names the zone', event.quiet);
        zone = event.body.time_zone;
        namedByPhone = true;
        break;
      }
      case 'profile': {
        const { timezone, day_rule } = event.patch;
        meet('a quiet change of the calendar', event.quiet);
        if (day_rule !== undefined) meet(`a switch to ${day_rule}`);
        if (timezone === undefined) break;
        meet('a zone taken away', zone !== null && timezone === null);
        meet('a zone that a phone named, and then a caller', namedByPhone && timezone !== null);
        meet('a move to another zone', zone !== null && timezone !== null && timezone !== zone);
        zone = timezone;
        namedByPhone = false;
        break;
      }
      case 'settings':
        for (const what of settingsMet(event)) met.add(what);
        break;
      case 'drain':
        break;
      default:
        meet(event.kind);
    }
  meet('no zone at the end', zone === null);
  return met;
}

function settingsMet({ patch: { metrics = {}, providers = {} } }: Extract<LifeEvent, { kind: 'settings' }>): string[] {
  const isOff = (switches: object): boolean => Object.values(switches).includes(false);
  const settings = Object.values(metrics);
  return [
    ...settings.flatMap(({ method }) => (method === undefined ? [] : `${method ?? 'no'} method`)),
    ...(isOff(providers) ? ['a provider switched off' satisfies Happening] : []),
    ...(settings.some((metric) => isOff(metric.providers ?? {}))
      ? ['a provider switched off for a metric' satisfies Happening]
      : []),
  ];
}

/** Whether the rules of days part somewhere in an upload. */
function hasAnotherDay({ samples = [], sleep = [], workouts = [] }: WireUpload, timezone: string): boolean {
  const isElsewhere = ({ ownOffset }: Timed, at: number): boolean =>
    ownOffset !== null && localDate({ offsetMinutes: ownOffset }, at) !== localDate(profileClock({ timezone }), at);
  return (
    [...samples.map(readSample), ...workouts.map((wire) => readWorkout(wire, 0))].some((record) =>
      isElsewhere(record, record.start),
    ) || sleep.map((wire) => readNight(wire, 0)).some((night) => isElsewhere(night, night.end))
  );
}
