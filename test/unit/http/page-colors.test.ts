import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { pageStyles } from '../../../shared/http/page-styles.ts';

const readTokens = (styles: string): Map<string, string> =>
  new Map(
    [...styles.matchAll(/^\s*(--[\w-]+):\s*([^;]+);/gm)].map(([, name = '', value = '']) => [
      name,
      value.replaceAll(/\s+/g, ' ').trim(),
    ]),
  );

test('the pages for end users have the colours and fonts of the documentation and the console', () => {
  const path = new URL('../../../functions/api/docs-kit/assets/tokens.css', import.meta.url);
  const documented = readTokens(readFileSync(path, 'utf8'));
  const own = readTokens(pageStyles);
  expect(own.size).toBeGreaterThan(10);
  expect(Object.fromEntries(own)).toEqual(
    Object.fromEntries([...own.keys()].map((name) => [name, documented.get(name)])),
  );
});
