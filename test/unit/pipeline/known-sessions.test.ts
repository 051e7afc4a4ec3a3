import { expect, test } from 'vitest';
import { type Identified, KnownSessions } from '../../../shared/pipeline/known-sessions.ts';

const version = (id: string, about: Partial<Identified> = {}) => ({
  date: '2026-03-10',
  row: { id, device: 1, startMs: 5, ...about },
  stands: true,
});
const knowing = (...versions: ReturnType<typeof version>[]) => {
  const known = new KnownSessions<Identified>();
  for (const each of versions) known.add(each);
  return (about: Partial<Identified>) => known.versionsOf(version('new', about).row).map(({ row }) => row.id);
};

test('a name is one device’s own', () => {
  const found = knowing(version('a', { sourceId: 'n' }), version('b', { sourceId: 'n', device: 2 }));
  expect(found({ sourceId: 'n', startMs: 9 })).toEqual(['a']);
});

test('what is forgotten is found neither by its name nor by its start', () => {
  const known = new KnownSessions<Identified>();
  const [named, unnamed] = [version('a', { sourceId: 'n' }), version('b')];
  for (const each of [named, unnamed]) known.add(each);
  expect(known.versionsOf(version('new', { sourceId: 'n' }).row)).toEqual([named, unnamed]);
  known.forget(named);
  expect(known.versionsOf(version('new', { sourceId: 'n' }).row)).toEqual([unnamed]);
  expect(known.versionsOf(version('new').row)).toEqual([unnamed]);
  known.forget(unnamed);
  expect(known.versionsOf(version('new').row)).toEqual([]);
});
