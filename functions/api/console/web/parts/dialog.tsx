// Dialogs: modal, closed by Escape, and for danger only after the thing's name has been typed.
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { useAction } from '../state/action.ts';
import { words } from '../words/en.ts';
import { FailureNote } from './panel.tsx';

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
}

export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isGone = useRef(false);
  const titleId = useId();
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => {
      isGone.current = true;
      // Closing moves the focus back to where it was, which removing the element does not.
      element?.close();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onClose={() => {
        // The event of a dialog that was removed arrives later, when another one may be open.
        if (!isGone.current) onClose();
      }}
    >
      <h2 id={titleId}>{title}</h2>
      {children}
    </dialog>
  );
}

interface ConfirmDialogProps extends DialogProps {
  /** The name to type. Without one, a click is enough. */
  name?: string;
  action: string;
  isDangerous?: boolean;
  /** Whether the action is possible now. */
  canAct?: boolean;
  /** The dialog stays open, with the reason, while this fails. */
  act: () => Promise<void>;
}

export function ConfirmDialog({
  title,
  name,
  action,
  isDangerous = false,
  canAct = true,
  act,
  onClose,
  children,
}: ConfirmDialogProps) {
  const typed = useSignal('');
  const { isActing, failure, run } = useAction();
  const isConfirmed = canAct && (name === undefined || typed.value.trim() === name);
  const submit = (event: Event): void => {
    event.preventDefault();
    if (!isConfirmed) return;
    void run(async () => {
      await act();
      onClose();
    });
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit}>
        <div class="dialog-text">{children}</div>
        {name !== undefined && (
          <label class="field">
            <span>{words.confirm.typeName(name)}</span>
            <input
              value={typed.value}
              autocomplete="off"
              spellcheck={false}
              onInput={(event) => {
                typed.value = event.currentTarget.value;
              }}
            />
          </label>
        )}
        <FailureNote failure={failure.value} />
        <div class="actions">
          <button type="button" class="button" onClick={onClose}>
            {words.confirm.cancel}
          </button>
          <button
            type="submit"
            class={isDangerous ? 'danger-button' : 'primary-button'}
            disabled={!isConfirmed || isActing.value}
          >
            {action}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
