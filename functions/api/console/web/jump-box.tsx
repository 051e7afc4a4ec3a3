// The jump box (⌘K or Ctrl K): to a page by its name, to a person by id or reference.

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { hrefOf, openAddress } from './address/address.ts';
import { type ConsoleSchemas, consoleClient } from './api/client.ts';
import { toError, unwrap } from './api/failures.ts';
import { navigationPages } from './page-table.tsx';
import { FailureNote } from './parts/panel.tsx';
import { nameOfPerson } from './state/format.ts';
import { me } from './state/session.ts';
import { words } from './words/en.ts';

interface Target {
  href: string;
  name: string;
  note: string;
}

/** The types of an input allow the role only together with a data list. */
const comboboxRole = { role: 'combobox', list: undefined } as const;
const typingPauseMilliseconds = 200;

export function JumpBox() {
  const dialog = useRef<HTMLDialogElement>(null);
  const text = useSignal('');
  const people = useSignal<readonly ConsoleSchemas['FoundUser'][]>([]);
  const failure = useSignal<Error | undefined>(undefined);
  const chosen = useSignal(0);
  useEffect(() => {
    const open = (): void => {
      if (!me.peek() || dialog.current?.open) return;
      text.value = '';
      people.value = [];
      chosen.value = 0;
      dialog.current?.showModal();
    };
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey) || event.shiftKey || event.altKey)
        return;
      event.preventDefault();
      open();
    };
    addEventListener('keydown', onKey);
    addEventListener('daybook:jump', open);
    return () => {
      removeEventListener('keydown', onKey);
      removeEventListener('daybook:jump', open);
    };
  }, []);
  useEffect(() => {
    const q = text.value.trim();
    people.value = [];
    failure.value = undefined;
    if (q.length < 2) return undefined;
    let isCurrent = true;
    const timer = setTimeout(() => {
      unwrap(consoleClient.GET('/console/api/search', { params: { query: { q } } }))
        .then(({ data }) => {
          if (isCurrent) people.value = data;
        })
        .catch((error: unknown) => {
          if (isCurrent) failure.value = toError(error);
        });
    }, typingPauseMilliseconds);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [text.value]);

  const wanted = text.value.trim().toLowerCase();
  const targets: Target[] = [
    ...navigationPages
      .map((page) => ({ href: hrefOf(page.path), name: words.pages[page.id], note: '' }))
      .filter(({ name }) => name.toLowerCase().includes(wanted)),
    ...people.value.map(({ id, external_ref }) => ({
      href: hrefOf(`/people/${encodeURIComponent(id)}`),
      name: nameOfPerson({ external_ref, id }),
      note: external_ref === null ? '' : id,
    })),
  ];
  const at = Math.min(chosen.value, Math.max(0, targets.length - 1));
  const jump = (target: Target | undefined): void => {
    if (!target) return;
    dialog.current?.close();
    openAddress(target.href);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      chosen.value = (at + step + targets.length) % Math.max(1, targets.length);
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      jump(targets[at]);
    }
  };
  return (
    <dialog ref={dialog} class="jump" aria-label={words.jump.label}>
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: its role is a combobox */}
      <input
        type="search"
        {...comboboxRole}
        aria-label={words.jump.label}
        aria-expanded="true"
        aria-controls="jump-targets"
        aria-activedescendant={targets.length > 0 ? `jump-${at}` : undefined}
        placeholder={words.jump.placeholder}
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
          chosen.value = 0;
        }}
        onKeyDown={onKeyDown}
      />
      <div id="jump-targets" role="listbox" aria-label={words.jump.label}>
        {targets.map((target, index) => (
          // The arrow keys move through the list while the focus stays in the box.
          // biome-ignore lint/a11y/useKeyWithClickEvents: the box handles the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the box keeps the focus
          <div
            key={target.href}
            id={`jump-${index}`}
            role="option"
            aria-selected={index === at}
            onClick={() => jump(target)}
          >
            <bdi>{target.name}</bdi> <span class="muted">{target.note}</span>
          </div>
        ))}
      </div>
      {targets.length === 0 && <p class="muted">{words.jump.nothing}</p>}
      <FailureNote failure={failure.value} />
      <p class="muted">{words.jump.hint}</p>
    </dialog>
  );
}
