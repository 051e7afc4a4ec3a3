// What was sent to an endpoint, newest event first, and one delivery next to the list.
import { address, changeQuery, environment } from '../../address/address.ts';
import { v1 } from '../../api/client.ts';
import { unwrap } from '../../api/failures.ts';
import { Link } from '../../parts/link.tsx';
import { FailureNote, Panel } from '../../parts/panel.tsx';
import { StatusMark } from '../../parts/status.tsx';
import { type Column, DataTable } from '../../parts/table.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { formatNumber } from '../../state/format.ts';
import { usePagedList } from '../../state/use-paged-list.ts';
import { words } from '../../words/en.ts';
import { describeOutcome } from './attempts.tsx';
import { DeliveryAside } from './delivery-aside.tsx';
import { deliveryStatuses, deliveryTones, type ListedDelivery } from './delivery-status.ts';
import type { ListedEndpoint } from './endpoint-state.tsx';

const { columns: names } = words.deliveries;

interface DeliveriesProps {
  endpoint: ListedEndpoint;
  canRedeliver: boolean;
}

export function Deliveries({ endpoint, canRedeliver }: DeliveriesProps) {
  const deliveries = usePagedList(
    `deliveries ${environment.value} ${endpoint.id}`,
    (cursor) =>
      unwrap(
        v1.GET('/v1/webhooks/{webhook_id}/deliveries', {
          params: { path: { webhook_id: endpoint.id }, query: cursor === undefined ? {} : { cursor } },
        }),
      ),
    { isLive: true },
  );
  const { status, delivery: openId } = address.value.query;
  const listed = deliveries.list();
  const shown = deliveryStatuses.some((each) => each === status)
    ? listed.filter((each) => each.status === status)
    : listed;
  const opened = listed.find(({ id }) => id === openId);
  return (
    <section aria-labelledby="deliveries-title" class="deliveries">
      <h2 id="deliveries-title">{words.deliveries.title}</h2>
      <p class="muted">{words.deliveries.live}</p>
      <Tabs
        isSmall
        label={words.deliveries.filter}
        name="status"
        current={status ?? 'all'}
        choices={[
          { id: 'all', name: words.deliveries.all },
          ...deliveryStatuses.map((id) => ({ id, name: words.deliveries.statusFilter[id] })),
        ]}
      />
      <div class={openId === undefined ? undefined : 'with-aside'}>
        <div>
          <Panel
            of={deliveries.first}
            minHeight="16rem"
            isEmpty={({ data }) => data.length === 0}
            empty={words.deliveries.empty}
          >
            {() => (
              <>
                {shown.length === 0 ? (
                  <p class="empty">{words.deliveries.noneWithStatus}</p>
                ) : (
                  <DataTable caption={words.deliveries.list} columns={columns} rows={shown} keyOf={({ id }) => id} />
                )}
                <p class="actions">
                  <span class="muted">
                    {shown === listed
                      ? words.deliveries.readSoFar(formatNumber(listed.length))
                      : words.deliveries.shownOfRead(formatNumber(shown.length), formatNumber(listed.length))}
                  </span>
                  {deliveries.hasMore() && (
                    <button
                      type="button"
                      class="button"
                      disabled={deliveries.isLoading.value}
                      onClick={() => void deliveries.loadMore()}
                    >
                      {words.deliveries.older}
                    </button>
                  )}
                </p>
                <FailureNote failure={deliveries.failure.value} retry={() => void deliveries.loadMore()} />
              </>
            )}
          </Panel>
        </div>
        {openId !== undefined && deliveries.first.data.value && (
          <DeliveryAside
            key={openId}
            endpoint={endpoint}
            delivery={opened}
            canRedeliver={canRedeliver}
            onRedelivered={deliveries.first.reload}
            onClose={() => changeQuery({ delivery: null })}
          />
        )}
      </div>
    </section>
  );
}

const columns: readonly Column<ListedDelivery>[] = [
  {
    id: 'event',
    name: names.event,
    cell: ({ id, event_type }) => (
      <Link to={address.value.path} query={{ ...address.value.query, delivery: id }}>
        <code>{event_type}</code>
        <span class="visually-hidden"> {id}</span>
      </Link>
    ),
  },
  {
    id: 'status',
    name: names.status,
    cell: ({ status, next_attempt_at }) => (
      <>
        <StatusMark tone={deliveryTones[status]}>{words.deliveries.statusFilter[status]}</StatusMark>
        {next_attempt_at !== null && (
          <p class="muted">
            {words.deliveries.next} <RelativeTime at={next_attempt_at} />
          </p>
        )}
      </>
    ),
  },
  {
    id: 'response',
    name: names.response,
    cell: ({ attempts }) => {
      const last = attempts.at(-1);
      return last ? describeOutcome(last) : words.deliveries.none;
    },
  },
  { id: 'attempts', name: names.attempts, isNumber: true, cell: ({ attempts }) => formatNumber(attempts.length) },
  { id: 'created', name: names.created, cell: ({ created_at }) => <RelativeTime at={created_at} /> },
];
