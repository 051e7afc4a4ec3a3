import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const folder = fileURLToPath(new URL('../../../functions/api/console/web/styles', import.meta.url));

/** The classes that a rule names alone, or with a state: `.facts` and `.facts:hover`, not `.facts dt`. */
function listDefinedClasses(css: string): string[] {
  const selectors = css.replace(/\/\*[\s\S]*?\*\//g, '').matchAll(/([^{}]+)\{/g);
  return [...selectors]
    .flatMap(([, selector = '']) => selector.split(','))
    .flatMap((selector) => /^\s*\.([\w-]+)[^\s>+~]*\s*$/.exec(selector)?.[1] ?? []);
}

test('a CSS class is defined in one file only', () => {
  const files = readdirSync(folder).filter((name) => name.endsWith('.css'));
  const filesOfClass = new Map<string, Set<string>>();
  for (const file of files)
    for (const name of listDefinedClasses(readFileSync(join(folder, file), 'utf8')))
      filesOfClass.set(name, (filesOfClass.get(name) ?? new Set()).add(file));
  expect(filesOfClass.size).toBeGreaterThan(50);
  const collisions = [...filesOfClass].filter(([, names]) => names.size > 1);
  expect(collisions.map(([name, names]) => `.${name}: ${[...names].join(', ')}`)).toEqual([]);
});
