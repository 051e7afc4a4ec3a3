// Every cloud provider has tests of its own, in files that are named after its sources, and the
// README names every provider.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import {
  type CloudProviderId,
  cloudProviderIds,
  type ProviderId,
  sdkProviderIds,
} from '../../shared/catalog/provider.ts';
import { providerDescriptors } from '../../shared/providers/catalog.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Returns the files that must exist for a provider. One of each group is enough. */
function requiredFiles(provider: CloudProviderId): string[][] {
  const folder = provider.replaceAll('_', '-');
  const tested = ['normalize', 'fetch', 'grant', ...(providerDescriptors[provider].push ? ['push'] : [])];
  const journey = `test/journeys/providers/${folder}`;
  return [
    ...tested.map((source) => [`test/unit/providers/${folder}/${source}.test.ts`]),
    [`${journey}.deep.test.ts`, `${journey}.test.ts`],
  ];
}

test.each(cloudProviderIds)(
  '%s has tests of its grant and of what it reads, fetches and pushes, and a journey',
  (provider) => {
    const missing = requiredFiles(provider).filter((files) => !files.some((file) => existsSync(join(root, file))));
    expect(missing.map((files) => files.join(' or '))).toEqual([]);
  },
);

const readme = readFileSync(join(root, 'README.md'), 'utf8');

/** Returns the sentences of a section, up to the next heading of the same level. */
function sentencesUnder(heading: string): string[] {
  const [, section = ''] = readme.split(`\n## ${heading}\n`);
  return (section.split('\n## ')[0] ?? '').split(/\.\s/);
}

const missingIn = (sentence: string, providers: readonly ProviderId[]): string[] =>
  providers.map((provider) => providerDescriptors[provider].name).filter((name) => !sentence.includes(name));

test.each([
  { heading: 'Connecting providers', providers: cloudProviderIds },
  { heading: 'The Mobile SDK', providers: sdkProviderIds },
])('one sentence under "$heading" in the README names all of its providers', ({ heading, providers }) => {
  const [fewest] = sentencesUnder(heading)
    .map((sentence) => missingIn(sentence, providers))
    .sort((a, b) => a.length - b.length);
  expect(fewest).toEqual([]);
});
