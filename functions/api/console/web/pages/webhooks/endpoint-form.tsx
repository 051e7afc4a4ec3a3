// The fields of an endpoint, for registering one and for changing one.
import { useSignal } from '@preact/signals';
import type { Schemas } from '../../api/client.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { ActionForm, Field } from '../../parts/form.tsx';
import { eventTypes } from '../../state/event-types.ts';
import { words } from '../../words/en.ts';
import type { ListedEndpoint } from './endpoint-state.tsx';

interface EndpointDialogProps {
  title: string;
  action: string;
  endpoint?: ListedEndpoint;
  act: (fields: Schemas['NewWebhook']) => Promise<void>;
  onClose: () => void;
}

const { fields } = words.webhooks;

export function EndpointDialog({ title, action, endpoint, act, onClose }: EndpointDialogProps) {
  const isForAll = useSignal(endpoint === undefined || endpoint.events.includes('*'));
  return (
    <Dialog title={title} onClose={onClose}>
      <ActionForm action={action} act={(form) => act(readFields(form))}>
        <Field label={fields.url} note={fields.urlNote}>
          <input
            type="url"
            name="url"
            required
            autocomplete="off"
            spellcheck={false}
            defaultValue={endpoint?.url}
            placeholder="https://example.com/daybook"
          />
        </Field>
        <Field label={fields.description} note={fields.descriptionNote}>
          <input name="description" maxLength={500} autocomplete="off" defaultValue={endpoint?.description ?? ''} />
        </Field>
        <fieldset class="field event-choices">
          <legend>{fields.events}</legend>
          {([true, false] as const).map((all) => (
            <label key={String(all)}>
              <input
                type="radio"
                name="all"
                value={all ? 'yes' : 'no'}
                checked={isForAll.value === all}
                onChange={() => {
                  isForAll.value = all;
                }}
              />{' '}
              {all ? fields.all : fields.chosen}
            </label>
          ))}
          {!isForAll.value && (
            <div class="event-types">
              {eventTypes.map((type) => (
                <label key={type}>
                  <input type="checkbox" name="events" value={type} defaultChecked={endpoint?.events.includes(type)} />{' '}
                  <code>{type}</code>
                </label>
              ))}
            </div>
          )}
        </fieldset>
      </ActionForm>
    </Dialog>
  );
}

function readFields(form: FormData): Schemas['NewWebhook'] {
  const chosen = form.getAll('events');
  const description = String(form.get('description')).trim();
  return {
    url: String(form.get('url')).trim(),
    description: description === '' ? null : description,
    events: form.get('all') === 'yes' ? ['*'] : eventTypes.filter((type) => chosen.includes(type)),
  };
}
