// One delivery: the request, every attempt with its response, and sending it again.
import { useEffect, useRef } from 'preact/hooks';
import { toDisplayLine } from '../../../../../../shared/platform/display-line.ts';
import { v1 } from '../../api/client.ts';
import { unwrap } from '../../api/failures.ts';
import { Id, TextBlock } from '../../parts/copy.tsx';
import { ActionForm } from '../../parts/form.tsx';
import { StatusMark } from '../../parts/status.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { showToast } from '../../parts/toast.tsx';
import { indentJson } from '../../state/format.ts';
import { words } from '../../words/en.ts';
import { Attempts } from './attempts.tsx';
import { deliveryTones, type ListedDelivery } from './delivery-status.ts';
import type { ListedEndpoint } from './endpoint-state.tsx';

interface DeliveryDetailsProps {
  endpoint: ListedEndpoint;
  /** Undefined if it is not among the deliveries that were read. */
  delivery: ListedDelivery | undefined;
  canRedeliver: boolean;
  onRedelivered: () => Promise<void>;
  onClose: () => void;
}

export function DeliveryAside({ endpoint, delivery, canRedeliver, onRedelivered, onClose }: DeliveryDetailsProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <aside class="aside" aria-labelledby="delivery-title">
      <header>
        <h2 id="delivery-title" ref={heading} tabIndex={-1}>
          {delivery?.event_type ?? words.deliveries.delivery}
        </h2>
        <button type="button" class="button" onClick={onClose}>
          {words.deliveries.close}
        </button>
      </header>
      {delivery ? (
        <>
          <p>
            <StatusMark tone={deliveryTones[delivery.status]}>{words.deliveries.status[delivery.status]}</StatusMark>.{' '}
            <span class="muted">{words.deliveries.statusNote[delivery.status]}</span>
          </p>
          <dl class="fact-list">
            <div>
              <dt>{words.deliveries.delivery}</dt>
              <dd>
                <Id value={delivery.id} />
              </dd>
            </div>
            <div>
              <dt>{words.deliveries.event}</dt>
              <dd>
                <Id value={delivery.event_id} />
              </dd>
            </div>
            {delivery.next_attempt_at !== null && (
              <div>
                <dt>{words.deliveries.next}</dt>
                <dd>
                  <RelativeTime at={delivery.next_attempt_at} />
                </dd>
              </div>
            )}
          </dl>
          {canRedeliver &&
            (endpoint.status === 'active' ? (
              <ActionForm
                action={words.deliveries.redeliver}
                act={async () => {
                  const path = { webhook_id: endpoint.id, delivery_id: delivery.id };
                  await unwrap(
                    v1.POST('/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver', { params: { path } }),
                  );
                  showToast(words.deliveries.redelivered);
                  await onRedelivered();
                }}
              />
            ) : (
              <p class="muted">{words.webhook.inactive}</p>
            ))}
          <h3>{words.deliveries.request}</h3>
          <p class="muted">
            POST {toDisplayLine(endpoint.url)}. {words.deliveries.requestNote}
          </p>
          <TextBlock text={indentJson(delivery.request_body)} />
          <Attempts attempts={delivery.attempts} />
        </>
      ) : (
        <p>{words.deliveries.notListed}</p>
      )}
    </aside>
  );
}
