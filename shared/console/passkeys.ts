// Passkeys of colleagues: register, sign in, list, remove. A challenge works once, whether its answer
// is right or wrong.
import { optimisticRetry } from '../platform/optimistic-retry.ts';
import { formatTimestamp } from '../platform/time/time.ts';
import type { Deps } from '../system/deps.ts';
import { Failure } from '../system/failure.ts';
import { newId } from '../system/new-id.ts';
import { type ColleagueCaller, sessionEnded } from './admit-session.ts';
import { colleagueRetryPolicy, colleagueRows } from './colleague-rows.ts';
import { getColleague } from './colleagues.ts';
import { type OpenedConsoleSession, openConsoleSession, type SignIn } from './open-console-session.ts';
import type { NewPasskey, Passkey, PasskeyAssertion, PasskeyOptions, PasskeySignInOptions } from './passkey.ts';
import { ChallengeRow, type PasskeyRow, passkeyRows } from './passkey-rows.ts';
import { findPasskeySupport, isUsableAt } from './passkey-support.ts';

const challengeMs = 300_000;
export const maxPasskeys = 10;
/** EdDSA, ES256 and RS256: every authenticator has one of them. */
export const passkeyAlgorithms = [-8, -7, -257];

/** What an answer must belong to. */
export interface PasskeyDemands {
  challenge: string;
  rpId: string;
  origin: string;
}

/** Verifies answers with a library that only the sign-in function contains. */
export interface PasskeyVerifier {
  /** Undefined if the answer is not genuine. */
  verifyCreated(
    created: NewPasskey['credential'],
    demands: PasskeyDemands,
  ): Promise<Pick<PasskeyRow, 'credentialId' | 'publicKey' | 'counter'> | undefined>;
  verifyAssertion(
    assertion: PasskeyAssertion,
    passkey: PasskeyRow,
    demands: PasskeyDemands,
  ): Promise<Pick<PasskeyRow, 'counter'> | undefined>;
}

export async function createPasskeyOptions(
  deps: Deps,
  { account, colleagueId }: ColleagueCaller,
  origin: string,
): Promise<PasskeyOptions> {
  const rpId = requireSupport(deps, origin);
  const { id, email, name, passkeys } = await getColleague(deps, account, colleagueId);
  const known = await passkeyRows(deps.store).listByHash(passkeys.map(({ hash }) => hash));
  // An authenticator with a passkey that does not work here can create one that does.
  const usable = known.filter((each) => isUsableAt(deps.deployment, each, origin));
  return {
    challenge: await issueChallenge(deps, id),
    rp: { name: 'Daybook', id: rpId },
    user: { id: Buffer.from(id).toString('base64url'), name: email, displayName: name ?? email },
    pubKeyCredParams: passkeyAlgorithms.map((alg) => ({ type: 'public-key', alg })),
    timeout: challengeMs,
    attestation: 'none',
    excludeCredentials: usable.map(({ credentialId }) => ({ id: credentialId, type: 'public-key' })),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  };
}

export async function createSignInOptions(deps: Deps, origin: string): Promise<PasskeySignInOptions> {
  const rpId = requireSupport(deps, origin);
  const challenge = await issueChallenge(deps, null);
  return { challenge, rpId, timeout: challengeMs, userVerification: 'required', allowCredentials: [] };
}

export async function registerPasskey(
  deps: Deps,
  { account, colleagueId, sessionId }: ColleagueCaller,
  { name = null, credential }: NewPasskey,
  origin: string,
  verifier: PasskeyVerifier,
): Promise<Passkey> {
  const rpId = requireSupport(deps, origin);
  const challenge = await useChallenge(deps, credential.response.clientDataJSON, colleagueId);
  const verified = await verifier.verifyCreated(credential, { challenge, rpId, origin });
  if (!verified) throw unusablePasskey();
  const row: PasskeyRow = {
    id: newId(deps, 'passkey'),
    hash: hashCredential(deps, verified.credentialId),
    account,
    colleague: colleagueId,
    ...verified,
    ...{ origin, name },
    createdMs: deps.clock.now(),
    lastUsedMs: null,
  };
  await optimisticRetry(colleagueRetryPolicy, async () => {
    const before = await getColleague(deps, account, colleagueId);
    // An owner may have ended every access of this colleague since the request was admitted.
    if (!before.sessions.some(({ id }) => id === sessionId)) throw sessionEnded();
    if (before.passkeys.length >= maxPasskeys)
      throw new Failure('limit_reached', `You already have ${maxPasskeys} passkeys. Remove one first.`, {
        details: { limit: maxPasskeys },
      });
    if (await passkeyRows(deps.store).find(row.hash)) throw unusablePasskey();
    const passkeys = [...before.passkeys, { id: row.id, hash: row.hash }];
    await deps.store.commit([
      passkeyRows(deps.store).buildInsert(row),
      colleagueRows(deps.store).buildUpdate(before, { ...before, passkeys }),
    ]);
  });
  return presentPasskey(deps, row, origin);
}

