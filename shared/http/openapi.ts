// Makes the OpenAPI 3.1 document from the routes: schemas from zod, examples composed from the leaves, failures from their codes.
import * as z from 'zod';
import type { FailureCode } from '../model/failure.ts';
import { failureStatus } from './failure-status.ts';
import { exampleOf, type JsonSchema } from './openapi-example.ts';
import { failureExample, failureMeaning } from './openapi-failures.ts';
import type { Answer, Route } from './route.ts';

type Json = Record<string, unknown>;

export const ErrorBody = z
  .object({
    error: z.string().meta({ description: 'A code for programs.', examples: ['invalid_request'] }),
    message: z.string().meta({ description: 'A sentence for people.', examples: ['A query parameter is invalid.'] }),
    details: z.record(z.string(), z.unknown()).meta({
      description: 'What the code needs explained; empty when there is nothing to add.',
      examples: [{}],
    }),
  })
  .meta({ id: 'Error', description: 'The body of every failure.' });

export interface DocumentFacts {
  version: string;
  serverUrl: string;
  description: string;
  tags: { name: string; description: string }[];
}

export function openApiDocument(routes: readonly Route[], facts: DocumentFacts): Json {
  const components: Record<string, JsonSchema> = {};
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method]: operation(route, components) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Daybook',
      version: facts.version,
      summary: 'One trustworthy value per metric, per day, per person.',
      description: facts.description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: facts.serverUrl, description: 'This deployment' }],
    tags: facts.tags,
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: {
        api_key: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API key, `sk_live_…` or `sk_sandbox_…`: the whole environment, every operation. 90 days, rotatable.',
        },
        user_token: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'A user token: reads one user for one hour.',
        },
        sdk_session: {
          type: 'http',
          scheme: 'bearer',
          description:
            'The access token of an SDK session, `sdk_at_…`: uploads for one installation. One hour, renewable.',
        },
      },
      headers: {
        XRequestId: {
          description: 'Names this request in our logs.',
          schema: { type: 'string' },
          example: '3f0d6f0e-5f0a-4f6e-9a53-0f2f3f1b7c11',
        },
        RateLimitPolicy: {
          description: 'The limit: a quota of requests per window of seconds.',
          schema: { type: 'string' },
          example: '"default";q=200;w=2',
        },
        RateLimit: {
          description: 'What is left of the quota, and the seconds until it is whole again.',
          schema: { type: 'string' },
          example: '"default";r=199;t=1',
        },
        RetryAfter: { description: 'Seconds to wait before trying again.', schema: { type: 'integer' }, example: 1 },
      },
    },
  };
}

function operation(route: Route, components: Record<string, JsonSchema>): Json {
  const parameters = [
    ...parametersOf('path', route.params, components),
    ...parametersOf('query', route.query, components),
    ...parametersOf('header', route.headers, components),
  ];
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description: route.description,
    security: route.callers.map((caller) => ({ [caller]: [] })),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.body
      ? {
          requestBody: {
            required: true,
            content: jsonContent(route.documentedBody ?? route.body, 'input', components),
          },
        }
      : {}),
    responses: responsesOf(route, components),
  };
}

function parametersOf(
  place: 'path' | 'query' | 'header',
  object: z.ZodObject | undefined,
  components: Record<string, JsonSchema>,
): Json[] {
  return Object.entries<z.ZodType>(object?.shape ?? {}).map(([name, schema]) => {
    const { description, examples, ...rest } = inlined(schemaOf(schema, 'output', components));
    const example = Array.isArray(examples) ? examples[0] : undefined;
    return {
      name,
      in: place,
      required: place === 'path' || !schema.safeParse(undefined).success,
      ...(description === undefined ? {} : { description }),
      schema: rest,
      ...(example === undefined ? {} : { example }),
    };
  });
}

function responsesOf(route: Route, components: Record<string, JsonSchema>): Json {
  const good = Object.entries(route.answers).map(([status, answer]) => [status, goodResponse(answer, components)]);
  const byStatus = new Map<number, FailureCode[]>();
  for (const code of codesOf(route)) {
    const status = failureStatus[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const bad = [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, codes]) => [status, failedResponse(codes, status, components)]);
  return Object.fromEntries([...good, ...bad]);
}

/** Everything a route may fail with: its own codes and those its kind always has. */
function codesOf(route: Route): FailureCode[] {
  return [
    ...new Set<FailureCode>([
      ...(route.query || route.headers ? (['invalid_request'] as const) : []),
      ...(route.body ? (['invalid_body', 'payload_too_large', 'unsupported_media_type'] as const) : []),
      ...(route.callers.length > 0 ? (['unauthorized', 'invalid_token', 'token_expired'] as const) : []),
      ...(route.unlimited ? [] : (['rate_limited'] as const)),
      ...(route.callers.includes('api_key') ? (['insufficient_scope'] as const) : []),
      ...(route.callers.includes('user_token') ? (['wrong_user'] as const) : []),
      ...route.failures,
      'internal_error',
      'unavailable',
    ]),
  ];
}

const everyHeader = {
  'X-Request-Id': { $ref: '#/components/headers/XRequestId' },
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
  RateLimit: { $ref: '#/components/headers/RateLimit' },
};

function goodResponse(answer: Answer, components: Record<string, JsonSchema>): Json {
  const content = answer.schema
    ? jsonContent(answer.schema, 'output', components, answer.example)
    : answer.contentType
      ? { [answer.contentType]: { schema: { type: 'string' } } }
      : undefined;
  return { description: answer.description, headers: everyHeader, ...(content ? { content } : {}) };
}

function failedResponse(codes: FailureCode[], status: number, components: Record<string, JsonSchema>): Json {
  return {
    description: codes.map((code) => `\`${code}\`: ${failureMeaning[code]}`).join('\n\n'),
    headers: {
      ...everyHeader,
      ...(status === 429 || status === 503 ? { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } : {}),
    },
    content: {
      'application/json': {
        schema: schemaOf(ErrorBody, 'output', components),
        examples: Object.fromEntries(codes.map((code) => [code, { value: failureExample(code) }])),
      },
    },
  };
}

function jsonContent(
  schema: z.ZodType,
  io: 'input' | 'output',
  components: Record<string, JsonSchema>,
  example?: unknown,
): Json {
  const made = schemaOf(schema, io, components);
  return { 'application/json': { schema: made, example: example ?? exampleOf(made, components) } };
}

/** A named schema goes to the components once; a request and a response never share a name with different shapes. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output', components: Record<string, JsonSchema>): JsonSchema {
  const made = plain(
    z.toJSONSchema(schema, {
      io,
      target: 'draft-2020-12',
      unrepresentable: 'any',
      reused: 'inline',
    }),
  );
  const { $schema: _dialect, $defs = {}, ...root } = made;
  for (const [name, definition] of Object.entries($defs)) addComponent(components, name, relinked(definition));
  const name = root['id'];
  if (typeof name !== 'string') return relinked(root);
  addComponent(components, name, relinked(root));
  return { $ref: `#/components/schemas/${name}` };
}

function addComponent(components: Record<string, JsonSchema>, name: string, { id: _id, ...schema }: JsonSchema): void {
  const known = components[name];
  if (known && JSON.stringify(known) !== JSON.stringify(schema))
    throw new Error(`two different schemas are named ${name} in the OpenAPI document`);
  components[name] = schema;
}

const relinked = (schema: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));

const inlined = ({ id: _id, ...schema }: JsonSchema): JsonSchema => schema;

/** Holds because zod writes JSON Schema, which is plain JSON. */
const plain = (schema: object): JsonSchema => JSON.parse(JSON.stringify(schema));
