// Passkeys without a browser: the verifier says what the test wants, so that every rule around it is
// tested alone.
import { beforeEach, describe, expect, test } from 'vitest';
import type { ColleagueCaller } from '../../../shared/console/admit-session.ts';
import { readConsoleProfile } from '../../../shared/console/console-profile.ts';
import { findPasskeySupport } from '../../../shared/console/passkey-support.ts';
import {
  createPasskeyOptions,
  createSignInOptions,
  listPasskeys,
  maxPasskeys,
  type PasskeyVerifier,
  registerPasskey,
  removePasskey,
  signInWithPasskey,
} from '../../../shared/console/passkeys.ts';
import { consoleKeys } from '../../../shared/system/console-keys.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { type ConsoleWorld, consoleOrigin, consoleRequest, openConsoleWorld } from '../../harness/console-world.ts';
import { interleavedTable } from '../../harness/interleaved-table.ts';

const unusable = { code: 'invalid_token' };
const fiveMinutesMs = 300_000;
let world: ConsoleWorld;
let colleague: ColleagueCaller;
let verifier: PasskeyVerifier & { isGenuine: boolean; counter: number; calls: number };

beforeEach(async () => {
  world = await openConsoleWorld();
  colleague = await world.callerOf('support');
  verifier = {
    isGenuine: true,
    counter: 0,
    calls: 0,
    verifyCreated: async ({ id }) => {
      verifier.calls++;
      return verifier.isGenuine ? { credentialId: id, publicKey: 'a-key', counter: verifier.counter } : undefined;
    },
    verifyAssertion: async () => {
      verifier.calls++;
      return verifier.isGenuine ? { counter: verifier.counter } : undefined;
    },
  };
});

const encode = (text: string): string => Buffer.from(text).toString('base64url');
const clientDataFor = (challenge: unknown): string => encode(JSON.stringify({ challenge }));
const credentialFields = (id: string) => ({ id, rawId: id, type: 'public-key', clientExtensionResults: {} }) as const;

function register(
  id: string,
  clientDataJSON: string,
  { caller = colleague, origin = consoleOrigin, deps = world.deps } = {},
) {
  const credential = { ...credentialFields(id), response: { clientDataJSON, attestationObject: '' } };
  return registerPasskey(deps, caller, { name: null, credential }, origin, verifier);
}

async function addPasskey(id: string, origin = consoleOrigin) {
  const { challenge } = await createPasskeyOptions(world.deps, colleague, origin);
  return register(id, clientDataFor(challenge), { origin });
}

function answer(id: string, clientDataJSON: string, { origin = consoleOrigin, deps = world.deps } = {}) {
  const response = { clientDataJSON, authenticatorData: '', signature: '' };
  return signInWithPasskey(deps, { ...credentialFields(id), response }, origin, { verifier, request: consoleRequest });
}

const newClientData = async (): Promise<string> =>
  clientDataFor((await createSignInOptions(world.deps, consoleOrigin)).challenge);

