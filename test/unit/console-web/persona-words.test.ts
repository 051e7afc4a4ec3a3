import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** The entries of a constant whose values are texts. */
function readTexts(file: string, constant: string): Record<string, string> {
  const source = readFileSync(new URL(`../../../functions/api/${file}`, import.meta.url), 'utf8');
  const [, list = ''] = new RegExp(`^const ${constant}\\b[^{]*\\{\\n(.*?)^\\};`, 'ms').exec(source) ?? [];
  return Object.fromEntries([...list.matchAll(/^ {2}(\w+): '(.*)',$/gm)].map(([, id = '', text = '']) => [id, text]));
}

test('the console describes the personas of the sandbox in the words of the consent page', () => {
  const offered = readTexts('sandbox-provider/consent-page.ts', 'personaNames');
  expect(Object.keys(offered).length).toBeGreaterThan(10);
  expect(readTexts('console/web/words/en/sandbox.ts', 'personas')).toEqual(offered);
});
