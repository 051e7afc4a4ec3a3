// One endpoint: its state, what can be done with it, and what was sent to it.
import { useSignal } from '@preact/signals';
import { toDisplayLine } from '../../../../../shared/platform/display-line.ts';
import { environment } from '../address/address.ts';
import { v1 } from '../api/client.ts';
import { unwrap } from '../api/failures.ts';
import { Id } from '../parts/copy.tsx';
import { Link } from '../parts/link.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Panel } from '../parts/panel.tsx';
import { RelativeTime } from '../parts/time.tsx';
import { useResource } from '../state/resource.ts';
import { isPermitted } from '../state/session.ts';
import { words } from '../words/en.ts';
import { Deliveries } from './webhooks/deliveries.tsx';
import { EndpointActions } from './webhooks/endpoint-actions.tsx';
import { describeState, EndpointStatus, type ListedEndpoint } from './webhooks/endpoint-state.tsx';
import { SecretNote } from './webhooks/signing-secret.tsx';
import { TestPanel } from './webhooks/test-panel.tsx';

export function WebhookPage({ id = '' }: Readonly<Record<string, string>>) {
  const endpoint = useResource(
    `webhook ${environment.value} ${id}`,
    () => unwrap(v1.GET('/v1/webhooks/{webhook_id}', { params: { path: { webhook_id: id } } })),
    { isLive: true },
  );
  const known = endpoint.data.value?.data;
  const testCount = useSignal(0);
  const canChange = isPermitted('state');
  return (
    <>
      <p>
        <Link to="/webhooks">{words.webhooks.back}</Link>
      </p>
      <PageHead title={known ? new URL(known.url).host : words.webhook.id} lead={known?.description} />
      <Panel of={endpoint} minHeight="8rem">
        {({ data }) => (
          <>
            <EndpointFacts endpoint={data} />
            {canChange ? (
              <EndpointActions
                endpoint={data}
                onChange={endpoint.reload}
                onTest={() => {
                  testCount.value += 1;
                }}
              />
            ) : (
              <p class="muted">{words.webhooks.readOnly}</p>
            )}
            <SecretNote webhookId={data.id} />
            {testCount.value > 0 && (
              <TestPanel
                key={testCount.value}
                webhookId={data.id}
                onClose={() => {
                  testCount.value = 0;
                }}
              />
            )}
            <Deliveries endpoint={data} canRedeliver={canChange} />
          </>
        )}
      </Panel>
    </>
  );
}

const EndpointFacts = ({ endpoint }: { endpoint: ListedEndpoint }) => (
  <>
    <p>
      <EndpointStatus endpoint={endpoint} />. <span class="muted">{describeState(endpoint)}</span>
    </p>
    <dl class="fact-list">
      <div>
        <dt>{words.webhooks.fields.url}</dt>
        <dd>
          <code class="endpoint-url">{toDisplayLine(endpoint.url)}</code>
        </dd>
      </div>
      <div>
        <dt>{words.webhook.id}</dt>
        <dd>
          <Id value={endpoint.id} />
        </dd>
      </div>
      <div>
        <dt>{words.webhook.subscribed}</dt>
        <dd>{endpoint.events.includes('*') ? words.webhooks.allEvents : endpoint.events.join(', ')}</dd>
      </div>
      <div>
        <dt>{words.webhook.last}</dt>
        <dd>
          {endpoint.last_delivery_at === null ? (
            words.webhooks.neverDelivered
          ) : (
            <RelativeTime at={endpoint.last_delivery_at} />
          )}
        </dd>
      </div>
      {endpoint.behind_since !== null && (
        <div>
          <dt>{words.webhook.behind}</dt>
          <dd>
            {words.webhook.behindNote} <RelativeTime at={endpoint.behind_since} />
          </dd>
        </div>
      )}
      <div>
        <dt>{words.webhook.created}</dt>
        <dd>
          <RelativeTime at={endpoint.created_at} />
        </dd>
      </div>
    </dl>
  </>
);