describe('a challenge', () => {
  test('is answered once, at whichever step of the second answer the first one comes', async () => {
    await addPasskey('one');
    for (let step = 1; step <= 2; step++) {
      const clientData = await newClientData();
      const { table, hasRun } = interleavedTable(world.table, step, () => answer('one', clientData).catch(() => {}));
      const second = answer('one', clientData, { deps: world.withTable(table) });
      if (step === 1) await expect(second).rejects.toMatchObject(unusable);
      else await second;
      expect(hasRun()).toBe(true);
      await expect(answer('one', clientData)).rejects.toMatchObject(unusable);
    }
  });

  test('is used up by a wrong answer', async () => {
    await addPasskey('one');
    const clientData = await newClientData();
    verifier.isGenuine = false;
    await expect(answer('one', clientData)).rejects.toMatchObject(unusable);
    verifier.isGenuine = true;
    await expect(answer('one', clientData)).rejects.toMatchObject(unusable);
    expect((await answer('one', await newClientData())).session.method).toBe('passkey');
  });

  test('ends after exactly five minutes, although its row is still there', async () => {
    await addPasskey('one');
    world.clock.freeze();
    const [early, late] = [await newClientData(), await newClientData()];
    world.clock.advance(fiveMinutesMs - 1);
    await answer('one', early);
    world.clock.advance(1);
    await expect(answer('one', late)).rejects.toMatchObject(unusable);
  });

  test('to sign in registers nothing, and one to register signs nobody in', async () => {
    await addPasskey('one');
    await expect(register('two', await newClientData())).rejects.toMatchObject(unusable);
    const { challenge } = await createPasskeyOptions(world.deps, colleague, consoleOrigin);
    await expect(answer('one', clientDataFor(challenge))).rejects.toMatchObject(unusable);
    const other = await world.callerOf('support');
    const { challenge: own } = await createPasskeyOptions(world.deps, colleague, consoleOrigin);
    await expect(register('two', clientDataFor(own), { caller: other })).rejects.toMatchObject(unusable);
    expect(await listPasskeys(world.deps, colleague, consoleOrigin)).toHaveLength(1);
  });

  test.each([
    ['no JSON', encode('{')],
    ['nothing', ''],
    ['null', encode('null')],
    ['a number', encode('5')],
    ['a challenge that is no text', clientDataFor({ nested: true })],
    ['no challenge', encode('{}')],
    ['a challenge that nobody issued', clientDataFor('bm90IGlzc3VlZA')],
  ])('is missing from client data with %s', async (_what, clientData) => {
    await addPasskey('one');
    verifier.calls = 0;
    await expect(answer('one', clientData)).rejects.toMatchObject(unusable);
    await expect(register('two', clientData)).rejects.toMatchObject(unusable);
    expect(verifier.calls).toBe(0);
  });
});

describe('registering', () => {
  test('stores nothing if the answer is not genuine', async () => {
    verifier.isGenuine = false;
    await expect(addPasskey('one')).rejects.toMatchObject(unusable);
    expect(await listPasskeys(world.deps, colleague, consoleOrigin)).toEqual([]);
  });

  test('takes ten passkeys, and another one when one was removed', async () => {
    for (let count = 0; count < maxPasskeys; count++) await addPasskey(`credential-${count}`);
    await expect(addPasskey('one-too-many')).rejects.toMatchObject({
      code: 'limit_reached',
      details: { limit: maxPasskeys },
    });
    const [first] = await listPasskeys(world.deps, colleague, consoleOrigin);
    await removePasskey(world.deps, colleague, first?.id ?? '');
    await addPasskey('one-again');
    expect(await listPasskeys(world.deps, colleague, consoleOrigin)).toHaveLength(maxPasskeys);
  });

  test('two passkeys at once keeps both', async () => {
    const { challenge } = await createPasskeyOptions(world.deps, colleague, consoleOrigin);
    await register('one', clientDataFor(challenge), { deps: world.interruptedBy(() => addPasskey('two')) });
    expect(await listPasskeys(world.deps, colleague, consoleOrigin)).toHaveLength(2);
    for (const id of ['one', 'two']) await answer(id, await newClientData());
  });
});

