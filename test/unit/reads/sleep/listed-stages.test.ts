import { expect, test } from 'vitest';
import { form1Sleep } from '../../../../shared/reads/sleep/form-1.ts';
import { form2Sleep } from '../../../../shared/reads/sleep/form-2.ts';
import { deviceRow, sleepRow } from '../../../harness/stored-data.ts';

test('lists of both forms are limited, but only if they show stages', () => {
  const session = {
    row: { ...sleepRow(0, '2026-03-13T22:00:00Z', 480), stages: `1${'l30'.repeat(40_001)}` },
    ...{ date: '2026-03-14', device: deviceRow({}), isMainSleep: true, efficiencyPct: null },
    ...{ restorativeMinutes: null, vitals: new Map(), vitalDevices: new Map() },
  };
  const range = { from: '2026-03-01', to: '2026-03-14' };
  const days = { start_date: range.from, end_date: range.to };
  const renderForm1 = (include_stages: boolean) =>
    form1Sleep.render({ range, nights: [session] }, { ...days, include_sources: false, include_stages });
  const renderForm2 = (include_stages: boolean) =>
    form2Sleep.render(
      { range, zone: null, sessions: [session], next: undefined },
      { limit: 1, include_sources: false, include_stages },
    );
  for (const [render, message] of [
    [renderForm1, 'end_date selects 40001 stages'],
    [renderForm2, 'limit selects 40001 stages'],
  ] as const) {
    expect(render(false).data).toHaveLength(1);
    expect(() => render(true)).toThrow(message);
  }
});
