import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { personaNames } from '../../../functions/api/sandbox-provider/consent-page.ts';

test('the console describes the personas of the sandbox in the words of the consent page', () => {
  const path = new URL('../../../functions/api/console/web/words/en/sandbox.ts', import.meta.url);
  const [, list = ''] = /^const personas[^{]*\{\n(.*?)^\};/ms.exec(readFileSync(path, 'utf8')) ?? [];
  const words = [...list.matchAll(/^ {2}(\w+): '(.*)',$/gm)].map(([, persona = '', text = '']) => [persona, text]);
  expect(Object.fromEntries(words)).toEqual(personaNames);
});
