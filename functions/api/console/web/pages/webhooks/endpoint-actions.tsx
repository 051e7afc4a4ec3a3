// What an owner or a developer does with an endpoint. Which dialog is open is in the address.
import { useSignal } from '@preact/signals';
import { address, changeQuery, hrefOf, openAddress } from '../../address/address.ts';
import { type Schemas, v1 } from '../../api/client.ts';
import { unwrap } from '../../api/failures.ts';
import { ConfirmDialog } from '../../parts/dialog.tsx';
import { FailureNote } from '../../parts/panel.tsx';
import { showToast } from '../../parts/toast.tsx';
import { words } from '../../words/en.ts';
import { EndpointDialog } from './endpoint-form.tsx';
import type { ListedEndpoint } from './endpoint-state.tsx';
import { RecoverDialog } from './recover-dialog.tsx';
import { showSecret } from './signing-secret.tsx';

interface EndpointActionsProps {
  endpoint: ListedEndpoint;
  onChange: () => Promise<void>;
  onTest: () => void;
}

type OpenPanel = 'edit' | 'rotate' | 'delete' | 'recover';

const open = (panel: OpenPanel): void => changeQuery({ open: panel });
const close = (): void => changeQuery({ open: null }, { replace: true });

export function EndpointActions({ endpoint, onChange, onTest }: EndpointActionsProps) {
  const failure = useSignal<Error | undefined>(undefined);
  const isActive = endpoint.status === 'active';
  const change = async (body: Schemas['WebhookPatch']): Promise<void> => {
    const params = { path: { webhook_id: endpoint.id } };
    await unwrap(v1.PATCH('/v1/webhooks/{webhook_id}', { params, body }));
    await onChange();
  };
  const setStatus = async (status: 'active' | 'paused'): Promise<void> => {
    failure.value = undefined;
    try {
      await change({ status });
      showToast(status === 'active' ? words.webhook.resumed : words.webhook.paused);
    } catch (error) {
      failure.value = error instanceof Error ? error : new Error(String(error));
    }
  };
  return (
    <>
      <div class="actions endpoint-actions">
        <button type="button" class="primary-button" onClick={onTest}>
          {words.webhook.test}
        </button>
        <button type="button" class="button" onClick={() => void setStatus(isActive ? 'paused' : 'active')}>
          {isActive ? words.webhook.pause : words.webhook.resume}
        </button>
        <button type="button" class="button" onClick={() => open('recover')}>
          {words.webhook.recover}
        </button>
        <button type="button" class="button" onClick={() => open('edit')}>
          {words.webhook.edit}
        </button>
        <button type="button" class="button" onClick={() => open('rotate')}>
          {words.webhook.rotate}
        </button>
        <button type="button" class="button" onClick={() => open('delete')}>
          {words.webhook.remove}
        </button>
      </div>
      <FailureNote failure={failure.value} />
      <OpenDialog endpoint={endpoint} change={change} />
    </>
  );
}

interface OpenDialogProps {
  endpoint: ListedEndpoint;
  change: (body: Schemas['WebhookPatch']) => Promise<void>;
}

function OpenDialog({ endpoint, change }: OpenDialogProps) {
  const { open: panel } = address.value.query;
  const params = { path: { webhook_id: endpoint.id } };
  if (panel === 'edit')
    return (
      <EndpointDialog
        title={words.webhook.edit}
        action={words.webhooks.save}
        endpoint={endpoint}
        onClose={close}
        act={async (fields) => {
          await change(fields);
          close();
          showToast(words.webhooks.saved);
        }}
      />
    );
  if (panel === 'rotate')
    return (
      <ConfirmDialog
        title={words.webhook.rotateTitle}
        action={words.webhook.rotate}
        onClose={close}
        act={async () => {
          const { data } = await unwrap(v1.POST('/v1/webhooks/{webhook_id}/rotate-secret', { params }));
          showSecret({ webhookId: endpoint.id, secret: data.secret, isRotated: true });
        }}
      >
        <p>{words.webhook.rotateText}</p>
      </ConfirmDialog>
    );
  if (panel === 'delete')
    return (
      <ConfirmDialog
        title={words.webhook.removeTitle}
        name={new URL(endpoint.url).host}
        action={words.webhook.remove}
        isDangerous
        onClose={close}
        act={async () => {
          await unwrap(v1.DELETE('/v1/webhooks/{webhook_id}', { params }));
          openAddress(hrefOf('/webhooks'), { replace: true });
          showToast(words.webhook.removed);
        }}
      >
        <p>{words.webhook.removeText}</p>
      </ConfirmDialog>
    );
  return panel === 'recover' ? <RecoverDialog endpoint={endpoint} onClose={close} /> : null;
}
