// What a program can rely on: every closed set of the catalogs is an enum of both documents, and a
// value outside of it does not pass.
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { contract, form1Contract } from '../../../../../functions/api/reference/contract.ts';
import { categoryOrder, consolidationMethods } from '../../../../../shared/catalog/consolidation-catalog.ts';
import { categoryNames, metricTable, sampledScores } from '../../../../../shared/catalog/metric-table.ts';
import { metricIds } from '../../../../../shared/catalog/metrics.ts';
import { cloudProviderIds, providerIds, sdkProviderIds } from '../../../../../shared/catalog/provider.ts';
import { scoreIds } from '../../../../../shared/catalog/score-ids.ts';
import { scoreTable } from '../../../../../shared/catalog/score-table.ts';
import { workoutTypes } from '../../../../../shared/catalog/workout-types.ts';
import { consolidationCatalog } from '../../../../../shared/consolidation/catalog.ts';
import { EventType } from '../../../../../shared/events/event.ts';
import { isDocumented } from '../../../../../shared/http/endpoint.ts';
import { failureStatus, toWireCode } from '../../../../../shared/http/failure-status.ts';
import { failureText } from '../../../../../shared/http/failure-text.ts';
import { listFailureCodes, toErrorName } from '../../../../../shared/http/openapi-failures.ts';
import { nightVitals } from '../../../../../shared/reads/sleep/form-1-schema.ts';
import { failureCodes } from '../../../../../shared/system/failure.ts';
import { buildDocument } from '../../../../harness/build-document.ts';
import { createChecker } from '../../../../harness/openapi-checker.ts';

interface Schema {
  $ref?: string;
  enum?: string[];
  const?: unknown;
  properties?: Record<string, Schema>;
  propertyNames?: Schema;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  discriminator?: { propertyName: string; mapping: Record<string, string> };
}
interface Operation {
  operationId: string;
  parameters?: { name: string; schema: Schema; description: string }[];
  responses: Record<string, { content?: Record<string, { schema: Schema; examples?: Record<string, unknown> }> }>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: { requestBody: { content: Record<string, { schema: Schema }> } } }>;
  components: { schemas: Record<string, Schema> };
}

const build = (endpoints: typeof contract): Document => JSON.parse(JSON.stringify(buildDocument(endpoints)));

test('an error code with several causes describes each of them', () => {
  const description = JSON.stringify(build(contract).components.schemas['InvalidProviderError']);
  expect(description).toContain(failureText.invalid_provider.when);
  expect(description).toContain(failureText.unconnectable_provider.when);
});

const component = (name: string) => `#/components/schemas/${name}`;
const form2Scores = scoreTable.filter(({ inForm2 }) => inForm2).map(({ id }) => id);

const sharedSets: Record<string, readonly string[]> = {
  SampleId: [...metricIds, ...sampledScores.map(({ id }) => id)],
  MetricOrScoreId: [...metricIds, ...scoreIds],
  ScoreId: scoreIds,
  MetricCategory: Object.keys(categoryNames),
  MobileScope: Object.keys(categoryNames),
  ProviderId: providerIds,
  CloudProviderId: cloudProviderIds,
  SdkProviderId: sdkProviderIds,
  WorkoutTypeId: workoutTypes,
  ConsolidationMethod: consolidationMethods,
  ConsolidationCategory: categoryOrder,
  ConsolidationKey: consolidationCatalog.metrics.map(({ key }) => key),
  Unit: metricTable.flatMap(({ unit, imperialUnit }) => [unit, imperialUnit]).concat('score'),
  ScoreFactorName: scoreTable.flatMap(({ factors }) => factors.map(({ name }) => name)),
  EventType: EventType.options,
  ErrorCode: failureCodes.map(toWireCode),
};

/** The properties whose keys are a closed set, by schema. */
const sharedRecords = {
  'ConsolidationPatch metrics': 'ConsolidationKey',
  'ConsolidationPatch providers': 'ProviderId',
  'MetricConsolidationPatch providers': 'ProviderId',
};
const form2Records = {
  'Daily series': 'MetricId',
  'Daily units': 'MetricId',
  'Daily sources': 'MetricId',
  'ScoreColumns series': 'Form2ScoreId',
  'ScoreColumns latest': 'Form2ScoreId',
  'ScoreColumns status': 'Form2ScoreId',
  'ScoreColumns factors': 'Form2ScoreId',
  'ScoreColumns statuses': 'Form2ScoreId',
};
const form1Records = { 'CurrentScores status': 'ScoreId', 'FlatSleep vital_sources': 'NightVital' };

