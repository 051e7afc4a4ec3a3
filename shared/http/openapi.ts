// The OpenAPI 3.1 document of a contract: the library generates the operations, and this file adds
// what every route has in common.
import { OpenAPIRegistry, OpenApiGeneratorV31, type RouteConfig } from '@asteasolutions/zod-to-openapi';
import * as z from 'zod';
import type { FailureCode } from '../system/failure.ts';
import { acceptsJson, getBodyLimits } from './body.ts';
import type { Endpoint } from './endpoint.ts';
import { failureStatus, toWireCode } from './failure-status.ts';
import { composeExample, type JsonSchema } from './openapi-example.ts';
import { failureDescriptions, failureExample } from './openapi-failures.ts';
import { commonHeaders, headerComponents, retryAfterHeader } from './openapi-headers.ts';
import { type Components, toComponentSchema } from './openapi-schemas.ts';
import { toOpenApiPath } from './path-template.ts';
import { htmlType } from './responses.ts';
import { rejectsUnknownParameters } from './unknown-parameters.ts';

export const ErrorBody = z
  .object({
    error: z.string().meta({ description: 'Machine-readable error code.', examples: ['invalid_request'] }),
    message: z
      .string()
      .meta({ description: 'Human-readable explanation of the error.', examples: ['A query parameter is invalid.'] }),
    details: z.record(z.string(), z.unknown()).meta({
      description:
        'Additional information about the error; empty if there is none. `issues` lists up to 20 issues by path; `more_issues`, if present, counts the rest.',
      examples: [{}],
    }),
  })
  .meta({ id: 'Error', description: 'The body of every failure.' });

export interface DocumentInfo {
  title?: string;
  version: string;
  serverUrl: string;
  description: string;
  tags: { name: string; description: string }[];
}

type Responses = RouteConfig['responses'];
type Content = NonNullable<Extract<Responses[string], { content?: unknown }>['content']>;

export function buildOpenApiDocument(endpoints: readonly Endpoint[], documentInfo: DocumentInfo) {
  const documented = endpoints.filter(({ undocumented }) => !undocumented);
  const registry = new OpenAPIRegistry();
  const components: Components = {};
  for (const endpoint of documented) registry.registerPath(toOperation(endpoint, components));
  for (const { name, securityScheme } of new Set(documented.flatMap(({ callers }) => callers)))
    registry.registerComponent('securitySchemes', name, securityScheme);
  for (const [name, header] of Object.entries(headerComponents)) registry.registerComponent('headers', name, header);
  for (const [name, schema] of Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1)))
    registry.registerComponent('schemas', name, schema);
  const info = { title: documentInfo.title ?? 'Daybook', version: documentInfo.version };
  const generator = new OpenApiGeneratorV31(registry.definitions);
  const { webhooks: _webhooks, ...document } = generator.generateDocument({ openapi: '3.1.0', info });
  moveParameterExamples(document.paths);
  delete document.components?.parameters;
  return {
    ...document,
    info: {
      ...info,
      summary: 'One trustworthy value per metric, per day, per person.',
      description: documentInfo.description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: documentInfo.serverUrl, description: 'This deployment' }],
    tags: documentInfo.tags,
  };
}

type Operation = { parameters?: { schema: JsonSchema; example?: unknown }[] };

/** The cast is safe because the library has just generated these operations from routes. */
const listOperations = (paths: object | undefined): Operation[] =>
  Object.values(paths ?? {}).flatMap((item) => Object.values(item as Record<string, Operation>));

/** Moves a parameter's description and example next to its schema, where readers expect them. */
function moveParameterExamples(paths: object | undefined): void {
  for (const parameter of listOperations(paths).flatMap(({ parameters = [] }) => parameters)) {
    const { description: _description, examples = [], ...schema } = parameter.schema;
    parameter.schema = schema;
    if (examples.length > 0) parameter.example = examples[0];
  }
}

