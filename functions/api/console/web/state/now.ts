// The reader's clock, for times that are said relative to now.
import { signal } from '@preact/signals';

/** Moves on every fifteen seconds. */
export const now = signal(Date.now());
setInterval(() => {
  if (document.visibilityState === 'visible') now.value = Date.now();
}, 15_000);
