// The expected event for a calendar change, on cases worked out by hand.
import { expect, test } from 'vitest';
import { expectedRebuild, type RebuildEvent, rebuildMismatches, zoneFillMismatches } from './expected-rebuild.ts';
import { applyProfile, applySettings, applyUpload, type ModelUser, newModelUser } from './model-user.ts';
import type { WireProfile, WireSample, WireUpload } from './scenario.ts';
import { createView } from './view.ts';

const range = { from: '2025-06-10', to: '2025-06-20' };
/** 23:30 in Berlin, 21:30 in UTC, the next morning in Tokyo. */
const lateSpan = { start: '2025-06-15T21:30:00Z', end: '2025-06-15T21:45:00Z' };
const walkSample: WireSample = { metric: 'steps', ...lateSpan, value: 100, unit: 'count' };
const weightSample: WireSample = { metric: 'weight', start: '2025-06-13T12:00:00Z', value: 80, unit: 'kg' };

function createUserWith(lists: Partial<WireUpload>, timezone = 'Europe/Berlin'): ModelUser {
  const user = newModelUser(timezone);
  const device = { name: '', model: 'ring', type: 'ring' } as const;
  applyUpload(user, 'apple_health', { time_zone: 'UTC', device, ...lists }).id = 'dev_ring';
  return user;
}
function expectedAfterChange(user: ModelUser, patch: WireProfile) {
  const before = createView(user);
  applyProfile(user, patch);
  return expectedRebuild(before, createView(user), range);
}
const event = (more: Partial<RebuildEvent> = {}): RebuildEvent => ({
  user_id: 'usr_1',
  metrics: ['steps'],
  from_date: '2025-06-15',
  to_date: '2025-06-16',
  ...more,
});
const findMismatches = (expected: ReturnType<typeof expectedAfterChange>, ...events: RebuildEvent[]): string[] =>
  rebuildMismatches(expected, 'usr_1', events).map(({ where }) => where);

test('a walk that moves to the next day causes one event with its metric and both days', () => {
  const expected = expectedAfterChange(createUserWith({ samples: [walkSample, weightSample] }), {
    timezone: 'Asia/Tokyo',
  });
  expect(findMismatches(expected, event())).toEqual([]);
  expect(findMismatches(expected)).toEqual(['subject.synced']);
  expect(findMismatches(expected, event(), event())).toEqual(['subject.synced']);
  expect(findMismatches(expected, event({ metrics: [] }))).toEqual(['subject.synced.metrics']);
  expect(findMismatches(expected, event({ metrics: ['steps', 'weight'] }))).toEqual(['subject.synced.metrics']);
  expect(findMismatches(expected, event({ from_date: '2025-06-16' }))).toEqual([
    'subject.synced.from_date and to_date',
  ]);
  expect(findMismatches(expected, event({ to_date: '2025-06-17' }))).toEqual(['subject.synced.from_date and to_date']);
  expect(findMismatches(expected, event({ user_id: 'usr_2' }))).toEqual(['subject.synced.user_id']);
});

test('there is no event if no record moves: zone removed, zone unchanged, or a rule that affects no record', () => {
  for (const patch of [{ timezone: null }, { timezone: 'Europe/Berlin' }, { day_rule: 'recorded' }] as const) {
    const expected = expectedAfterChange(createUserWith({ samples: [walkSample, weightSample] }), patch);
    expect([findMismatches(expected), findMismatches(expected, event())]).toEqual([[], ['subject.synced']]);
  }
});

test('a rule change that moves records with an offset causes the same event as a zone change', () => {
  const expected = expectedAfterChange(createUserWith({ samples: [{ ...walkSample, utc_offset: '+09:00' }] }), {
    day_rule: 'recorded',
  });
  expect([findMismatches(expected, event()), findMismatches(expected)]).toEqual([[], ['subject.synced']]);
});

test('a night without minutes and a workout cause an event with their days and no metrics', () => {
  const night = { start: '2025-06-15T14:00:00Z', end: lateSpan.end };
  for (const lists of [{ sleep: [night] }, { workouts: [{ type: 'running', ...lateSpan }] }]) {
    const expected = expectedAfterChange(createUserWith(lists), { timezone: 'Asia/Tokyo' });
    expect([findMismatches(expected, event({ metrics: [] })), findMismatches(expected)]).toEqual([
      [],
      ['subject.synced'],
    ]);
  }
});

test('a move that no reader can see may cause an event or not', () => {
  const user = createUserWith({ samples: [walkSample] });
  applySettings(user, { providers: { apple_health: false } });
  const expected = expectedAfterChange(user, { timezone: 'Asia/Tokyo' });
  expect([findMismatches(expected), findMismatches(expected, event())]).toEqual([[], []]);
});

test('an upload that sets the zone must cause an event for data that it does not contain itself', () => {
  const body: WireUpload = { time_zone: 'Asia/Tokyo', device: { name: '', model: 'ring', type: 'ring' } };
  const expected = expectedAfterChange(createUserWith({ samples: [walkSample, weightSample] }), {
    timezone: 'Asia/Tokyo',
  });
  const countMismatches = (samples: WireSample[], ...events: RebuildEvent[]): number =>
    zoneFillMismatches(expected, { ...body, samples }, events).length;
  expect([
    countMismatches([weightSample], event()),
    countMismatches([weightSample]),
    countMismatches([weightSample], event(), event()),
  ]).toEqual([0, 1, 1]);
  expect([countMismatches([walkSample], event()), countMismatches([walkSample])]).toEqual([0, 0]);
});
