// Sends a test to an endpoint, and shows how its receiver responded.
import { v1 } from '../../api/client.ts';
import { unwrap } from '../../api/failures.ts';
import { Panel } from '../../parts/panel.tsx';
import { StatusMark } from '../../parts/status.tsx';
import { formatNumber } from '../../state/format.ts';
import { useResource } from '../../state/resource.ts';
import { words } from '../../words/en.ts';
import { AttemptResponse, describeOutcome } from './attempts.tsx';

/** Draw it only after a click: it sends the test as soon as it is drawn. */
export function TestPanel({ webhookId, onClose }: { webhookId: string; onClose: () => void }) {
  const test = useResource(`test ${webhookId}`, () =>
    unwrap(v1.POST('/v1/webhooks/{webhook_id}/test', { params: { path: { webhook_id: webhookId } } })),
  );
  return (
    <section class="test-outcome" aria-labelledby="test-title">
      <h2 id="test-title">{words.webhook.testTitle}</h2>
      <Panel of={test} minHeight="4rem">
        {({ data: { delivered, attempt } }) => (
          <div role="status">
            <p>
              <StatusMark tone={delivered ? 'good' : 'bad'}>
                {delivered
                  ? words.webhook.testDelivered(String(attempt.response_status), formatNumber(attempt.duration_ms))
                  : words.webhook.testFailed(describeOutcome(attempt))}
              </StatusMark>
            </p>
            <AttemptResponse attempt={attempt} />
          </div>
        )}
      </Panel>
      <p class="actions">
        <button type="button" class="button" onClick={onClose}>
          {words.webhook.testClose}
        </button>
      </p>
    </section>
  );
}
