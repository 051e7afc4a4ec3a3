// Fields, and forms that say in place why they failed.
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useAction } from '../state/action.ts';
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

interface FilterInputProps {
  type?: 'search' | 'text';
  list?: string;
  value: string;
  choose: (value: string) => void;
}

/**
 * A field that filters once it is left or Enter is pressed. What is typed until then survives the
 * refreshes of the page around it.
 */
export function FilterInput({ type = 'text', list, value, choose }: FilterInputProps) {
  const typed = useSignal<string | undefined>(undefined);
  return (
    <input
      type={type}
      {...(list === undefined ? {} : { list })}
      value={typed.value ?? value}
      autocomplete="off"
      spellcheck={false}
      onInput={(event) => {
        typed.value = event.currentTarget.value;
      }}
      onChange={(event) => {
        typed.value = undefined;
        choose(event.currentTarget.value.trim());
      }}
      onBlur={() => {
        typed.value = undefined;
      }}
    />
  );
}

interface ActionFormProps {
  action: string;
  act: (fields: FormData) => Promise<void>;
  children?: ComponentChildren;
}

/** One button, which is disabled while it acts, and the reason if it fails. */
export function ActionForm({ action, act, children }: ActionFormProps) {
  const { isActing, failure, run } = useAction();
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const fields = new FormData(event.currentTarget);
    void run(() => act(fields));
  };
  return (
    <form onSubmit={submit}>
      {children}
      <FailureNote failure={failure.value} />
      <button type="submit" class="primary-button" disabled={isActing.value}>
        {action}
      </button>
    </form>
  );
}