/** `previousHash` is the session that the browser still has. */
export async function signInWithPasskey(
  deps: Deps,
  assertion: PasskeyAssertion,
  origin: string,
  { verifier, previousHash, request }: Pick<SignIn, 'previousHash' | 'request'> & { verifier: PasskeyVerifier },
): Promise<OpenedConsoleSession> {
  const rpId = requireSupport(deps, origin);
  const challenge = await useChallenge(deps, assertion.response.clientDataJSON, null);
  return optimisticRetry(colleagueRetryPolicy, async () => {
    const passkey = await passkeyRows(deps.store).find(hashCredential(deps, assertion.id));
    if (!passkey || !isUsableAt(deps.deployment, passkey, origin)) throw unusablePasskey();
    const verified = await verifier.verifyAssertion(assertion, passkey, { challenge, rpId, origin });
    if (!verified) throw unusablePasskey();
    const { counter } = verified;
    // A counter that does not increase belongs to a copy of the passkey.
    if (counter <= passkey.counter && (counter > 0 || passkey.counter > 0)) {
      deps.log('warn', 'passkey_cloned', { account_id: passkey.account });
      throw unusablePasskey();
    }
    const colleague = await colleagueRows(deps.store).find(passkey.account, passkey.colleague);
    if (!colleague) throw unusablePasskey();
    return openConsoleSession(deps, colleague, {
      method: 'passkey',
      ...{ previousHash, request },
      writes: [passkeyRows(deps.store).buildUse(passkey, counter, deps.clock.now())],
    });
  });
}

/** `origin` is the URL at which the caller reached the service. */
export async function listPasskeys(
  deps: Deps,
  { account, colleagueId }: ColleagueCaller,
  origin: string,
): Promise<Passkey[]> {
  const { passkeys } = await getColleague(deps, account, colleagueId);
  const rows = await passkeyRows(deps.store).listByHash(passkeys.map(({ hash }) => hash));
  return rows.sort((a, b) => (a.id < b.id ? -1 : 1)).map((row) => presentPasskey(deps, row, origin));
}

export async function removePasskey(deps: Deps, { account, colleagueId }: ColleagueCaller, id: string): Promise<void> {
  await optimisticRetry(colleagueRetryPolicy, async () => {
    const before = await getColleague(deps, account, colleagueId);
    const removed = before.passkeys.find((each) => each.id === id);
    if (!removed) throw new Failure('not_found', `Passkey ${id.slice(0, 64)} not found.`);
    const passkeys = before.passkeys.filter((each) => each !== removed);
    await deps.store.commit([
      colleagueRows(deps.store).buildUpdate(before, { ...before, passkeys }),
      passkeyRows(deps.store).buildDelete(removed.hash),
    ]);
  });
}

const presentPasskey = ({ deployment }: Pick<Deps, 'deployment'>, row: PasskeyRow, origin: string): Passkey => ({
  id: row.id,
  name: row.name,
  origin: row.origin,
  is_usable: isUsableAt(deployment, row, origin),
  created_at: formatTimestamp(row.createdMs),
  last_used_at: row.lastUsedMs === null ? null : formatTimestamp(row.lastUsedMs),
});

/** Returns the domain that passkeys belong to here. */
function requireSupport({ deployment }: Pick<Deps, 'deployment'>, origin: string): string {
  const { reason } = findPasskeySupport(deployment, origin);
  if (reason !== null) throw new Failure('invalid_request', reason);
  return new URL(origin).hostname;
}

const hashCredential = ({ keyring }: Pick<Deps, 'keyring'>, credentialId: string): string =>
  keyring.hash('passkey', credentialId);
const hashChallenge = ({ keyring }: Pick<Deps, 'keyring'>, challenge: string): string =>
  keyring.hash('passkey-challenge', challenge);

async function issueChallenge(deps: Deps, colleague: string | null): Promise<string> {
  const challenge = Buffer.from(deps.random.bytes(32)).toString('base64url');
  const expiresMs = deps.clock.now() + challengeMs;
  const row = { hash: hashChallenge(deps, challenge), colleague, expiresMs };
  await deps.store.table.write(passkeyRows(deps.store).buildInsertChallenge(row));
  return challenge;
}

/** Uses up the challenge that the answer names, which must have been issued for the same purpose. */
async function useChallenge(deps: Deps, clientData: string, colleague: string | null): Promise<string> {
  const challenge = readChallenge(clientData);
  if (challenge === undefined) throw unusablePasskey();
  const item = await deps.store.table.write(passkeyRows(deps.store).buildUseChallenge(hashChallenge(deps, challenge)));
  if (!item) throw unusablePasskey();
  const row = ChallengeRow.parse(item);
  // Checked here, because the table deletes expired rows late.
  if (row.expiresMs <= deps.clock.now() || row.colleague !== colleague) throw unusablePasskey();
  return challenge;
}

/** The rest of the client data is verified with the signature. */
function readChallenge(clientData: string): string | undefined {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientData, 'base64url').toString('utf8'));
    return typeof challenge === 'string' ? challenge : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
}

/** The same for every reason. */
const unusablePasskey = (): Failure =>
  new Failure('invalid_token', 'This passkey could not be verified. Try again, or sign in with a link.');
