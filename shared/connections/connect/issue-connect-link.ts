// Issues the token of a connect link. The token carries what the link allows, and a row in the
// user's partition lets it be revoked.
import * as z from 'zod';
import { cloudProviderIds } from '../../catalog/provider.ts';
import { formatTimestamp } from '../../platform/time/time.ts';
import type { Deps } from '../../system/deps.ts';
import { madeCredentialRows } from '../../system/made-credential-rows.ts';
import { Maker } from '../../system/maker.ts';
import { newId } from '../../system/new-id.ts';
import { commitWhileShared } from '../../users/commit-while-shared.ts';
import type { UserRow } from '../../users/user-rows.ts';
import { type ConnectLink, connectLinkHours } from '../connection.ts';
import { connectLinkRows } from './connect-link-rows.ts';

const hourMs = 3_600_000;

const LinkContents = z.object({
  user: z.string(),
  expiresMs: z.number(),
  redirectUrl: z.string().nullable(),
  providers: z.array(z.enum(cloudProviderIds)).nullable(),
  id: z.string(),
  /** Null when no API key was involved. */
  keyHash: z.string().nullable(),
  /** Null when no colleague was involved. */
  maker: Maker.nullable(),
  /**
   * The user's sharing epoch when the link was created: the link ends when the user stops sharing.
   */
  sharingEpoch: z.number(),
});
type LinkContents = z.infer<typeof LinkContents>;

export async function issueConnectLink(
  deps: Deps,
  user: UserRow,
  options: Pick<LinkContents, 'redirectUrl' | 'providers' | 'keyHash' | 'maker'>,
  origin: string,
): Promise<ConnectLink> {
  const expiresMs = deps.clock.now() + connectLinkHours * hourMs;
  const id = newId(deps, 'connectLink');
  const { redirectUrl, providers, keyHash, maker } = options;
  const { sharingEpoch } = user;
  const contents: LinkContents = { user: user.id, expiresMs, redirectUrl, providers, id, keyHash, maker, sharingEpoch };
  const token = deps.keyring.seal('connect-link', JSON.stringify(contents), 'link');
  const makerWrites = madeCredentialRows(deps.store).buildForCaller(maker === null ? {} : { maker }, {
    kind: 'connect_link',
    id,
    user: user.id,
    env: user.env,
    expiresMs,
  });
  await commitWhileShared(
    deps,
    user,
    [connectLinkRows(deps.store).buildInsert(user.id, id, expiresMs, maker)],
    makerWrites,
  );
  return { id, url: `${origin}/connect/links/${token}`, expires_at: formatTimestamp(expiresMs) };
}

/** Returns undefined for any token that this deployment did not issue. */
export function openLinkToken({ keyring }: Pick<Deps, 'keyring'>, token: string): LinkContents | undefined {
  const text = keyring.open('connect-link', token, 'link');
  return text === undefined ? undefined : LinkContents.parse(JSON.parse(text));
}
