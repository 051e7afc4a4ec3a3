import { expect, test } from 'vitest';
import { deliverWorker } from '../../../../functions/workers/deliver/worker.ts';
import { recover } from '../../../../shared/domain/webhooks/deliveries.ts';
import { registerWebhook } from '../../../../shared/domain/webhooks/endpoints.ts';
import { jobs } from '../../../../shared/model/jobs.ts';
import { deliveryRows } from '../../../../shared/store/deliveries.ts';
import { memoryDeps, memoryStartMs } from '../../../harness/memory-deps.ts';
import { missedDelivery } from './missed-delivery.ts';

const account = 'acc_01k9p3w8x9n4q6s8v0x2z4b6d8';
const caller = { kind: 'api_key', account, env: 'live', form: 2 } as const;
const since = '2026-01-01T00:00:00Z';

test('recover takes the oldest thousand, says when there is more, and each is sent once', async () => {
  const place = memoryDeps();
  const letters: string[] = [];
  const deps = {
    ...place.deps,
    courier: {
      async post({ headers }: { headers: Record<string, string> }) {
        letters.push(headers['webhook-id'] ?? '');
        return { kind: 'answered' as const, status: 204, body: '', retryAfter: undefined };
      },
    },
  };
  const hook = await registerWebhook(deps, caller, { url: 'http://127.0.0.1:9/', events: ['*'] });
  const rows = Array.from({ length: 1050 }, (_none, at) =>
    missedDelivery({ ...caller, webhook: hook.id }, memoryStartMs + at),
  );
  for (const row of rows.toReversed()) await deliveryRows(deps.store).insert(row, memoryStartMs);

  expect(await recover(deps, caller, hook.id, since)).toEqual({ recovered: 1000, more: true });
  const sent = () => place.sentTo('deliver').map((message) => jobs.deliver.parse(message));
  expect(sent().map(({ delivery_id }) => delivery_id)).toEqual(rows.slice(0, 1000).map(({ id }) => id));
  expect(await recover(deps, caller, hook.id, since)).toEqual({ recovered: 50, more: false });
  expect(await recover(deps, caller, hook.id, since)).toEqual({ recovered: 0, more: false });

  const deliver = deliverWorker(deps);
  for (const job of sent()) await deliver(job);
  expect(letters).toEqual(rows.map(({ eventId }) => eventId));
});
