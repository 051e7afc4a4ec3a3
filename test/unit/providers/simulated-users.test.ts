import { expect, test } from 'vitest';
import { addDays } from '../../../shared/platform/time/local-day.ts';
import { getProviderAdapter } from '../../../shared/providers/adapters.ts';
import { toSandboxAccount } from '../../../shared/sandbox/provider-server/account.ts';
import { createItemSource } from '../../../shared/sandbox/provider-server/built-in-provider.ts';
import { polarSimulator } from '../../../shared/sandbox/simulated-providers/polar.ts';
import { stravaSimulator } from '../../../shared/sandbox/simulated-providers/strava.ts';
import { measuredPersonas } from '../../harness/measured-personas.ts';
import { makeFetchRequest, normalizePages, runRequestFlow } from '../../harness/request-flow.ts';
import { respondAsProvider } from '../../harness/simulated-provider.ts';

const nowMs = Date.parse('2026-03-31T15:00:00Z');
const zone = 'Europe/Berlin';
const providers = [
  { adapter: getProviderAdapter('polar'), shapes: polarSimulator },
  { adapter: getProviderAdapter('strava'), shapes: stravaSimulator },
];
const lives = providers.flatMap((provider) => measuredPersonas.map((persona) => ({ ...provider, persona })));

test.each(lives)(
  '$adapter.descriptor.name returns the days of $persona, and nothing of them is rejected',
  ({ adapter, shapes, persona }) => {
    const { id, sync } = adapter.descriptor;
    const account = toSandboxAccount({ userId: 'usr_01kkgynztjwyzsrk5sgvqhy5d6', persona, timezone: zone });
    const items = createItemSource(id, account, nowMs);
    const respond = respondAsProvider(shapes, items, { account: '475', nowMs });
    let workouts = 0;
    for (let to = '2026-03-31'; to > '2026-03-10'; to = addDays(to, -sync.windowDays)) {
      const window = { from: addDays(to, 1 - sync.windowDays), to };
      const fetchRequest = makeFetchRequest(window, { zone, account: '475', nowMs });
      const pages = runRequestFlow(adapter.fetch.fetchWindow(fetchRequest), respond).result;
      const { records, rejected } = normalizePages(id, pages, { requested: window, timeZone: zone, receivedMs: nowMs });
      expect(rejected).toEqual({ count: 0, first: [] });
      workouts += records.workouts.length;
    }
    expect(workouts).toBeGreaterThan(5);
  },
);
