// The index that the reference searches in: calls, their parameters and fields, error codes, event
// types and the guides with their headings.
import { EventType } from '../../../shared/events/event.ts';
import { eventTexts } from '../../../shared/events/event-texts.ts';
import { failureStatus, toWireCode } from '../../../shared/http/failure-status.ts';
import { failureText } from '../../../shared/http/failure-text.ts';
import type { ApiForm } from '../../../shared/system/caller.ts';
import { failureCodes } from '../../../shared/system/failure.ts';
import { docsPages } from '../docs-kit/docs-page.ts';
import { commonWords } from './browser/common-words.ts';
import type { SearchEntry, SearchIndex } from './browser/search-entry.ts';
import { readReferenceAsset } from './build-reference-page.ts';
import {
  groupAddress,
  listGroups,
  type ReferenceDocument,
  type ReferenceOperation,
  readDocument,
} from './reference-groups.ts';
import { searchWords } from './search-words.ts';

export type { SearchIndex } from './browser/search-entry.ts';

export function buildSearchIndex(form: ApiForm): SearchIndex {
  const document = readDocument(form);
  const calls = listGroups(form).flatMap(({ slug, operations }) =>
    operations.map((operation) => ({ operation, address: `${groupAddress(form, slug)}#${operation.operationId}` })),
  );
  const namedSchemas = new Set<string>();
  const entries: SearchEntry[] = [
    ...calls.map(
      ({ operation: { method, path, summary, operationId }, address }): SearchEntry => [
        'call',
        summary,
        `${method.toUpperCase()} ${path}`,
        address,
        searchWords[operationId] ?? '',
      ],
    ),
    ...listGuides(),
    ...listErrors(),
    ...EventType.options.map(
      (type): SearchEntry => ['event', type, toPlainText(eventTexts[type]), `docs/webhooks#${type}`],
    ),
    ...calls.flatMap(({ operation: { parameters, summary }, address }) =>
      parameters.map(({ name }): SearchEntry => ['parameter', name, summary, address]),
    ),
    ...calls.flatMap(({ operation, address }) =>
      listFields(document, operation, namedSchemas).map(
        ([owner, name]): SearchEntry => ['field', name, owner, address],
      ),
    ),
  ];
  return { entries: [...new Map(entries.map((entry) => [JSON.stringify(entry), entry])).values()].map(toTuple) };
}

/** Most entries need no further words. */
const toTuple = ([kind, title, detail, address, words = '']: SearchEntry): SearchIndex['entries'][number] => [
  ...([kind, title, detail, address] as const),
  ...(words === '' ? [] : [words]),
];

const toPlainText = (text: string): string => text.replaceAll('`', '');

function listErrors(): SearchEntry[] {
  return failureCodes.map((code) => [
    'error',
    toWireCode(code),
    `${failureStatus[code]}. ${toPlainText(failureText[code].when)}`,
    `docs/errors#${toWireCode(code)}`,
  ]);
}

/**
 * The guides whose headings are in a file of their own, which is in `docs-kit` because this index
 * reads it too; the other pages are found by their name.
 */
const guideFiles: Readonly<Record<string, string>> = {
  '/docs/quickstart': 'quickstart.html',
  '/docs/scores': 'scores.html',
  '/docs/webhooks': 'webhooks.html',
  '/docs/security': 'security.html',
  '/docs/data-protection': 'data-protection.html',
  '/docs/erasure': 'erasure.html',
};

const listGuides = (): SearchEntry[] =>
  docsPages.flatMap(({ path, name, summary }): SearchEntry[] => {
    const address = path.slice(1);
    const file = guideFiles[path];
    const [intro = '', ...sections] = file === undefined ? [] : readReferenceAsset(file).split(/(?=<h2 id=")/);
    return [
      ['guide', name, summary, address, listWords(intro, searchWords[address], `${name} ${summary}`)],
      ...sections.flatMap((section): SearchEntry[] => {
        const [, id = '', text] = /^<h2 id="([\w-]+)">([^<{]+)<\/h2>/.exec(section) ?? [];
        const target = `${address}#${id}`;
        return text === undefined
          ? []
          : [['guide', text, name, target, listWords(section, searchWords[target], `${text} ${name}`)]];
      }),
    ];
  });

/**
 * Each word of a text once, without those that are in every text. A reader's word finds any word that
 * it begins, so words that begin a longer one are left out, and those that are in what is shown anyway.
 */
function listWords(html: string, more = '', shown = ''): string {
  const text = html.replace(/<[^>]*>|\{\{\w+\}\}|&\w+;/g, ' ').toLowerCase();
  const words = (text.match(/[a-z][a-z0-9_-]{2,}/g) ?? []).filter(
    (word) => !(commonWords.has(word) || shown.toLowerCase().includes(word)),
  );
  const sorted = [...new Set([...words, ...more.split(' ')])].sort();
  return sorted.filter((word, at) => !sorted[at + 1]?.startsWith(word)).join(' ');
}

type Field = [owner: string, name: string];

/** Each named schema counts once, for the first call that has it. */
function listFields(document: ReferenceDocument, operation: ReferenceOperation, namedSchemas: Set<string>): Field[] {
  const fields: Field[] = [];
  const visit = (node: unknown, owner: string): void => {
    if (Array.isArray(node)) {
      for (const item of node) visit(item, owner);
      return;
    }
    if (!isRecord(node)) return;
    const name = typeof node['$ref'] === 'string' ? schemaName(node['$ref']) : undefined;
    if (name !== undefined) {
      if (namedSchemas.has(name)) return;
      namedSchemas.add(name);
      visit(document.components.schemas[name], name);
      return;
    }
    if (isRecord(node['properties']))
      for (const [property, schema] of Object.entries(node['properties'])) {
        fields.push([owner, property]);
        visit(schema, owner);
      }
    for (const key of ['items', 'prefixItems', 'anyOf', 'oneOf', 'allOf', 'additionalProperties', 'schema', 'content'])
      visit(key === 'content' && isRecord(node[key]) ? Object.values(node[key]) : node[key], owner);
  };
  const successes = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
  visit([operation.requestBody, ...successes.map(([, response]) => response)], operation.summary);
  return fields;
}

const isRecord = (node: unknown): node is Record<string, unknown> =>
  typeof node === 'object' && node !== null && !Array.isArray(node);

const schemaName = (reference: string): string | undefined => /^#\/components\/schemas\/(.+)$/.exec(reference)?.[1];