describe.each([
  {
    form: 2,
    endpoints: contract,
    sets: { ...sharedSets, MetricId: metricIds, Form2ScoreId: form2Scores },
    records: { ...sharedRecords, ...form2Records },
  },
  {
    form: 1,
    endpoints: form1Contract,
    sets: { ...sharedSets, NightVital: nightVitals },
    records: { ...sharedRecords, ...form1Records },
  },
])('in the document of Form $form', ({ endpoints, sets, records }) => {
  const document = build(endpoints);
  const { schemas } = document.components;
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema(document, 'doc');
  const isValid = (name: string, value: unknown) => ajv.validate(`doc${component(name)}`, value);
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));

  test.each(Object.entries(sets))('%s lists exactly the ids of the catalog', (name, ids) => {
    expect(new Set(schemas[name]?.enum)).toEqual(new Set(ids));
    expect(schemas[name]?.enum).toHaveLength(new Set(ids).size);
  });

  test('a value outside of a named set does not pass', () => {
    const named = Object.entries(schemas).filter(([, schema]) => schema.enum);
    expect(named.length).toBeGreaterThan(40);
    for (const [name, { enum: values = [] }] of named) {
      for (const value of values) expect([name, value, isValid(name, value)]).toEqual([name, value, true]);
      for (const value of [
        '',
        'no_such_value',
        ` ${values[0]}`,
        `${values[0]}s`,
        values[0]?.toUpperCase().concat('_'),
        null,
      ])
        expect([name, value, isValid(name, value)]).toEqual([name, value, false]);
    }
  });

  test('no set of values is written out twice', () => {
    const places = new Map<string, string[]>();
    const visit = (node: unknown, at: string): void => {
      if (typeof node !== 'object' || node === null) return;
      if ('enum' in node && Array.isArray(node.enum) && node.enum.length > 1)
        places.set(String(node.enum), [...(places.get(String(node.enum)) ?? []), at]);
      for (const [key, value] of Object.entries(node)) if (key !== 'examples') visit(value, `${at}/${key}`);
    };
    visit(schemas, '');
    visit(document.paths, '');
    const repeated = [...places.values()].filter((each) => each.length > 1);
    expect(repeated).toEqual([['/MetricCategory', '/MobileScope']]);
  });

  test.each(Object.entries(records))('the keys of %s are exactly the ids of %s', (place, name) => {
    const [schema = '', property = ''] = place.split(' ');
    const record = schemas[schema]?.properties?.[property];
    expect(record?.propertyNames).toEqual({ $ref: component(name) });
    expect(Object.keys(record?.properties ?? {})).toEqual(schemas[name]?.enum);
  });

  test('only the details of an error, a receipt and the documents themselves have any keys', () => {
    const open: string[] = [];
    const visit = (node: unknown, at: string): void => {
      if (typeof node !== 'object' || node === null) return;
      if ('additionalProperties' in node && typeof node.additionalProperties === 'object') open.push(at);
      for (const [key, value] of Object.entries(node)) if (key !== 'examples') visit(value, `${at}/${key}`);
    };
    visit(schemas, '');
    expect(open.sort()).toEqual(['/ErrorResponse/properties/details', '/UserDeletedEvent/properties/erased']);
  });

  test('an event is told apart by its type, in the feed and in a webhook', () => {
    const types = (name: string) => Object.keys(schemas[name]?.discriminator?.mapping ?? {});
    expect(types('Event')).toEqual(EventType.options);
    expect(types('WebhookEvent')).toEqual([...EventType.options, 'webhook.test']);
    for (const name of ['Event', 'WebhookEvent']) {
      const { discriminator, oneOf = [] } = schemas[name] ?? {};
      expect(discriminator?.propertyName).toBe('event_type');
      expect(oneOf.map(({ $ref }) => $ref)).toEqual(Object.values(discriminator?.mapping ?? {}));
      for (const [type, reference] of Object.entries(discriminator?.mapping ?? {}))
        expect(schemas[reference.split('/').at(-1) ?? '']?.properties?.['event_type']?.const).toBe(type);
    }
    expect(schemas['EventPage']?.properties?.['events']?.items).toEqual({ $ref: component('Event') });
    expect(document.webhooks['event']?.post.requestBody.content['application/json']?.schema).toEqual({
      $ref: component('WebhookEvent'),
    });
  });

  test('an event of an unknown type, or with the fields of another type, does not pass', () => {
    const event = {
      event_id: 'evt_01k9p3w8x9z1b3d5f7h9k1n3q5',
      event_type: 'score.updated',
      metrics: [],
      user_id: 'usr_01k9p3w0b1c3e5g7j9m1p3r5t7',
      device_id: null,
      timestamp: '2026-03-14T07:26:53.589Z',
      scores: ['sleep_score'],
      from_date: '2026-03-13',
      to_date: '2026-03-14',
    };
    expect(isValid('Event', event)).toBe(true);
    for (const change of [
      { event_type: 'score.created' },
      { event_type: 'data.updated' },
      { event_type: 'webhook.test' },
      { scores: ['step_score'] },
      { scores: undefined },
      { metrics: ['steps'] },
      { user_id: null },
    ])
      expect([change, isValid('Event', JSON.parse(JSON.stringify({ ...event, ...change })))]).toEqual([change, false]);
  });

  test('each error response allows exactly the codes that the operation can have with its status', () => {
    for (const endpoint of endpoints.filter(isDocumented)) {
      const operation = operations.find(({ operationId }) => operationId === endpoint.route.operationId);
      const expected = Map.groupBy(listFailureCodes(endpoint), (code) => String(failureStatus[code]));
      const failing = Object.entries(operation?.responses ?? {}).filter(([status]) => Number(status) >= 400);
      expect(failing.map(([status]) => status).sort()).toEqual([...expected.keys()].sort());
      for (const [status, { content }] of failing) {
        const { schema, examples = {} } = content?.['application/json'] ?? {};
        const codes = [...new Set(expected.get(status)?.map(toWireCode))];
        const references = (schema?.oneOf ?? [schema]).map((each) => each?.$ref);
        expect(references).toEqual(codes.map((code) => component(toErrorName(code))));
        expect(Object.keys(examples)).toEqual(codes);
      }
    }
  });

  test('an error with another code does not pass', () => {
    const errors = Object.keys(schemas).filter((name) => name.endsWith('Error'));
    expect(errors.length).toBeGreaterThan(25);
    for (const name of errors) {
      const passing = failureCodes
        .map(toWireCode)
        .filter((error) => isValid(name, { error, message: 'm', details: {} }));
      expect([...new Set(passing)].map(toErrorName)).toEqual([name]);
    }
    expect(isValid('ErrorResponse', { error: 'not_a_code', message: 'm', details: {} })).toBe(false);
  });

  test('a parameter with several ids names their set, because the ids are separated by commas', () => {
    const lists = operations.flatMap(({ parameters = [] }) =>
      parameters.filter(({ name, description }) => /^(?:types|metrics)$/.test(name) && /commas/.test(description)),
    );
    expect(lists.length).toBeGreaterThan(3);
    for (const { description, schema } of lists) {
      expect(schema).toEqual({ type: 'string' });
      const [, name = ''] = /\(`(\w+)`\)/.exec(description) ?? [];
      expect(schemas[name]?.enum?.length, description).toBeGreaterThan(4);
    }
  });
});

