// A large account's slow receiver that was down for an hour, and the other accounts meanwhile.
import type { Measure } from '../row.ts';
import { measureOutage } from '../webhook-outage.ts';

export const measure: Measure = async () => {
  const options = { users: 200_000, receiverMs: 500, outageMinutes: 60, maxMinutes: 180, others: 50 };
  const outage = await measureOutage(options);
  const name = 'webhook outage';
  return [
    { name: `${name}: events`, unit: 'per s', value: Math.round(outage.eventsPerSecond) },
    { name: `${name}: missed events`, unit: 'events', value: outage.missed },
    {
      name: `${name}: until new events are sent at once`,
      unit: 'min',
      value: outage.freshMinutes ?? Number.POSITIVE_INFINITY,
      bound: { max: 15 },
    },
    {
      name: `${name}: until level`,
      unit: 'min',
      value: outage.levelMinutes ?? Number.POSITIVE_INFINITY,
      bound: { max: 180 },
    },
    { name: `${name}: events sent twice`, unit: 'events', value: outage.doubled, bound: { max: 0 } },
    {
      name: `${name}: writes of the endpoint's row`,
      unit: 'a delivery',
      value: outage.rowWrites,
      bound: { max: 0.01 },
    },
    { name: `${name}: runs of deliver`, unit: 'at once', value: outage.maxRuns, bound: { max: 120 } },
    { name: `${name}: delay of other webhooks before, p99`, unit: 's', value: outage.othersBefore.p99 },
    { name: `${name}: delay of other webhooks, median`, unit: 's', value: outage.others.median },
    { name: `${name}: delay of other webhooks, p99`, unit: 's', value: outage.others.p99, bound: { max: 2 } },
    { name: `${name}: delay of other webhooks, longest`, unit: 's', value: outage.others.longest },
  ];
};
