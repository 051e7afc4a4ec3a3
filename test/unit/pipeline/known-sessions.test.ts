import { expect, test } from 'vitest';
import { KnownSessions, type SessionIdentity } from '../../../shared/pipeline/known-sessions.ts';

const version = (id: string, about: Partial<SessionIdentity> = {}) => ({
  date: '2026-03-10',
  row: { id, device: 1, startMs: 5, ...about },
  isStored: true,
});
const knowing = (...versions: ReturnType<typeof version>[]) => {
  const known = new KnownSessions<SessionIdentity>();
  for (const each of versions) known.add(each);
  return (about: Partial<SessionIdentity>) => known.findVersions(version('new', about).row).map(({ row }) => row.id);
};

test('a source id belongs to one device', () => {
  const found = knowing(version('a', { sourceId: 'n' }), version('b', { sourceId: 'n', device: 2 }));
  expect(found({ sourceId: 'n', startMs: 9 })).toEqual(['a']);
});

test('a removed session is found neither by its source id nor by its start', () => {
  const known = new KnownSessions<SessionIdentity>();
  const [named, unnamed] = [version('a', { sourceId: 'n' }), version('b')];
  for (const each of [named, unnamed]) known.add(each);
  expect(known.findVersions(version('new', { sourceId: 'n' }).row)).toEqual([named, unnamed]);
  known.remove(named);
  expect(known.findVersions(version('new', { sourceId: 'n' }).row)).toEqual([unnamed]);
  expect(known.findVersions(version('new').row)).toEqual([unnamed]);
  known.remove(unnamed);
  expect(known.findVersions(version('new').row)).toEqual([]);
});