/** The route with its options documented. */
function toOperation(endpoint: Endpoint, components: Components): RouteConfig {
  const { route, callers, documentedBody } = endpoint;
  const { request } = route;
  return {
    ...route,
    path: toOpenApiPath(route.path),
    security: callers.map(({ name }) => ({ [name]: [] })),
    ...(request
      ? {
          request: {
            ...request,
            ...(request.body
              ? {
                  body: {
                    ...request.body,
                    content: describeContent(request.body.content, 'input', components, documentedBody),
                  },
                }
              : {}),
          },
        }
      : {}),
    responses: mergeResponses(describeResponses(route.responses, components), describeFailures(endpoint, components)),
  };
}

function describeResponses(responses: Responses, components: Components): Responses {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      if ('$ref' in response) return [status, response];
      const content = response.content && describeContent(response.content, 'output', components);
      return [status, { ...response, headers: commonHeaders, ...(content ? { content } : {}) }];
    }),
  );
}

/**
 * zod itself generates the schemas of bodies, because the library's own converter loses that a
 * named schema may be null.
 */
function describeContent(
  content: Content,
  io: 'input' | 'output',
  components: Components,
  replacement?: z.ZodType,
): Content {
  return Object.fromEntries(
    Object.entries(content).map(([type, media]) => {
      if (!media || !('schema' in media)) return [type, media];
      const schema = replacement ?? media.schema;
      if (!(schema instanceof z.ZodType)) return [type, media];
      const jsonSchema = toComponentSchema(schema, io, components);
      const isJson = type === 'application/json';
      return [
        type,
        { schema: jsonSchema, ...(isJson ? { example: media.example ?? composeExample(jsonSchema, components) } : {}) },
      ];
    }),
  );
}

function describeFailures(endpoint: Endpoint, components: Components): Responses {
  const byStatus = Map.groupBy(listFailureCodes(endpoint), (code) => failureStatus[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes
          .map((code) => `\`${toWireCode(code)}\`: ${describeFailureCode(code, endpoint)}`)
          .join('\n\n'),
        headers: { ...commonHeaders, ...(status === 429 || status === 503 ? retryAfterHeader : {}) },
        content: {
          ...(endpoint.failurePage
            ? { [htmlType]: { schema: toComponentSchema(z.string(), 'output', components) } }
            : {}),
          'application/json': {
            schema: toComponentSchema(ErrorBody, 'output', components),
            examples: Object.fromEntries(codes.map((code) => [toWireCode(code), { value: failureExample(code) }])),
          },
        },
      },
    ]),
  );
}

function describeFailureCode(code: FailureCode, endpoint: Endpoint): string {
  const limits = code === 'payload_too_large' ? getBodyLimits(endpoint) : undefined;
  if (!limits) return failureDescriptions[code];
  const { wireBytes, decompressedBytes } = limits;
  return `the body is longer than ${formatSize(wireBytes)}${decompressedBytes === undefined ? '' : ` as sent, or ${formatSize(decompressedBytes)} decompressed`}.`;
}

const formatSize = (bytes: number): string => (bytes < 1e6 ? `${bytes / 1e3} kB` : `${bytes / 1e6} MB`);

/** One of the route's own pages may have the same status as a failure. */
function mergeResponses(responses: Responses, failures: Responses): Responses {
  const merged = Object.entries(failures).map(([status, failure]) => {
    const response = responses[status];
    if (!response || '$ref' in response || '$ref' in failure) return [status, failure];
    const description = `${response.description}\n\n${failure.description}`;
    return [status, { ...failure, description, content: { ...response.content, ...failure.content } }];
  });
  return { ...responses, ...Object.fromEntries(merged) };
}

/**
 * Every code that a route may fail with: its own, and those that follow from its request and its
 * callers.
 */
function listFailureCodes(endpoint: Endpoint): FailureCode[] {
  const { route, callers, unlimited, user, servesUnshared, failures = [] } = endpoint;
  const { request } = route;
  const checksRequest = request?.query || request?.headers || rejectsUnknownParameters(endpoint);
  return [
    ...new Set<FailureCode>([
      ...(checksRequest ? (['invalid_request'] as const) : []),
      ...(acceptsJson(route) ? (['invalid_body', 'unsupported_media_type'] as const) : []),
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
