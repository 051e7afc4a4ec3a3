// The account that the first start creates, so that there is a key to try things with.
import { join } from 'node:path';
import * as z from 'zod';
import { createAccount, createKey, listKeys } from '../../shared/accounts/accounts.ts';
import { isApiKey, maskApiKey } from '../../shared/accounts/api-key.ts';
import type { Deps } from '../../shared/system/deps.ts';
import { Failure } from '../../shared/system/failure.ts';
import { readFileIfExists, writeFileAtomically } from './data-files.ts';

export const DemoFile = z.object({
  base_url: z.string(),
  account_id: z.string(),
  live_key: z.string(),
  sandbox_key: z.string(),
  /** The fictional person that the first start creates. It stays here when the person is erased. */
  sandbox_user: z.string().optional(),
});
export type DemoFile = z.infer<typeof DemoFile>;

export interface DemoAccount extends DemoFile {
  path: string;
  /** Environments whose key was replaced elsewhere. The file still has the old one. */
  replaced: ('live' | 'sandbox')[];
}

/**
 * Creates the account if there is none, replaces keys that have expired, and keeps the file up to
 * date.
 */
export async function ensureDemoAccount(deps: Deps, dataDir: string, baseUrl: string): Promise<DemoAccount> {
  const path = join(dataDir, 'demo.json');
  const text = readFileIfExists(path);
  const saved = text === undefined ? undefined : DemoFile.parse(JSON.parse(text));
  const current = saved && (await renewExpiredKeys(deps, saved));
  const { account_id, live_key, sandbox_key } = current ?? (await createAccount(deps, { name: 'Demo' }));
  const sandbox_user = current?.sandbox_user;
  const file: DemoFile = {
    base_url: baseUrl,
    account_id,
    live_key,
    sandbox_key,
    ...(sandbox_user === undefined ? {} : { sandbox_user }),
  };
  writeDemoFile(path, file);
  return { ...file, path, replaced: current?.replaced ?? [] };
}

export function recordDemoPerson({ path, replaced, ...file }: DemoAccount, sandbox_user: string): void {
  writeDemoFile(path, { ...file, sandbox_user });
}

const writeDemoFile = (path: string, file: DemoFile): void =>
  writeFileAtomically(path, `${JSON.stringify(file, null, 2)}\n`);

/**
 * Returns undefined when the account is not in the table: its data was deleted, but the file was
 * not.
 */
async function renewExpiredKeys(
  deps: Deps,
  saved: DemoFile,
): Promise<(DemoFile & Pick<DemoAccount, 'replaced'>) | undefined> {
  let keys: Awaited<ReturnType<typeof listKeys>>;
  try {
    keys = await listKeys(deps, saved.account_id);
  } catch (error) {
    if (error instanceof Failure && error.code === 'not_found') return undefined;
    throw error;
  }
  const current = { ...saved };
  const replaced: DemoAccount['replaced'] = [];
  for (const env of ['live', 'sandbox'] as const) {
    const working = keys.find((key) => key.env === env && key.status === 'active');
    // DAYBOOK_SECRET may have changed since, and keys of the old secret are rejected.
    const isAccepted = isApiKey(deps.keyring, saved[`${env}_key`]);
    if (!working || !isAccepted) current[`${env}_key`] = await createKey(deps, saved.account_id, env);
    else if (working.key !== maskApiKey(saved[`${env}_key`])) replaced.push(env);
  }
  return { ...current, replaced };
}
