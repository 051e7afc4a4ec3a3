// Fields, and forms that say in place why they failed.
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { FailureNote } from './panel.tsx';

interface FieldProps {
  label: string;
  note?: string;
  children: ComponentChildren;
}

export const Field = ({ label, note, children }: FieldProps) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: the field is its child
  <label class="field">
    <span>{label}</span>
    {children}
    {note !== undefined && <small>{note}</small>}
  </label>
);

interface ActionFormProps {
  action: string;
  act: (fields: FormData) => Promise<void>;
  children?: ComponentChildren;
}

/** One button, which is disabled while it acts, and the reason if it fails. */
export function ActionForm({ action, act, children }: ActionFormProps) {
  const isActing = useSignal(false);
  const failure = useSignal<Error | undefined>(undefined);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (isActing.value || !(event.currentTarget instanceof HTMLFormElement)) return;
    const fields = new FormData(event.currentTarget);
    isActing.value = true;
    failure.value = undefined;
    try {
      await act(fields);
    } catch (error) {
      failure.value = error instanceof Error ? error : new Error(String(error));
    } finally {
      isActing.value = false;
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      {children}
      <FailureNote failure={failure.value} />
      <button type="submit" class="primary-button" disabled={isActing.value}>
        {action}
      </button>
    </form>
  );
}
