// The names of providers, which the API returns as ids. The page carries them, because a script
// with the whole catalog of providers would be many times as long.
import { findElement } from '../../../docs-kit/browser/dom.ts';

const names = readNames(findElement('main', HTMLElement).dataset['providerNames']);

function readNames(text = '{}'): ReadonlyMap<string, string> {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null) throw new Error('the page has no names of providers');
  return new Map(Object.entries(value).map(([id, name]) => [id, String(name)]));
}

/** A provider that this page does not know yet is shown by its id. */
export const getProviderName = (id: string): string => names.get(id) ?? id;
