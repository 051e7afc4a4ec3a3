// Short notes on what the person did. What failed is said where it failed.
import { signal } from '@preact/signals';
import { toDisplayLine } from '../../../../../shared/platform/display-line.ts';
import { words } from '../words/en.ts';

interface Toast {
  id: number;
  text: string;
}

const toasts = signal<readonly Toast[]>([]);
const shownMilliseconds = 6_000;
let nextId = 1;

export function showToast(text: string): void {
  const id = nextId;
  nextId += 1;
  toasts.value = [...toasts.value, { id, text }].slice(-3);
  setTimeout(() => dismiss(id), shownMilliseconds);
}

function dismiss(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

export const Toasts = () => (
  <div class="toasts" role="status">
    {toasts.value.map(({ id, text }) => (
      <p key={id} class="toast">
        {toDisplayLine(text)}
        <button type="button" class="copy-button" onClick={() => dismiss(id)}>
          {words.dismiss}
        </button>
      </p>
    ))}
  </div>
);
