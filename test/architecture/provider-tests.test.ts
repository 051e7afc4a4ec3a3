// Every cloud provider has tests of its own, in files that are named after its sources.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { type CloudProviderId, cloudProviderIds } from '../../shared/catalog/provider.ts';
import { providerDescriptors } from '../../shared/providers/catalog.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Returns the files that must exist for a provider. One of each group is enough. */
function requiredFiles(provider: CloudProviderId): string[][] {
  const folder = provider.replaceAll('_', '-');
  const tested = ['normalize', 'fetch', ...(providerDescriptors[provider].push ? ['push'] : [])];
  const journey = `test/journeys/providers/${folder}`;
  return [
    ...tested.map((source) => [`test/unit/providers/${folder}/${source}.test.ts`]),
    [`${journey}.deep.test.ts`, `${journey}.test.ts`],
  ];
}

test.each(cloudProviderIds)('%s has tests of what it reads, fetches and pushes, and a journey', (provider) => {
  const missing = requiredFiles(provider).filter((files) => !files.some((file) => existsSync(join(root, file))));
  expect(missing.map((files) => files.join(' or '))).toEqual([]);
});
