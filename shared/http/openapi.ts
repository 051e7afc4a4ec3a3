// The OpenAPI 3.1 document of a contract: the library generates the operations, and this file adds
// what every route has in common.
import { OpenAPIRegistry, OpenApiGeneratorV31, type RouteConfig } from '@asteasolutions/zod-to-openapi';
import * as z from 'zod';
import { listDocumentedKinds } from './caller-kind.ts';
import { type Endpoint, isDocumented } from './endpoint.ts';
import { composeExample } from './openapi-example.ts';
import { describeFailures } from './openapi-failures.ts';
import { commonHeaders, headerComponents } from './openapi-headers.ts';
import { completeParameters, describeQuery, referParameters } from './openapi-parameters.ts';
import { type Components, toComponentSchema } from './openapi-schemas.ts';
import { toOpenApiPath } from './path-template.ts';

export interface DocumentInfo {
  title?: string;
  version: string;
  serverUrl: string;
  description: string;
  tags: { name: string; description: string }[];
  /** The requests that the service sends. */
  webhooks?: Readonly<Record<string, DocumentedWebhook>>;
}

export interface DocumentedWebhook {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  body: z.ZodType;
  response: string;
}

type Responses = RouteConfig['responses'];
type Content = NonNullable<Extract<Responses[string], { content?: unknown }>['content']>;

export function buildOpenApiDocument(
  endpoints: readonly Endpoint[],
  documentInfo: DocumentInfo,
  isIncluded: (endpoint: Endpoint) => boolean = isDocumented,
) {
  const documented = endpoints.filter(isIncluded);
  const registry = new OpenAPIRegistry();
  const components: Components = {};
  for (const endpoint of documented) registry.registerPath(toOperation(endpoint, components));
  const references = referParameters(documented, components);
  const webhooks = describeWebhooks(documentInfo.webhooks ?? {}, components);
  for (const { name, securityScheme } of new Set(documented.flatMap(({ callers }) => listDocumentedKinds(callers))))
    registry.registerComponent('securitySchemes', name, securityScheme);
  for (const [name, header] of Object.entries(headerComponents)) registry.registerComponent('headers', name, header);
  for (const [name, schema] of Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1)))
    registry.registerComponent('schemas', name, schema);
  const info = { title: documentInfo.title ?? 'Daybook', version: documentInfo.version };
  const generator = new OpenApiGeneratorV31(registry.definitions);
  const { webhooks: _webhooks, ...document } = generator.generateDocument({ openapi: '3.1.0', info });
  completeParameters(document.paths, references);
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
    tags: listUsedTags(documentInfo.tags, documented),
    ...(Object.keys(webhooks).length > 0 ? { webhooks } : {}),
  };
}

function describeWebhooks(webhooks: Readonly<Record<string, DocumentedWebhook>>, components: Components): object {
  return Object.fromEntries(
    Object.entries(webhooks).map(([name, { body, response, ...operation }]) => {
      const content = describeContent({ 'application/json': { schema: body } }, 'output', components);
      const requestBody = { required: true, content };
      return [
        name,
        { post: { ...operation, security: [], requestBody, responses: { '2XX': { description: response } } } },
      ];
    }),
  );
}

/** Tags without an operation are those of endpoints that are not documented. */
const listUsedTags = (tags: DocumentInfo['tags'], documented: readonly Endpoint[]): DocumentInfo['tags'] => {
  const usedNames = new Set(documented.flatMap(({ route }) => route.tags ?? []));
  return tags.filter(({ name }) => usedNames.has(name));
};

/** The route with its options documented. */
function toOperation(endpoint: Endpoint, components: Components): RouteConfig {
  const { route, callers, documentedBody } = endpoint;
  const { request } = route;
  const query = describeQuery(endpoint);
  return {
    ...route,
    path: toOpenApiPath(route.path),
    security: listDocumentedKinds(callers).map(({ name }) => ({ [name]: [] })),
    ...(request
      ? {
          request: {
            ...request,
            ...(query ? { query } : {}),
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
