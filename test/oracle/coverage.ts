// Names the cases that a scenario covers: its edge cases, the configured methods, and its events.
import { type DayRule, dayRules, profileClock } from './days.ts';
import { cumulativeEdgeCases, readingEdgeCases } from './edge-cases.ts';
import { expectedRebuild, hasVisibleChange, withNextCalendar } from './expected-rebuild.ts';
import {
  applyProfile,
  applySettings,
  applyUpload,
  canApplySettings,
  disconnectDevice,
  findDevice,
  type ModelUser,
  newModelUser,
  resetSettings,
} from './model-user.ts';
import { parseNight, parseSample, parseWorkout, type TimedRecord } from './records.ts';
import { isQuiet, type Scenario, type ScenarioEvent, type WireUpload } from './scenario.ts';
import { sessionEdgeCases } from './session-edge-cases.ts';
import { createView, type View } from './view.ts';
import { wrongDayRules } from './wrong-day-rules.ts';
import { localDate } from './zone-clock.ts';

const kinds = ['sample', 'night', 'workout'] as const;
const eventCases = [
  'look',
  'reset',
  'disconnect',
  'a provider switched off',
  'a provider switched off for a metric',
  'a zone named by the first upload',
  'a zone taken away',
  'a zone named by a later upload',
  'a zone named by a phone, then by a caller',
  'a move to another zone',
  'a changed zone with an event',
  'a changed rule with an event',
  'a zone named by an upload, with an event',
  'a calendar change without an event',
  'no zone at the end',
  'recorded from the start',
  'a switch to recorded',
  'a switch to profile',
] as const;
type OffsetCase = `a ${(typeof kinds)[number]} on another day by its offset, ${DayRule} at the end`;
const offsetCases = dayRules.flatMap((rule) =>
  kinds.map((kind): OffsetCase => `a ${kind} on another day by its offset, ${rule} at the end`),
);
type EventCase = (typeof eventCases)[number] | OffsetCase;
/** A wrong day rule that the scenario would detect. */
const wrongRuleCase = (wrong: string): string => `not: ${wrong}`;
const methods = ['merge', 'priority', 'max', 'avg', 'sum', 'no'] as const;

export const allCases: readonly string[] = [
  ...[...cumulativeEdgeCases(), ...readingEdgeCases(), ...sessionEdgeCases()].map(({ name }) => `scene ${name}`),
  ...methods.map((method) => `${method} method`),
  ...eventCases,
  ...offsetCases,
  ...Object.keys(wrongDayRules).map(wrongRuleCase),
];

export const findCoveredCases = (scenario: Scenario): Set<string> =>
  new Set([...findEventCases(scenario), ...findDetectedCases(scenario)]);

/** The cases that can be found without the model. */
export function findEventCases({ edgeCases: scenes, profile, events }: Scenario): Set<string> {
  const covered = new Set<string>(scenes.map((name) => `scene ${name}`));
  const cover = (what: EventCase, isCovered = true): void => {
    if (isCovered) covered.add(what);
  };
  let zone = profile.timezone ?? null;
  let rule = profile.day_rule ?? 'profile';
  let namedByPhone = false;
  let uploads = 0;
  cover('recorded from the start', profile.day_rule === 'recorded');
  for (const event of events)
    switch (event.kind) {
      case 'upload': {
        uploads += 1;
        if (zone !== null) break;
        cover(uploads === 1 ? 'a zone named by the first upload' : 'a zone named by a later upload');
        zone = event.body.time_zone;
        namedByPhone = true;
        break;
      }
      case 'profile': {
        const { timezone, day_rule } = event.patch;
        if (day_rule !== undefined) cover(`a switch to ${day_rule}`);
        rule = day_rule ?? rule;
        if (timezone === undefined) break;
        cover('a zone taken away', zone !== null && timezone === null);
        cover('a zone named by a phone, then by a caller', namedByPhone && timezone !== null);
        cover('a move to another zone', zone !== null && timezone !== null && timezone !== zone);
        zone = timezone;
        namedByPhone = false;
        break;
      }
      case 'settings':
        for (const what of findSettingsCases(event)) covered.add(what);
        break;
      case 'drain':
        break;
      default:
        cover(event.kind);
    }
  cover('no zone at the end', zone === null);
  for (const event of events)
    if (event.kind === 'upload')
      for (const kind of findOffsetKinds(event.body, zone))
        cover(`a ${kind} on another day by its offset, ${rule} at the end`);
  return covered;
}

