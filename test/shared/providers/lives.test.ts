import { expect, test } from 'vitest';
import { addDays } from '../../../shared/model/local-day.ts';
import { SandboxPersona } from '../../../shared/model/sandbox.ts';
import { adapterOf } from '../../../shared/providers/adapters.ts';
import { normalizerFor } from '../../../shared/providers/normalizers.ts';
import { rawPages } from '../../../shared/providers/pages.ts';
import { accountOfLife } from '../../../shared/sandbox/cloud/account.ts';
import { itemsOfLife } from '../../../shared/sandbox/cloud/built-in.ts';
import { polarShapes } from '../../../shared/sandbox/cloud/makers/polar.ts';
import { stravaShapes } from '../../../shared/sandbox/cloud/makers/strava.ts';
import { credentials } from '../../harness/talking.ts';
import { toldBySandbox } from '../../harness/told-by-sandbox.ts';

const nowMs = Date.parse('2026-03-31T15:00:00Z');
const zone = 'Europe/Berlin';
const vendors = [
  { adapter: adapterOf('polar'), shapes: polarShapes },
  { adapter: adapterOf('strava'), shapes: stravaShapes },
];
const lives = vendors.flatMap((vendor) => SandboxPersona.options.map((persona) => ({ ...vendor, persona })));

test.each(lives)(
  '$adapter.descriptor.name tells the life of $persona, and nothing of it is rejected',
  ({ adapter, shapes, persona }) => {
    const { id, sync } = adapter.descriptor;
    const account = accountOfLife({ userId: 'usr_01kkgynztjwyzsrk5sgvqhy5d6', persona, timezone: zone });
    const items = itemsOfLife(id, account, nowMs);
    let workouts = 0;
    for (let to = '2026-03-31'; to > '2026-03-10'; to = addDays(to, -sync.windowDays)) {
      const window = { from: addDays(to, 1 - sync.windowDays), to };
      const asked = { ...window, zone, account: '475', scopes: null, nowMs, credentials };
      const pages = toldBySandbox(adapter.fetch.window(asked), { shapes, items, account: '475', nowMs }).result;
      const raw = rawPages({ source: id, format: 1, timeZone: zone }, { asked: window, pages }, to);
      const { records, rejected } = normalizerFor({ source: id, format: 1 })(Buffer.from(raw.content), {
        receivedMs: nowMs,
        scopes: [],
        timeZone: zone,
      });
      expect(rejected).toEqual({ count: 0, first: [] });
      workouts += records.workouts.length;
    }
    expect(workouts).toBeGreaterThan(5);
  },
);
