import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { contract } from '../../../../../functions/api/reference/contract.ts';

const readme = readFileSync(new URL('../../../../../README.md', import.meta.url), 'utf8');
const [, section = ''] = /^## What it does\n([\s\S]*?)^### /m.exec(readme) ?? [];

/** A path is named by its last fixed segment: rows of the table leave out what they have in common. */
const lastSegment = (path: string): string => path.split('/').findLast((part) => !part.startsWith('{')) ?? '';

test('the README names every call except those of the simulated providers', () => {
  const paths = contract.map(({ route }) => route.path).filter((path) => !path.startsWith('/sandbox/'));
  expect(paths.length).toBeGreaterThan(50);
  expect(paths.filter((path) => !new RegExp(`/${lastSegment(path)}\\b`).test(section))).toEqual([]);
});
