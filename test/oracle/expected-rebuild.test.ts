// What a change of the calendar must be told by, on cases that were worked out by hand.
import { expect, test } from 'vitest';
import { expectedRebuild, fillMismatches, type RebuildEvent, rebuildMismatches } from './expected-rebuild.ts';
import type { WireProfile, WireSample, WireUpload } from './life.ts';
import { newPerson, type Person, takeProfile, takeSettings, takeUpload } from './person.ts';
import { viewOf } from './view.ts';

const range = { from: '2025-06-10', to: '2025-06-20' };
/** Half past eleven in the evening in Berlin, half past nine in UTC, the next morning in Tokyo. */
const late = { start: '2025-06-15T21:30:00Z', end: '2025-06-15T21:45:00Z' };
const walk: WireSample = { metric: 'steps', ...late, value: 100, unit: 'count' };
const weight: WireSample = { metric: 'weight', start: '2025-06-13T12:00:00Z', value: 80, unit: 'kg' };

function personWith(lists: Partial<WireUpload>, timezone = 'Europe/Berlin'): Person {
  const person = newPerson(timezone);
  const device = { name: '', model: 'ring', type: 'ring' } as const;
  takeUpload(person, 'apple_health', { time_zone: 'UTC', device, ...lists }).id = 'dev_ring';
  return person;
}
function changedTo(person: Person, patch: WireProfile) {
  const before = viewOf(person);
  takeProfile(person, patch);
  return expectedRebuild(before, viewOf(person), range);
}
const event = (more: Partial<RebuildEvent> = {}): RebuildEvent => ({
  user_id: 'usr_1',
  metrics: ['steps'],
  from_date: '2025-06-15',
  to_date: '2025-06-16',
  ...more,
});
const wrongs = (expected: ReturnType<typeof changedTo>, ...events: RebuildEvent[]): string[] =>
  rebuildMismatches(expected, 'usr_1', events).map(({ where }) => where);

test('a walk that moves from one day to the next is told once, with its metric and both days', () => {
  const expected = changedTo(personWith({ samples: [walk, weight] }), { timezone: 'Asia/Tokyo' });
  expect(wrongs(expected, event())).toEqual([]);
  expect(wrongs(expected)).toEqual(['subject.synced']);
  expect(wrongs(expected, event(), event())).toEqual(['subject.synced']);
  expect(wrongs(expected, event({ metrics: [] }))).toEqual(['subject.synced.metrics']);
  expect(wrongs(expected, event({ metrics: ['steps', 'weight'] }))).toEqual(['subject.synced.metrics']);
  expect(wrongs(expected, event({ from_date: '2025-06-16' }))).toEqual(['subject.synced.from_date and to_date']);
  expect(wrongs(expected, event({ to_date: '2025-06-17' }))).toEqual(['subject.synced.from_date and to_date']);
  expect(wrongs(expected, event({ user_id: 'usr_2' }))).toEqual(['subject.synced.user_id']);
});

test('nothing is told where nothing moves: to no zone, to the same, by a rule that no record is touched by', () => {
  for (const patch of [{ timezone: null }, { timezone: 'Europe/Berlin' }, { day_rule: 'recorded' }] as const) {
    const expected = changedTo(personWith({ samples: [walk, weight] }), patch);
    expect([wrongs(expected), wrongs(expected, event())]).toEqual([[], ['subject.synced']]);
  }
});

test('a rule that moves what carries an offset is told as a zone is', () => {
  const expected = changedTo(personWith({ samples: [{ ...walk, utc_offset: '+09:00' }] }), { day_rule: 'recorded' });
  expect([wrongs(expected, event()), wrongs(expected)]).toEqual([[], ['subject.synced']]);
});

test('a night without minutes, and a workout, are told by their days alone', () => {
  const night = { start: '2025-06-15T14:00:00Z', end: late.end };
  for (const lists of [{ sleep: [night] }, { workouts: [{ type: 'running', ...late }] }]) {
    const expected = changedTo(personWith(lists), { timezone: 'Asia/Tokyo' });
    expect([wrongs(expected, event({ metrics: [] })), wrongs(expected)]).toEqual([[], ['subject.synced']]);
  }
});

test('what moves unseen may be told or not', () => {
  const person = personWith({ samples: [walk] });
  takeSettings(person, { providers: { apple_health: false } });
  const expected = changedTo(person, { timezone: 'Asia/Tokyo' });
  expect([wrongs(expected), wrongs(expected, event())]).toEqual([[], []]);
});

test('an upload that names the zone is told by what it does not bring itself', () => {
  const body: WireUpload = { time_zone: 'Asia/Tokyo', device: { name: '', model: 'ring', type: 'ring' } };
  const expected = changedTo(personWith({ samples: [walk, weight] }), { timezone: 'Asia/Tokyo' });
  const wrongsOf = (brought: WireSample[], ...events: RebuildEvent[]): number =>
    fillMismatches(expected, { ...body, samples: brought }, events).length;
  expect([wrongsOf([weight], event()), wrongsOf([weight]), wrongsOf([weight], event(), event())]).toEqual([0, 1, 1]);
  expect([wrongsOf([walk], event()), wrongsOf([walk])]).toEqual([0, 0]);
});
