import { afterAll, beforeAll, expect, test } from 'vitest';
import { personaIds } from '../../shared/catalog/sandbox.ts';
import { type System, startSystem } from '../harness/system.ts';
import { advanceSandboxUser, readUntilComplete } from './sandbox-users.ts';

let system: System;
let token: string;
beforeAll(async () => {
  system = await startSystem();
  token = (await system.account()).sandbox_key;
});
afterAll(() => system.stop());

test('three days follow one another', () => advanceSandboxUser(Array<number>(9).fill(8)));

test.each(['average', 'ill', 'device_swap'])(
  'days and scores of a new user become available without advancing the clock (%s)',
  async (persona) => {
    expect(personaIds).toContain(persona);
    await readUntilComplete(system, token, persona);
  },
);
