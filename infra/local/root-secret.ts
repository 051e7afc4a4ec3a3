// The root secret of a local deployment, created once and stored next to the data that depends on
// it.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { EnvironmentVariables } from '../../shared/platform/aws/connection.ts';
import { settingNames } from '../../shared/platform/setting-names.ts';
import { readFileIfExists, writeFileAtomically } from './data-files.ts';

const secretBytes = 32;

export function ensureLocalRootSecret(dataDir: string, env: EnvironmentVariables): string {
  const configured = env[settingNames.secretValue];
  if (configured) return configured;
  if (dataDir === 'memory') return randomBytes(secretBytes).toString('hex');
  const path = join(dataDir, 'root-secret');
  const stored = readFileIfExists(path)?.trim();
  if (stored) return stored;
  const secret = randomBytes(secretBytes).toString('hex');
  writeFileAtomically(path, `${secret}\n`);
  return secret;
}
