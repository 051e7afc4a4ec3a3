// What a life meets, by name: its scenes, the methods that are set, and what happens to it.
import { type DayRule, dayRules, profileClock } from './days.ts';
import { expectedRebuild, inNextCalendar, isTold } from './expected-rebuild.ts';
import { isQuiet, type Life, type LifeEvent, type WireUpload } from './life.ts';
import { sessionScenes } from './life-night-scenes.ts';
import { timed, untimed } from './life-scenes.ts';
import {
  canSet,
  deviceOf,
  disconnect,
  forgetSettings,
  newPerson,
  type Person,
  takeProfile,
  takeSettings,
  takeUpload,
} from './person.ts';
import { readNight, readSample, readWorkout, type Timed } from './records.ts';
import { type View, viewOf } from './view.ts';
import { wrongDays } from './wrong-days.ts';
import { localDate } from './zone-clock.ts';

const kinds = ['sample', 'night', 'workout'] as const;
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
  'a changed zone, and an event that tells of it',
  'a changed rule, and an event that tells of it',
  'a zone named by an upload, and an event that tells of it',
  'a change of the calendar without an event',
  'no zone at the end',
  'recorded from the start',
  'a switch to recorded',
  'a switch to profile',
] as const;
type Elsewhere = `a ${(typeof kinds)[number]} of another day elsewhere, ${DayRule} at the end`;
const elsewhere = dayRules.flatMap((rule) =>
  kinds.map((kind): Elsewhere => `a ${kind} of another day elsewhere, ${rule} at the end`),
);
type Happening = (typeof happenings)[number] | Elsewhere;
/** A wrong rule of days that would be noticed in the life. */
const toldApart = (wrong: string): string => `not: ${wrong}`;
const methods = ['merge', 'priority', 'max', 'avg', 'sum', 'no'] as const;

export const everything: readonly string[] = [
  ...[...timed(), ...untimed(), ...sessionScenes()].map(({ name }) => `scene ${name}`),
  ...methods.map((method) => `${method} method`),
  ...happenings,
  ...elsewhere,
  ...Object.keys(wrongDays).map(toldApart),
];

export const metIn = (life: Life): Set<string> => new Set([...happenedIn(life), ...noticedIn(life)]);

/** What can be seen without the model. */
export function happenedIn({ scenes, profile, events }: Life): Set<string> {
  const met = new Set<string>(scenes.map((name) => `scene ${name}`));
  const meet = (what: Happening, isMet = true): void => {
    if (isMet) met.add(what);
  };
  let zone = profile.timezone ?? null;
  let rule = profile.day_rule ?? 'profile';
  let namedByPhone = false;
  let uploads = 0;
  meet('recorded from the start', profile.day_rule === 'recorded');
  for (const event of events)
    switch (event.kind) {
      case 'upload': {
        uploads += 1;
        if (zone !== null) break;
        meet(uploads === 1 ? 'a zone named by the first upload' : 'a zone named by a later upload');
        zone = event.body.time_zone;
        namedByPhone = true;
        break;
      }
      case 'profile': {
        const { timezone, day_rule } = event.patch;
        if (day_rule !== undefined) meet(`a switch to ${day_rule}`);
        rule = day_rule ?? rule;
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
  for (const event of events)
    if (event.kind === 'upload')
      for (const kind of kindsElsewhere(event.body, zone))
        meet(`a ${kind} of another day elsewhere, ${rule} at the end`);
  return met;
}

/** Which changes of the calendar an event tells of, and which wrong rules of days would come out. */
function noticedIn(life: Life): string[] {
  const { timezone = null, day_rule } = life.profile;
  const person = newPerson(timezone, day_rule);
  const rebuilds = life.events.flatMap((event): Happening[] => {
    const next = isQuiet(event) ? inNextCalendar(person, event) : null;
    const rebuild = next && expectedRebuild(viewOf(person), viewOf(next), life);
    takeEvent(person, event);
    if (!rebuild) return [];
    if (!isTold(rebuild)) return ['a change of the calendar without an event'];
    if (event.kind === 'upload') return ['a zone named by an upload, and an event that tells of it'];
    const isZone = event.kind === 'profile' && event.patch.day_rule === undefined;
    return [`a changed ${isZone ? 'zone' : 'rule'}, and an event that tells of it`];
  });
  const [right, wrongs] = [viewOf(person), Object.keys(wrongDays)];
  const wrongView = (wrong: string): View => viewOf(person, wrongDays[wrong]);
  return [
    ...rebuilds,
    ...wrongs.filter((wrong) => isTold(expectedRebuild(right, wrongView(wrong), life))).map(toldApart),
  ];
}

function takeEvent(person: Person, event: LifeEvent): void {
  if (event.kind === 'upload') {
    const device = takeUpload(person, event.provider, event.body);
    device.id = `${device.provider} ${device.model}`;
  } else if (event.kind === 'profile') takeProfile(person, event.patch);
  else if (event.kind === 'settings' && canSet(person, event.patch)) takeSettings(person, event.patch);
  else if (event.kind === 'reset') forgetSettings(person);
  else if (event.kind === 'disconnect') {
    const device = deviceOf(person, event.provider, event.model);
    if (device) disconnect(person, device);
  }
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

/** The kinds of records in an upload on which the rules of days part. */
function kindsElsewhere(
  { samples = [], sleep = [], workouts = [] }: WireUpload,
  timezone: string | null,
): (typeof kinds)[number][] {
  const isElsewhere = ({ ownOffset }: Timed, at: number): boolean =>
    ownOffset !== null && localDate({ offsetMinutes: ownOffset }, at) !== localDate(profileClock({ timezone }), at);
  const found = {
    sample: samples.map(readSample).some((sample) => isElsewhere(sample, sample.start)),
    night: sleep.map((wire) => readNight(wire, 0)).some((night) => isElsewhere(night, night.end)),
    workout: workouts.map((wire) => readWorkout(wire, 0)).some((workout) => isElsewhere(workout, workout.start)),
  };
  return kinds.filter((kind) => found[kind]);
}
