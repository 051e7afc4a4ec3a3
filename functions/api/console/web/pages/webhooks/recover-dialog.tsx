// Sends again what an endpoint has missed since a time.
import { useSignal } from '@preact/signals';
import { v1 } from '../../api/client.ts';
import { unwrap } from '../../api/failures.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { ActionForm, Field } from '../../parts/form.tsx';
import { formatNumber } from '../../state/format.ts';
import { words } from '../../words/en.ts';
import type { ListedEndpoint } from './endpoint-state.tsx';

const dayMilliseconds = 86_400_000;

export function RecoverDialog({ endpoint, onClose }: { endpoint: ListedEndpoint; onClose: () => void }) {
  const outcome = useSignal('');
  const since = endpoint.failing_since ?? endpoint.last_delivery_at;
  const suggested = since === null ? new Date(Date.now() - dayMilliseconds) : new Date(since);
  return (
    <Dialog title={words.webhook.recoverTitle} onClose={onClose}>
      <p class="dialog-text">{words.webhook.recoverText}</p>
      {endpoint.status === 'active' ? (
        <ActionForm
          action={words.webhook.recoverAction}
          act={async (form) => {
            outcome.value = '';
            const { data } = await unwrap(
              v1.POST('/v1/webhooks/{webhook_id}/recover', {
                params: { path: { webhook_id: endpoint.id } },
                body: { since: new Date(String(form.get('since'))).toISOString() },
              }),
            );
            outcome.value = [
              data.recovered === 0 && !data.more
                ? words.webhook.recoveredNone
                : words.webhook.recovered(data.recovered, formatNumber(data.recovered)),
              ...(data.more ? [words.webhook.recoveredMore] : []),
            ].join(' ');
          }}
        >
          <Field label={words.webhook.recoverSince}>
            <input type="datetime-local" name="since" required step={1} defaultValue={toLocalInput(suggested)} />
          </Field>
        </ActionForm>
      ) : (
        <p>{words.webhook.inactive}</p>
      )}
      <p role="status">{outcome.value}</p>
      <div class="actions">
        <button type="button" class="button" onClick={onClose}>
          {words.deliveries.close}
        </button>
      </div>
    </Dialog>
  );
}

/** The browser's own zone, as the field expects it. */
const toLocalInput = (at: Date): string =>
  new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
