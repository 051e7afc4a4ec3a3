// The cost of authentication and rate limiting on a warm function: one table call and one write
// unit.
import { startSystem } from '../../harness/system.ts';
import type { Measure } from '../row.ts';

export const measure: Measure = async () => {
  const system = await startSystem();
  try {
    const { live_key: token } = await system.account();
    await system.call('GET', '/v1/metrics', { token });
    const before = system.calls.length;
    await system.call('GET', '/v1/metrics', { token });
    const calls = system.calls.slice(before);
    return [
      { name: 'warm read: table calls', unit: 'calls', value: calls.length, bound: { max: 1 } },
      {
        name: 'warm read: write units',
        unit: 'units',
        value: calls.reduce((sum, { writeUnits }) => sum + writeUnits, 0),
        bound: { max: 1 },
      },
    ];
  } finally {
    await system.stop();
  }
};
