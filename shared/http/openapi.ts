// The OpenAPI 3.1 document of a contract: the library writes the operations, and what every route has in common is added here.
import { OpenAPIRegistry, OpenApiGeneratorV31, type RouteConfig } from '@asteasolutions/zod-to-openapi';
import * as z from 'zod';
import type { FailureCode } from '../system/failure.ts';
import { bodyLimitsOf, takesJson } from './body.ts';
import type { Endpoint } from './endpoint.ts';
import { failureStatus, wireCode } from './failure-status.ts';
import { exampleOf, type JsonSchema } from './openapi-example.ts';
import { failureExample, failureMeaning } from './openapi-failures.ts';
import { everyHeader, retryHeader, sharedHeaders } from './openapi-headers.ts';
import { type Components, schemaOf } from './openapi-schemas.ts';
import { documentedPath } from './path-template.ts';
import { htmlType } from './responses.ts';

export const ErrorBody = z
  .object({
    error: z.string().meta({ description: 'A code for programs.', examples: ['invalid_request'] }),
    message: z.string().meta({ description: 'A sentence for people.', examples: ['A query parameter is invalid.'] }),
    details: z.record(z.string(), z.unknown()).meta({
      description:
        'What the code needs explained; empty when there is nothing to add. `issues` lists up to 20 mistakes by path; `more_issues`, if present, counts the rest.',
      examples: [{}],
    }),
  })
  .meta({ id: 'Error', description: 'The body of every failure.' });

export interface DocumentFacts {
  title?: string;
  version: string;
  serverUrl: string;
  description: string;
  tags: { name: string; description: string }[];
}

type Responses = RouteConfig['responses'];
type Content = NonNullable<Extract<Responses[string], { content?: unknown }>['content']>;

export function openApiDocument(served: readonly Endpoint[], facts: DocumentFacts) {
  const contract = served.filter(({ undocumented }) => !undocumented);
  const registry = new OpenAPIRegistry();
  const components: Components = {};
  for (const endpoint of contract) registry.registerPath(operationOf(endpoint, components));
  for (const { name, securityScheme } of new Set(contract.flatMap(({ callers }) => callers)))
    registry.registerComponent('securitySchemes', name, securityScheme);
  for (const [name, header] of Object.entries(sharedHeaders)) registry.registerComponent('headers', name, header);
  for (const [name, schema] of Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1)))
    registry.registerComponent('schemas', name, schema);
  const info = { title: facts.title ?? 'Daybook', version: facts.version };
  const generator = new OpenApiGeneratorV31(registry.definitions);
  const { webhooks: _none, ...document } = generator.generateDocument({ openapi: '3.1.0', info });
  tellExamples(document.paths);
  delete document.components?.parameters;
  return {
    ...document,
    info: {
      ...info,
      summary: 'One trustworthy value per metric, per day, per person.',
      description: facts.description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: facts.serverUrl, description: 'This deployment' }],
    tags: facts.tags,
  };
}

type Operation = { parameters?: { schema: JsonSchema; example?: unknown }[] };

/** Holds because the library has just written them, from routes. */
const operationsIn = (paths: object | undefined): Operation[] =>
  Object.values(paths ?? {}).flatMap((item) => Object.values(item as Record<string, Operation>));

/** A parameter has its description and its example beside its schema, where readers look for them. */
function tellExamples(paths: object | undefined): void {
  for (const parameter of operationsIn(paths).flatMap(({ parameters = [] }) => parameters)) {
    const { description: _told, examples = [], ...schema } = parameter.schema;
    parameter.schema = schema;
    if (examples.length > 0) parameter.example = examples[0];
  }
}

/** The route as it stands, with what its terms mean to a reader. */
function operationOf(endpoint: Endpoint, components: Components): RouteConfig {
  const { route, callers, documentedBody } = endpoint;
  const { request } = route;
  return {
    ...route,
    path: documentedPath(route.path),
    security: callers.map(({ name }) => ({ [name]: [] })),
    ...(request
      ? {
          request: {
            ...request,
            ...(request.body
              ? {
                  body: {
                    ...request.body,
                    content: described(request.body.content, 'input', components, documentedBody),
                  },
                }
              : {}),
          },
        }
      : {}),
    responses: together(good(route.responses, components), bad(endpoint, components)),
  };
}

