// The root secret of a local deployment: made once and kept beside the data that depend on it.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { EnvironmentVariables } from '../../shared/platform/aws/connection.ts';
import { settingNames } from '../../shared/platform/settings.ts';
import { readFileIfThere, writeFileWhole } from './data-files.ts';

const secretBytes = 32;

export function localRootSecret(dataDir: string, env: EnvironmentVariables): string {
  const given = env[settingNames.secretValue];
  if (given) return given;
  if (dataDir === 'memory') return randomBytes(secretBytes).toString('hex');
  const path = join(dataDir, 'root-secret');
  const kept = readFileIfThere(path)?.trim();
  if (kept) return kept;
  const secret = randomBytes(secretBytes).toString('hex');
  writeFileWhole(path, `${secret}\n`);
  return secret;
}
