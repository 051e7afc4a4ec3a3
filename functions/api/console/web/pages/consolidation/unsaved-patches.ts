// The changes that are not saved yet. They outlive the tab, because a person may look at other tabs
// before they save.
import { signal } from '@preact/signals';
import type { Patch } from './changes.ts';

const patches = signal<ReadonlyMap<string, Patch>>(new Map());

/** The key names the session, the environment and the person. */
export const readUnsavedPatch = (key: string): Patch | undefined => patches.value.get(key);

/** Without a patch there is nothing left to save. */
export function storeUnsavedPatch(key: string, patch: Patch | undefined): void {
  const others = [...patches.peek()].filter(([each]) => each !== key);
  patches.value = new Map(patch ? [...others, [key, patch]] : others);
}
