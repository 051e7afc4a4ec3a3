import { expect, test } from 'vitest';
import { SandboxPersona } from '../../../shared/catalog/sandbox.ts';
import { addDays } from '../../../shared/platform/time/local-day.ts';
import { adapterOf } from '../../../shared/providers/adapters.ts';
import { accountOfLife } from '../../../shared/sandbox/provider-server/account.ts';
import { itemsOfLife } from '../../../shared/sandbox/provider-server/built-in.ts';
import { polarShapes } from '../../../shared/sandbox/simulated-providers/polar.ts';
import { stravaShapes } from '../../../shared/sandbox/simulated-providers/strava.ts';
import { playedBy } from '../../harness/played-vendor.ts';
import { askedFor, normalizedPages, talked } from '../../harness/vendor-talk.ts';

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
    const played = playedBy(shapes, items, { account: '475', nowMs });
    let workouts = 0;
    for (let to = '2026-03-31'; to > '2026-03-10'; to = addDays(to, -sync.windowDays)) {
      const window = { from: addDays(to, 1 - sync.windowDays), to };
      const asked = askedFor(window, { zone, account: '475', nowMs });
      const pages = talked(adapter.fetch.window(asked), played).result;
      const { records, rejected } = normalizedPages(id, pages, { asked: window, timeZone: zone, receivedMs: nowMs });
      expect(rejected).toEqual({ count: 0, first: [] });
      workouts += records.workouts.length;
    }
    expect(workouts).toBeGreaterThan(5);
  },
);