describe('the check of every response in a test', () => {
  const check = createChecker(build(contract));
  const user = '/v1/users/usr_01k9p3w0b1c3e5g7j9m1p3r5t7';
  const headers = new Headers({
    'content-type': 'application/json',
    'x-request-id': 'r',
    ratelimit: 'r',
    'ratelimit-policy': 'p',
  });
  const respond = (path: string, status: number, body: object) => () =>
    check('GET', path, { status, headers, body, text: JSON.stringify(body) });
  const range = { from_date: '2026-03-14', to_date: '2026-03-14', dates: ['2026-03-14'] };
  const failure = (error: string) => ({ error, message: 'A message.', details: {} });

  test('passes what the sets contain', () => {
    expect(
      respond(`${user}/daily`, 200, { ...range, series: { steps: [1] }, units: { steps: 'count' } }),
    ).not.toThrow();
    expect(respond(user, 404, failure('not_found'))).not.toThrow();
    expect(respond('/v1/nowhere', 404, failure('not_found'))).not.toThrow();
  });

  test.each([
    ['a metric', `${user}/daily`, 200, { ...range, series: { step: [1] } }],
    ['a unit', `${user}/daily`, 200, { ...range, series: { steps: [1] }, units: { steps: 'steps' } }],
    ['a code of another operation', user, 404, failure('workout_not_found')],
    ['a code of another status', user, 404, failure('invalid_token')],
    ['a code where there is no operation', '/v1/nowhere', 404, failure('lost')],
  ])('rejects %s outside of its set', (_what, path, status, body) => {
    expect(respond(path, status, body)).toThrow(/does not match its schema/);
  });
});

test('every code has a sentence on when it happens, one on what to do, and an example that begins with a capital or with a name of its details', () => {
  for (const code of failureCodes) {
    const { when, todo, example, details = {} } = failureText[code];
    for (const text of [when, todo, example]) expect(text).toMatch(/^[A-Za-z`].*\.$/s);
    for (const text of [when, todo]) expect(text).toMatch(/^[A-Z`]/);
    const [firstWord = ''] = example.split(' ');
    if (/^[a-z]/.test(firstWord)) expect(JSON.stringify(details).split('"')).toContain(firstWord);
  }
});
