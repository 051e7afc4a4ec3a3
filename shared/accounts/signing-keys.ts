// The key pairs that sign user tokens: created on first use, rotated every 30 days, and retained
// until their last token has expired.
import { type CryptoKey, exportJWK, exportPKCS8, generateKeyPair, importJWK, importPKCS8 } from 'jose';
import { TransactionCanceled } from '../platform/ports.ts';
import type { Deps } from '../system/deps.ts';
import { encodeSortableId } from '../system/ids.ts';
import { PublicKey } from './issued-token.ts';
import { type SigningKeyRow, signingKeyRows } from './signing-key-rows.ts';
import { userTokenLifetimeMs } from './token-issuer.ts';

export const signingAlgorithm = 'ES256';
const rotateAfterMs = 30 * 24 * 3600 * 1000;
/** How long a function may keep signing with a key that another function has replaced. */
const signerCacheMs = 60 * 1000;
const signingKeyRetentionMs = userTokenLifetimeMs + signerCacheMs + 60 * 1000;

type SigningKeyDeps = Pick<Deps, 'store' | 'keyring' | 'clock' | 'random'>;

/**
 * A kid includes a proof, so one that this deployment did not create is rejected without a read.
 */
const kidProof = (deps: SigningKeyDeps, stem: string): string => deps.keyring.hash('signing-kid', stem).slice(0, 12);
function isOwnKid(deps: SigningKeyDeps, kid: string): boolean {
  const [stem, proof, ...rest] = kid.split('.');
  return stem !== undefined && rest.length === 0 && proof === kidProof(deps, stem);
}

export async function rotateSigningKey(deps: SigningKeyDeps): Promise<SigningKeyRow> {
  const [newest] = await signingKeyRows(deps.store).listNewestFirst();
  return createSuccessor(deps, newest);
}

/** Fails if `previous` already has a successor. */
async function createSuccessor(deps: SigningKeyDeps, previous: SigningKeyRow | undefined): Promise<SigningKeyRow> {
  const now = deps.clock.now();
  const pair = await generateKeyPair(signingAlgorithm, { extractable: true });
  const stem = encodeSortableId(now, deps.random.bytes(10));
  const kid = `${stem}.${kidProof(deps, stem)}`;
  const row: SigningKeyRow = {
    kid,
    publicJwk: JSON.stringify({ ...(await exportJWK(pair.publicKey)), kid, alg: signingAlgorithm, use: 'sig' }),
    sealedPrivateKey: deps.keyring.seal('signing-key', await exportPKCS8(pair.privateKey), kid),
    createdMs: now,
  };
  await deps.store.commit([
    signingKeyRows(deps.store).buildInsert(row),
    ...(previous
      ? [signingKeyRows(deps.store).buildExpire(previous.kid, Math.ceil((now + signingKeyRetentionMs) / 1000))]
      : []),
  ]);
  return row;
}

export async function currentSigningKey(deps: SigningKeyDeps): Promise<SigningKeyRow> {
  const [newest] = await signingKeyRows(deps.store).listNewestFirst();
  if (newest && deps.clock.now() - newest.createdMs < rotateAfterMs) return newest;
  try {
    return await createSuccessor(deps, newest);
  } catch (error) {
    if (!(error instanceof TransactionCanceled)) throw error;
    const [renewed] = await signingKeyRows(deps.store).listNewestFirst();
    if (!renewed || renewed.kid === newest?.kid) throw error;
    return renewed;
  }
}

/** The public keys of every key pair whose tokens may still be valid. */
export async function publicSigningKeys(deps: SigningKeyDeps): Promise<PublicKey[]> {
  const rows = await signingKeyRows(deps.store).listNewestFirst();
  const now = deps.clock.now();
  const stillNeeded = rows.filter((_row, index) => {
    const successor = rows[index - 1];
    return !successor || successor.createdMs + signingKeyRetentionMs > now;
  });
  return stillNeeded.map((row) => PublicKey.parse(JSON.parse(row.publicJwk)));
}

/**
 * Caches the signing key in memory for a minute, so that issuing a token does not read it again.
 */
export function createSigningKeyCache(deps: SigningKeyDeps) {
  let cached: { row: SigningKeyRow; key: CryptoKey; untilMs: number } | undefined;
  return async (): Promise<{ kid: string; key: CryptoKey }> => {
    if (!cached || cached.untilMs <= deps.clock.now()) {
      const row = await currentSigningKey(deps);
      const pem = deps.keyring.open('signing-key', row.sealedPrivateKey, row.kid);
      if (pem === undefined)
        throw new Error(`signing key ${row.kid} cannot be decrypted with this deployment's root secret`);
      cached = { row, key: await importPKCS8(pem, signingAlgorithm), untilMs: deps.clock.now() + signerCacheMs };
    }
    return { kid: cached.row.kid, key: cached.key };
  };
}

/** Caches public keys by kid, so that each is read once. */
export function createPublicKeyCache(deps: SigningKeyDeps) {
  const cached = new Map<string, CryptoKey>();
  return async (kid: string): Promise<CryptoKey | undefined> => {
    const known = cached.get(kid);
    if (known) return known;
    if (!isOwnKid(deps, kid)) return undefined;
    const row = await signingKeyRows(deps.store).findByKid(kid);
    if (!row) return undefined;
    const key = await importJWK(JSON.parse(row.publicJwk), signingAlgorithm);
    if (key instanceof Uint8Array) return undefined;
    cached.set(kid, key);
    return key;
  };
}