function good(responses: Responses, components: Components): Responses {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      if ('$ref' in response) return [status, response];
      const content = response.content && described(response.content, 'output', components);
      return [status, { ...response, headers: everyHeader, ...(content ? { content } : {}) }];
    }),
  );
}

/** Schemas of bodies are written by zod itself: the library's own converter forgets that a named schema may be null. */
function described(content: Content, io: 'input' | 'output', components: Components, instead?: z.ZodType): Content {
  return Object.fromEntries(
    Object.entries(content).map(([type, media]) => {
      if (!media || !('schema' in media)) return [type, media];
      const schema = instead ?? media.schema;
      if (!(schema instanceof z.ZodType)) return [type, media];
      const made = schemaOf(schema, io, components);
      const isJson = type === 'application/json';
      return [type, { schema: made, ...(isJson ? { example: media.example ?? exampleOf(made, components) } : {}) }];
    }),
  );
}

function bad(endpoint: Endpoint, components: Components): Responses {
  const byStatus = Map.groupBy(codesOf(endpoint), (code) => failureStatus[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, some]) => [
      status,
      {
        description: some.map((code) => `\`${wireCode(code)}\`: ${meaningOf(code, endpoint)}`).join('\n\n'),
        headers: { ...everyHeader, ...(status === 429 || status === 503 ? retryHeader : {}) },
        content: {
          ...(endpoint.failurePage ? { [htmlType]: { schema: schemaOf(z.string(), 'output', components) } } : {}),
          'application/json': {
            schema: schemaOf(ErrorBody, 'output', components),
            examples: Object.fromEntries(some.map((code) => [wireCode(code), { value: failureExample(code) }])),
          },
        },
      },
    ]),
  );
}

function meaningOf(code: FailureCode, endpoint: Endpoint): string {
  const limits = code === 'payload_too_large' ? bodyLimitsOf(endpoint) : undefined;
  if (!limits) return failureMeaning[code];
  const { wireBytes, unpackedBytes } = limits;
  return `the body is longer than ${sizeText(wireBytes)}${unpackedBytes === undefined ? '' : ` as sent, or ${sizeText(unpackedBytes)} decompressed`}.`;
}

const sizeText = (bytes: number): string => (bytes < 1e6 ? `${bytes / 1e3} kB` : `${bytes / 1e6} MB`);

/** A page of the route's own may have the status of a failure. */
function together(answers: Responses, failures: Responses): Responses {
  const both = Object.entries(failures).map(([status, failure]) => {
    const answer = answers[status];
    if (!answer || '$ref' in answer || '$ref' in failure) return [status, failure];
    const description = `${answer.description}\n\n${failure.description}`;
    return [status, { ...failure, description, content: { ...answer.content, ...failure.content } }];
  });
  return { ...answers, ...Object.fromEntries(both) };
}

/** Everything a route may fail with: its own codes and those that follow from its request and its callers. */
function codesOf({ route, callers, unlimited, user, servesUnshared, failures = [] }: Endpoint): FailureCode[] {
  const { request } = route;
  return [
    ...new Set<FailureCode>([
      ...(request?.query || request?.headers ? (['invalid_request'] as const) : []),
      ...(takesJson(route) ? (['invalid_body', 'unsupported_media_type'] as const) : []),
      ...(request?.body ? (['payload_too_large'] as const) : []),
      ...callers.flatMap((kind) => kind.failures),
      ...(user === undefined || servesUnshared ? [] : (['sharing_revoked'] as const)),
      ...(unlimited === true ? [] : (['rate_limited'] as const)),
      ...failures,
      'internal_error',
      'unavailable',
    ]),
  ];
}
