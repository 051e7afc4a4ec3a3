import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { renderScoresPage } from '../../../../../functions/api/guides/scores-page.ts';
import { contract, tags } from '../../../../../functions/api/reference/contract.ts';
import { formulaName, scoreTable } from '../../../../../shared/catalog/score-table.ts';
import { buildOpenApiDocument } from '../../../../../shared/http/openapi.ts';

const servedNames = scoreTable.map(({ id, version }) => formulaName(id, version));
const readSource = (name: string): string => readFileSync(new URL(`../../../../../${name}`, import.meta.url), 'utf8');
const facts = { version: '1', serverUrl: 'https://api.example.com', description: 'A description.', tags };

test.each([
  ['the README', readSource('README.md')],
  ['the OpenAPI document', JSON.stringify(buildOpenApiDocument(contract, facts))],
  ['the scores page', renderScoresPage().html],
])('%s names formulas, and only those that are served', (_, text) => {
  const named = [...text.matchAll(/\b[a-z][a-z_]*@\d+\b/g)].map(([name]) => name);
  expect(named.length).toBeGreaterThan(0);
  expect(servedNames).toEqual(expect.arrayContaining(named));
});
