import { expect, test } from 'vitest';
import { pendingKinds } from '../../../shared/system/pending-kinds.ts';
import { loseMessages, works } from './lost-messages.ts';

test('every kind of pending work is covered by these tests', () => {
  expect([...new Set(works.map(({ kind }) => kind))].sort()).toEqual(Object.keys(pendingKinds).sort());
});

loseMessages(7);
