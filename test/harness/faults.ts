// Shared by the tests that kill a host: moments derived from a seed, and a caller that writes until
// the host is gone.
import type { ChildHost } from './child-host.ts';
import { oneTo } from './outbox.ts';

/** The usual number of seeds, or more if the environment asks for more. */
export const faultSeeds = (usual: number): number[] =>
  oneTo(Math.max(usual, Number(process.env['DAYBOOK_FAULT_SEEDS'] ?? usual)));

/** Yields the same numbers from 0 to 1 for the same seed. */
export function randomFrom(seed: number): () => number {
  // Scrambled, because adjacent seeds would otherwise begin with nearly the same number.
  let state = Math.imul(seed, 0x9e37_79b1) >>> 0;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

/** Creates users until the host is killed, and reports every acknowledged creation. */
export async function createUsers(host: ChildHost, acknowledge: (user: string) => void): Promise<void> {
  for (;;) {
    try {
      const response = await fetch(`${host.baseUrl}/v1/users`, {
        method: 'POST',
        headers: { authorization: `Bearer ${host.demo.live_key}`, 'content-type': 'application/json' },
        body: '{}',
      });
      const text = await response.text();
      if (response.status === 201) acknowledge(JSON.parse(text).id);
      else if (response.status !== 429) throw new Error(`${response.status} ${text}`);
    } catch (error) {
      if (host.process.killed) return;
      throw error;
    }
  }
}
