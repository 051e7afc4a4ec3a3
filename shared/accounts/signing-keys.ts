// The key pairs that sign user tokens: made when first needed, renewed every thirty days, kept until their last token has expired.
import { type CryptoKey, exportJWK, exportPKCS8, generateKeyPair, importJWK, importPKCS8 } from 'jose';
import { TransactionRefused } from '../platform/ports.ts';
import type { Deps } from '../system/deps.ts';
import { sortableText } from '../system/ids.ts';
import { PublicKey } from './issued-token.ts';
import { type SigningKeyRow, signingKeyRows } from './signing-key-rows.ts';

export const signingAlgorithm = 'ES256';
export const userTokenLifeMs = 3600 * 1000;
const renewAfterMs = 30 * 24 * 3600 * 1000;
/** How long a function may go on signing with a key that another one has replaced. */
const signerMemoryMs = 60 * 1000;
const retainedMs = userTokenLifeMs + signerMemoryMs + 60 * 1000;

type Needs = Pick<Deps, 'store' | 'keyring' | 'clock' | 'random'>;

/** A kid proves itself: one that this deployment did not make is refused without a look into the table. */
const kidProof = (deps: Needs, stem: string): string => deps.keyring.hash('signing-kid', stem).slice(0, 12);
function isOurKid(deps: Needs, kid: string): boolean {
  const [stem, proof, ...rest] = kid.split('.');
  return stem !== undefined && rest.length === 0 && proof === kidProof(deps, stem);
}

export async function rotateSigningKey(deps: Needs): Promise<SigningKeyRow> {
  const [newest] = await signingKeyRows(deps.store).newestFirst();
  return succeeding(deps, newest);
}

/** Refused when `previous` has a successor already. */
async function succeeding(deps: Needs, previous: SigningKeyRow | undefined): Promise<SigningKeyRow> {
  const now = deps.clock.now();
  const pair = await generateKeyPair(signingAlgorithm, { extractable: true });
  const stem = sortableText(now, deps.random.bytes(10));
  const kid = `${stem}.${kidProof(deps, stem)}`;
  const row: SigningKeyRow = {
    kid,
    publicJwk: JSON.stringify({ ...(await exportJWK(pair.publicKey)), kid, alg: signingAlgorithm, use: 'sig' }),
    sealedPrivateKey: deps.keyring.seal('signing-key', await exportPKCS8(pair.privateKey), kid),
    createdMs: now,
  };
  await deps.store.commit([
    signingKeyRows(deps.store).inserting(row),
    ...(previous ? [signingKeyRows(deps.store).expiring(previous.kid, Math.ceil((now + retainedMs) / 1000))] : []),
  ]);
  return row;
}

export async function currentSigningKey(deps: Needs): Promise<SigningKeyRow> {
  const [newest] = await signingKeyRows(deps.store).newestFirst();
  if (newest && deps.clock.now() - newest.createdMs < renewAfterMs) return newest;
  try {
    return await succeeding(deps, newest);
  } catch (error) {
    if (!(error instanceof TransactionRefused)) throw error;
    const [renewed] = await signingKeyRows(deps.store).newestFirst();
    if (!renewed || renewed.kid === newest?.kid) throw error;
    return renewed;
  }
}

/** The public halves of every key whose tokens may still be valid. */
export async function publicSigningKeys(deps: Needs): Promise<PublicKey[]> {
  const rows = await signingKeyRows(deps.store).newestFirst();
  const now = deps.clock.now();
  const stillNeeded = rows.filter((_row, index) => {
    const successor = rows[index - 1];
    return !successor || successor.createdMs + retainedMs > now;
  });
  return stillNeeded.map((row) => PublicKey.parse(JSON.parse(row.publicJwk)));
}

/** Holds the signing key in memory for a minute, so that issuing a token does not read it again. */
export function signingKeyCache(deps: Needs) {
  let held: { row: SigningKeyRow; key: CryptoKey; untilMs: number } | undefined;
  return async (): Promise<{ kid: string; key: CryptoKey }> => {
    if (!held || held.untilMs <= deps.clock.now()) {
      const row = await currentSigningKey(deps);
      const pem = deps.keyring.open('signing-key', row.sealedPrivateKey, row.kid);
      if (pem === undefined)
        throw new Error(`signing key ${row.kid} cannot be decrypted with this deployment's root secret`);
      held = { row, key: await importPKCS8(pem, signingAlgorithm), untilMs: deps.clock.now() + signerMemoryMs };
    }
    return { kid: held.row.kid, key: held.key };
  };
}

/** Public keys by kid, read once each. */
export function publicKeyCache(deps: Needs) {
  const held = new Map<string, CryptoKey>();
  return async (kid: string): Promise<CryptoKey | undefined> => {
    const known = held.get(kid);
    if (known) return known;
    if (!isOurKid(deps, kid)) return undefined;
    const row = await signingKeyRows(deps.store).byKid(kid);
    if (!row) return undefined;
    const key = await importJWK(JSON.parse(row.publicJwk), signingAlgorithm);
    if (key instanceof Uint8Array) return undefined;
    held.set(kid, key);
    return key;
  };
}
