// Dialogs: modal, closed by Escape, and for danger only after the thing's name has been typed.
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { toDisplayLine } from '../../../../../shared/platform/display-line.ts';
import { useAction } from '../state/action.ts';
import { words } from '../words/en.ts';
import { FailureNote } from './panel.tsx';

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
}

/** Opens the dialog as long as it is drawn: the page behind it gets no focus and no click. */
function useModal(onClose: () => void) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isGone = useRef(false);
  useEffect(() => {
    const element = dialog.current;
    const focusedBefore = document.activeElement;
    element?.showModal();
    return () => {
      isGone.current = true;
      element?.close();
      // The browser moves the focus back only if it closed the dialog, and not if that was removed.
      const isLost = document.activeElement === document.body || document.activeElement === null;
      if (isLost && focusedBefore instanceof HTMLElement) focusedBefore.focus({ preventScroll: true });
    };
  }, []);
  return {
    ref: dialog,
    'aria-modal': true,
    onClose: () => {
      // The event of a dialog that was removed arrives later, when another one may be open.
      if (!isGone.current) onClose();
    },
  } as const;
}

export function Dialog({ title, onClose, children }: DialogProps) {
  const modal = useModal(onClose);
  const titleId = useId();
  return (
    <dialog {...modal} aria-labelledby={titleId}>
      <h2 id={titleId}>{toDisplayLine(title)}</h2>
      {children}
    </dialog>
  );
}

interface DrawerProps extends DialogProps {
  /** What the drawer shows. Its heading has the focus whenever that changes. */
  topic: string;
}

/** A dialog at the edge of the page, over all of a phone's. The page behind it stays where it is. */
export function Drawer({ title, topic, onClose, children }: DrawerProps) {
  const modal = useModal(onClose);
  const titleId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [topic]);
  return (
    <dialog {...modal} class="drawer" closedBy="any" aria-labelledby={titleId}>
      <header>
        <h2 id={titleId} tabIndex={-1} ref={heading}>
          {toDisplayLine(title)}
        </h2>
        <button type="button" class="copy-button" onClick={onClose}>
          {words.close}
        </button>
      </header>
      {children}
    </dialog>
  );
}

type EffectiveAct = keyof typeof words.effects;

/** What an act does, as the description of its route says it. */
export const Effect = ({ of: act }: { of: EffectiveAct }) => <p>{words.effects[act]}</p>;

/** No dangerous dialog without the sentence of its route. */
type Danger = { isDangerous: true; effectOf: EffectiveAct } | { isDangerous?: false; effectOf?: EffectiveAct };

interface ConfirmDialogFields extends Omit<DialogProps, 'children'> {
  children?: ComponentChildren;
  /** The name to type. Without one, a click is enough. */
  name?: string;
  action: string;
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
  effectOf,
  canAct = true,
  act,
  onClose,
  children,
}: ConfirmDialogFields & Danger) {
  const typed = useSignal('');
  const { isActing, failure, run } = useAction();
  const line = name === undefined ? undefined : toDisplayLine(name).trim();
  // What cannot be seen need not be typed.
  const isConfirmed = canAct && (line === undefined || toDisplayLine(typed.value).trim() === line);
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
        <div class="dialog-text">
          {effectOf !== undefined && <Effect of={effectOf} />}
          {children}
        </div>
        {line !== undefined && (
          <label class="field">
            <span>{words.confirm.typeName(line)}</span>
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
