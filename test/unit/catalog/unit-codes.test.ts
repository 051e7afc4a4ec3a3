// Pins the number that each unit name is stored as, since stored days contain these numbers.
import { expect, test } from 'vitest';
import { getUnitCode, getUnitName } from '../../../shared/catalog/unit-codes.ts';
import { listAllUnits } from '../../../shared/catalog/units.ts';

/** From code 1 on. Add names at the end; never move or remove one. */
const stored =
  'count mm cm m km in ft yd mi mcg µg mg g kg oz lb st K °C C degC °F F degF J kJ cal kcal Cal ms s sec min h hr % fraction bpm count/min count/s Hz brpm mmHg kPa mg/dL mmol/L mL/kg/min ml/kg/min mL/(kg·min) mL/min·kg kg/m² kg/m2 mL ml L fl_oz fl_oz_us score';

test('every name keeps its code', () => {
  const names = stored.split(' ');
  expect(names.map(getUnitCode)).toEqual(names.map((_name, at) => at + 1));
  expect(names.map((_name, at) => getUnitName(at + 1))).toEqual(names);
  expect(getUnitName(names.length + 1), 'add a new name to the end of `stored`, too').toBeUndefined();
});

test('every unit that a metric accepts has a code', () => {
  expect(listAllUnits().filter((name) => getUnitCode(name) === 0)).toEqual([]);
});
