// The open dialog is part of the address, so that it is open again after signing in again, and for a
// colleague who gets the link.
import { computed } from '@preact/signals';
import { address, changeQuery } from '../address/address.ts';

const parameter = 'open';

/** What the dialog does, and to what. */
export const openedDialog = computed<{ act: string; target: string }>(() => {
  const [act = '', ...target] = (address.value.query[parameter] ?? '').split('.');
  return { act, target: target.join('.') };
});

export const openDialog = (act: string, target = ''): void =>
  changeQuery({ [parameter]: target === '' ? act : `${act}.${target}` });

export function closeDialog(): void {
  if (address.peek().query[parameter] !== undefined) changeQuery({ [parameter]: null }, { replace: true });
}
