// Does my server receive its events? Every endpoint of the environment with its state.

import { toDisplayLine } from '../../../../../shared/platform/display-line.ts';
import { environment, hrefOf, openAddress } from '../address/address.ts';
import { v1 } from '../api/client.ts';
import { unwrap } from '../api/failures.ts';
import { SampleBlock } from '../parts/copy.tsx';
import { closeDialog, openDialog, openedDialog } from '../parts/dialog-address.ts';
import { Link } from '../parts/link.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Panel } from '../parts/panel.tsx';
import { type Column, DataTable } from '../parts/table.tsx';
import { RelativeTime } from '../parts/time.tsx';
import { useResource } from '../state/resource.ts';
import { isPermitted } from '../state/session.ts';
import { words } from '../words/en.ts';
import { EndpointDialog } from './webhooks/endpoint-form.tsx';
import { describeEvents, EndpointStatus, type ListedEndpoint } from './webhooks/endpoint-state.tsx';
import { showSecret } from './webhooks/signing-secret.tsx';

const { columns: names } = words.webhooks;

const columns: readonly Column<ListedEndpoint>[] = [
  {
    id: 'endpoint',
    name: names.endpoint,
    cell: ({ id, url, description }) => (
      <>
        <Link to={`/webhooks/${encodeURIComponent(id)}`} class="endpoint-url">
          {toDisplayLine(url)}
        </Link>
        {description !== null && <p class="muted">{toDisplayLine(description)}</p>}
      </>
    ),
  },
  { id: 'state', name: names.state, cell: (endpoint) => <EndpointStatus endpoint={endpoint} /> },
  { id: 'events', name: names.events, cell: describeEvents },
  {
    id: 'last',
    name: names.last,
    cell: ({ last_delivery_at }) =>
      last_delivery_at === null ? words.webhooks.neverDelivered : <RelativeTime at={last_delivery_at} />,
  },
];

export function WebhooksPage() {
  const endpoints = useResource(`webhooks ${environment.value}`, () => unwrap(v1.GET('/v1/webhooks')), {
    isLive: true,
  });
  const canChange = isPermitted('state');
  const registerButton = canChange && (
    <button type="button" class="primary-button" onClick={() => openDialog('register')}>
      {words.webhooks.register}
    </button>
  );
  return (
    <>
      <PageHead title={words.webhooks.title} lead={words.webhooks.lead} actions={registerButton} />
      {!canChange && <p class="muted">{words.webhooks.readOnly}</p>}
      <Panel
        of={endpoints}
        minHeight="12rem"
        isEmpty={({ data }) => data.length === 0}
        empty={
          <>
            <p>{words.webhooks.empty}</p>
            {canChange && (
              <SampleBlock
                sample={{
                  method: 'POST',
                  path: '/v1/webhooks',
                  body: { url: 'https://example.com/daybook', events: ['*'] },
                }}
              />
            )}
          </>
        }
      >
        {({ data }) => <DataTable caption={words.webhooks.list} columns={columns} rows={data} keyOf={({ id }) => id} />}
      </Panel>
      {canChange && openedDialog.value.act === 'register' && <RegisterDialog />}
    </>
  );
}

const RegisterDialog = () => (
  <EndpointDialog
    title={words.webhooks.register}
    action={words.webhooks.register}
    onClose={closeDialog}
    act={async (body) => {
      const { data } = await unwrap(v1.POST('/v1/webhooks', { body }));
      showSecret({ webhookId: data.id, secret: data.secret, isRotated: false });
      openAddress(hrefOf(`/webhooks/${encodeURIComponent(data.id)}`), { replace: true });
    }}
  />
);
