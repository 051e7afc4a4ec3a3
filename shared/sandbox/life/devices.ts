// The devices of sandbox users, by name.
import type { SandboxDevice, SandboxPersona } from '../../catalog/sandbox.ts';
import { habitsByPersona } from './habits.ts';

export const sandboxDevices = {
  ring: { name: 'Ring', model: 'Oura Ring (sandbox)', type: 'ring' },
  phone: { name: 'Phone', model: 'iPhone (sandbox)', type: 'phone' },
  watch: { name: 'Watch', model: 'Garmin watch (sandbox)', type: 'wrist' },
} as const;

/** Those that report for the persona at any time. */
export function listPersonaDevices(persona: SandboxPersona): readonly SandboxDevice[] {
  const { isUnmeasured, scenario } = habitsByPersona[persona];
  if (isUnmeasured) return [];
  return scenario === 'device_swap' ? ['ring', 'phone', 'watch'] : ['ring', 'phone'];
}
