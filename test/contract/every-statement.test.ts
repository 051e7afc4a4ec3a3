import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { numberOf, statements, untested } from './statements.ts';

/** The titles of the numbered cases, in file order. */
const titles = readdirSync(import.meta.dirname)
  .filter((name) => /^\d\d-.*\.test\.ts$/.test(name))
  .sort()
  .flatMap((name) => [...readFileSync(path.join(import.meta.dirname, name), 'utf8').matchAll(/^it\((['"])(.*?)\1, /gm)])
  .map(([, , title = '']) => title);

it('every statement of the contract has one case or a reason why it has none, in the order of the contract', () => {
  const tried = statements.filter((statement) => untested[numberOf(statement)] === undefined);
  expect(titles).toEqual(tried);
  expect(new Set(statements.map(numberOf)).size).toBe(statements.length);
});

it('only statements of the contract are left untried', () => {
  expect(statements.map(numberOf)).toEqual(expect.arrayContaining(Object.keys(untested)));
});

it('the numbers run from 1 to 286', () => {
  const unlettered = statements.map(numberOf).filter((number) => /^\d+$/.test(number));
  expect(unlettered).toEqual(Array.from({ length: 286 }, (_none, at) => String(at + 1)));
});
