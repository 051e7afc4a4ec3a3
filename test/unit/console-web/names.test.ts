import { expect, test } from 'vitest';
import { nameOfDevice, nameOfPerson } from '../../../functions/api/console/web/pages/person/person-state.ts';

test('names that phones and callers chose turn no text beside them, and stay one line', () => {
  const chosen = 'Ada’s\u202e watch\u0000\n<b>2</b>';
  const shown = 'Ada’s watch  <b>2</b>';
  expect(nameOfDevice({ name: chosen, model: 'Watch' })).toBe(shown);
  expect(nameOfDevice({ name: null, model: chosen })).toBe(shown);
  expect(nameOfPerson({ external_ref: chosen, id: 'usr_1' })).toBe(shown);
});
