// What an owner or a developer does with an endpoint. Which dialog is open is in the address.
import { hrefOf, openAddress } from '../../address/address.ts';
import { type Schemas, v1 } from '../../api/client.ts';
import { unwrap } from '../../api/failures.ts';
import { ConfirmDialog } from '../../parts/dialog.tsx';
import { closeDialog, openDialog, openedDialog } from '../../parts/dialog-address.ts';
import { FailureNote } from '../../parts/panel.tsx';
import { showToast } from '../../parts/toast.tsx';
import { useAction } from '../../state/action.ts';
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

export function EndpointActions({ endpoint, onChange, onTest }: EndpointActionsProps) {
  const { isActing, failure, run } = useAction();
  const isActive = endpoint.status === 'active';
  const change = async (body: Schemas['WebhookPatch']): Promise<void> => {
    const params = { path: { webhook_id: endpoint.id } };
    await unwrap(v1.PATCH('/v1/webhooks/{webhook_id}', { params, body }));
    await onChange();
  };
  const setStatus = (status: 'active' | 'paused'): Promise<void> =>
    run(async () => {
      await change({ status });
      showToast(status === 'active' ? words.webhook.resumed : words.webhook.paused);
    });
  return (
    <>
      <div class="actions endpoint-actions">
        <button type="button" class="primary-button" onClick={onTest}>
          {words.webhook.test}
        </button>
        <button
          type="button"
          class="button"
          disabled={isActing.value}
          onClick={() => void setStatus(isActive ? 'paused' : 'active')}
        >
          {isActive ? words.webhook.pause : words.webhook.resume}
        </button>
        <button type="button" class="button" onClick={() => openDialog('recover')}>
          {words.webhook.recover}
        </button>
        <button type="button" class="button" onClick={() => openDialog('edit')}>
          {words.webhook.edit}
        </button>
        <button type="button" class="button" onClick={() => openDialog('rotate')}>
          {words.webhook.rotate}
        </button>
        <button type="button" class="button" onClick={() => openDialog('delete')}>
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
  const { act } = openedDialog.value;
  const params = { path: { webhook_id: endpoint.id } };
  if (act === 'edit')
    return (
      <EndpointDialog
        title={words.webhook.edit}
        action={words.webhooks.save}
        endpoint={endpoint}
        onClose={closeDialog}
        act={async (fields) => {
          await change(fields);
          closeDialog();
          showToast(words.webhooks.saved);
        }}
      />
    );
  if (act === 'rotate')
    return (
      <ConfirmDialog
        title={words.webhook.rotateTitle}
        action={words.webhook.rotate}
        effectOf="webhook.secret_rotated"
        onClose={closeDialog}
        act={async () => {
          const { data } = await unwrap(v1.POST('/v1/webhooks/{webhook_id}/rotate-secret', { params }));
          showSecret({ webhookId: endpoint.id, secret: data.secret, isRotated: true });
        }}
      >
        <p>{words.webhook.rotateText}</p>
      </ConfirmDialog>
    );
  if (act === 'delete')
    return (
      <ConfirmDialog
        title={words.webhook.removeTitle}
        name={new URL(endpoint.url).host}
        action={words.webhook.remove}
        isDangerous
        effectOf="webhook.deleted"
        onClose={closeDialog}
        act={async () => {
          await unwrap(v1.DELETE('/v1/webhooks/{webhook_id}', { params }));
          openAddress(hrefOf('/webhooks'), { replace: true });
          showToast(words.webhook.removed);
        }}
      />
    );
  return act === 'recover' ? <RecoverDialog endpoint={endpoint} onClose={closeDialog} /> : null;
}
