// The sandbox users that the demo offers to create. It draws nothing for one without data.
import type { SandboxPersona } from '../../../../../shared/catalog/sandbox.ts';

export const personaNames: Readonly<Record<Exclude<SandboxPersona, 'empty'>, string>> = {
  average: 'An average person',
  athlete: 'An athlete',
  shift_worker: 'A shift worker who sleeps by day',
  traveller: 'A traveller between time zones',
  sparse: 'Someone with gaps in their data',
  new_user: 'Someone new, with only a few days',
  ill: 'Someone who fell ill',
  device_swap: 'Someone who changed devices',
  incomplete_log: 'Someone who logs only a few meals',
  child: 'An eight-year-old',
  older: 'A 72-year-old',
};