/**
 * Which calendar changes an event announces, and which wrong day rules the scenario would detect.
 */
function findDetectedCases(scenario: Scenario): string[] {
  const { timezone = null, day_rule } = scenario.profile;
  const user = newModelUser(timezone, day_rule);
  const rebuilds = scenario.events.flatMap((event): EventCase[] => {
    const next = isQuiet(event) ? withNextCalendar(user, event) : null;
    const rebuild = next && expectedRebuild(createView(user), createView(next), scenario);
    applyEvent(user, event);
    if (!rebuild) return [];
    if (!hasVisibleChange(rebuild)) return ['a calendar change without an event'];
    if (event.kind === 'upload') return ['a zone named by an upload, with an event'];
    const isZone = event.kind === 'profile' && event.patch.day_rule === undefined;
    return [`a changed ${isZone ? 'zone' : 'rule'} with an event`];
  });
  const [right, wrongRules] = [createView(user), Object.keys(wrongDayRules)];
  const wrongView = (wrong: string): View => createView(user, wrongDayRules[wrong]);
  return [
    ...rebuilds,
    ...wrongRules
      .filter((wrong) => hasVisibleChange(expectedRebuild(right, wrongView(wrong), scenario)))
      .map(wrongRuleCase),
  ];
}

function applyEvent(user: ModelUser, event: ScenarioEvent): void {
  if (event.kind === 'upload') {
    const device = applyUpload(user, event.provider, event.body);
    device.id = `${device.provider} ${device.model}`;
  } else if (event.kind === 'profile') applyProfile(user, event.patch);
  else if (event.kind === 'settings' && canApplySettings(user, event.patch)) applySettings(user, event.patch);
  else if (event.kind === 'reset') resetSettings(user);
  else if (event.kind === 'disconnect') {
    const device = findDevice(user, event.provider, event.model);
    if (device) disconnectDevice(user, device);
  }
}

function findSettingsCases({
  patch: { metrics = {}, providers = {} },
}: Extract<ScenarioEvent, { kind: 'settings' }>): string[] {
  const isOff = (switches: object): boolean => Object.values(switches).includes(false);
  const settings = Object.values(metrics);
  return [
    ...settings.flatMap(({ method }) => (method === undefined ? [] : `${method ?? 'no'} method`)),
    ...(isOff(providers) ? ['a provider switched off' satisfies EventCase] : []),
    ...(settings.some((metric) => isOff(metric.providers ?? {}))
      ? ['a provider switched off for a metric' satisfies EventCase]
      : []),
  ];
}

/** The kinds of records in an upload for which the day rules differ. */
function findOffsetKinds(
  { samples = [], sleep = [], workouts = [] }: WireUpload,
  timezone: string | null,
): (typeof kinds)[number][] {
  const isOtherDay = ({ recordedOffset: ownOffset }: TimedRecord, at: number): boolean =>
    ownOffset !== null && localDate({ offsetMinutes: ownOffset }, at) !== localDate(profileClock({ timezone }), at);
  const found = {
    sample: samples.map(parseSample).some((sample) => isOtherDay(sample, sample.start)),
    night: sleep.map((wire) => parseNight(wire, 0)).some((night) => isOtherDay(night, night.end)),
    workout: workouts.map((wire) => parseWorkout(wire, 0)).some((workout) => isOtherDay(workout, workout.start)),
  };
  return kinds.filter((kind) => found[kind]);
}