describe('a passkey', () => {
  test('is of no use at another address of the deployment, even if its answer is genuine', async () => {
    await addPasskey('one');
    verifier.calls = 0;
    for (const origin of ['https://other.example.com', 'https://daybook.example.com:8443'])
      await expect(answer('one', await newClientData(), { origin })).rejects.toMatchObject(unusable);
    expect(verifier.calls).toBe(0);
  });

  test('of a previous address is listed as unusable, is not counted, and does not keep its authenticator from creating another', async () => {
    const former = 'https://former.example.com';
    await addPasskey('one', former);
    await addPasskey('two');
    const listAt = async (origin: string) =>
      (await listPasskeys(world.deps, colleague, origin)).map((passkey) => [passkey.origin, passkey.is_usable]);
    expect(await listAt(consoleOrigin)).toEqual([
      [former, false],
      [consoleOrigin, true],
    ]);
    expect(await listAt(former)).toEqual([
      [former, true],
      [consoleOrigin, false],
    ]);
    const countAt = async (origin: string) => (await readConsoleProfile(world.deps, colleague, origin)).passkeys.count;
    expect([await countAt(consoleOrigin), await countAt(former), await countAt('https://new.example.com')]).toEqual([
      1, 1, 0,
    ]);
    const { excludeCredentials } = await createPasskeyOptions(world.deps, colleague, consoleOrigin);
    expect(excludeCredentials.map(({ id }) => id)).toEqual(['two']);
    await expect(answer('one', await newClientData())).rejects.toMatchObject(unusable);
  });

  test('is unusable where the deployment has lost the address of its own', async () => {
    await addPasskey('one');
    const deps: Deps = { ...world.deps, deployment: { kind: 'aws' } };
    expect(await listPasskeys(deps, colleague, consoleOrigin)).toMatchObject([{ is_usable: false }]);
    expect((await readConsoleProfile(deps, colleague, consoleOrigin)).passkeys).toMatchObject({
      available: false,
      count: 0,
    });
  });

  test('that was copied signs in once of two uses with the same count, at whichever step the other one comes', async () => {
    for (let step = 2; ; step++) {
      const id = `credential-${step}`;
      verifier.counter = 4;
      await addPasskey(id);
      verifier.counter = 5;
      const [first, second] = [await newClientData(), await newClientData()];
      const { table, hasRun } = interleavedTable(world.table, step, () => answer(id, first));
      const outcome = answer(id, second, { deps: world.withTable(table) });
      if (step > 4) {
        await outcome;
        expect(hasRun()).toBe(false);
        break;
      }
      await expect(outcome).rejects.toMatchObject(unusable);
    }
    expect(world.log.filter(({ message }) => message === 'passkey_cloned')).toHaveLength(3);
  });

  test.each([
    [0, 0, true],
    [0, 1, true],
    [1, 0, false],
    [3, 3, false],
    [3, 2, false],
    [3, 4, true],
  ])('whose stored count is %i signs in with the count %i: %s', async (stored, counter, works) => {
    verifier.counter = stored;
    await addPasskey('one');
    verifier.counter = counter;
    const signIn = answer('one', await newClientData());
    if (works) await signIn;
    else await expect(signIn).rejects.toMatchObject(unusable);
  });

  test('whose colleague is gone signs nobody in', async () => {
    await addPasskey('one');
    await world.table.write({ kind: 'delete', key: consoleKeys.colleague(world.account, colleague.colleagueId) });
    await expect(answer('one', await newClientData())).rejects.toMatchObject(unusable);
  });

  test('that is removed during a sign-in with it signs nobody in', async () => {
    const { id } = await addPasskey('one');
    const meanwhile = world.interruptedBy(() => removePasskey(world.deps, colleague, id));
    await expect(answer('one', await newClientData(), { deps: meanwhile })).rejects.toMatchObject(unusable);
    await expect(removePasskey(world.deps, colleague, id)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('of someone else cannot be removed', async () => {
    const { id } = await addPasskey('one');
    await expect(removePasskey(world.deps, await world.callerOf('owner'), id)).rejects.toMatchObject({
      code: 'not_found',
    });
    await answer('one', await newClientData());
  });
});

describe('passkeys', () => {
  test.each([
    ['https://daybook.example.com', 'local', undefined, true],
    ['https://daybook.example.com', 'aws', 'https://daybook.example.com', true],
    ['https://abc.execute-api.example.com', 'aws', undefined, false],
    ['http://localhost:8787', 'local', undefined, true],
    ['http://daybook.example.com', 'local', undefined, false],
    ['http://127.0.0.1:8787', 'local', undefined, false],
    ['http://[::1]:8787', 'local', undefined, false],
    ['https://203.0.113.7', 'local', undefined, false],
    ['https://[2001:db8::1]', 'local', undefined, false],
  ] as const)('at %s (%s, base URL %s) are available: %s', (origin, kind, baseUrl, available) => {
    const support = findPasskeySupport({ kind, ...(baseUrl === undefined ? {} : { baseUrl }) }, origin);
    expect([support.available, support.reason === null]).toEqual([available, available]);
  });

  test('are refused with the reason where they cannot be used, before anything is stored', async () => {
    const deps: Deps = { ...world.deps, deployment: { kind: 'aws' } };
    const origin = consoleOrigin;
    const refusal = { code: 'invalid_request', message: findPasskeySupport(deps.deployment, origin).reason };
    const rows = world.table.rows().length;
    await expect(createPasskeyOptions(deps, colleague, origin)).rejects.toMatchObject(refusal);
    await expect(createSignInOptions(deps, origin)).rejects.toMatchObject(refusal);
    await expect(register('one', clientDataFor('x'), { deps })).rejects.toMatchObject(refusal);
    await expect(answer('one', clientDataFor('x'), { deps })).rejects.toMatchObject(refusal);
    expect(world.table.rows()).toHaveLength(rows);
  });
});
