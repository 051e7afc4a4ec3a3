// The failure responses of an operation in the OpenAPI document: a schema for each code, and in each
// response the codes that the operation may have there.
import type { RouteConfig } from '@asteasolutions/zod-to-openapi';
import * as z from 'zod';
import { type FailureCode, failureCodes } from '../system/failure.ts';
import { acceptsJson, getBodyLimits } from './body.ts';
import { listDocumentedKinds } from './caller-kind.ts';
import type { Endpoint } from './endpoint.ts';
import { failureStatus, toWireCode, type WireCode } from './failure-status.ts';
import { failureExample, failureText } from './failure-text.ts';
import type { JsonSchema } from './openapi-example.ts';
import { commonHeaders, retryAfterHeader } from './openapi-headers.ts';
import { addComponent, type Components, toComponentSchema } from './openapi-schemas.ts';
import { htmlType } from './responses.ts';
import { rejectsUnknownParameters } from './unknown-parameters.ts';
import { refusesBody } from './unread-body.ts';

const wireCodes = [...new Set(failureCodes.map(toWireCode))];

const ErrorCode = z.enum(wireCodes).meta({
  id: 'ErrorCode',
  description: 'Machine-readable error code. `/docs/errors` explains each. New codes may be added.',
  examples: ['invalid_request'],
});

// Not named `Error`: a generated class would have a field of the same name.
const ErrorBody = z
  .object({
    error: ErrorCode,
    message: z
      .string()
      .meta({ description: 'Human-readable explanation of the error.', examples: ['A query parameter is invalid.'] }),
    details: z.record(z.string(), z.unknown()).meta({
      description:
        'Additional information about the error; empty if there is none. `issues` lists up to 20 issues by path; `more_issues`, if present, counts the rest.',
      examples: [{}],
    }),
  })
  .meta({ id: 'ErrorResponse', description: 'The body of every failure.' });

type Responses = RouteConfig['responses'];

/** The responses with which a route may fail, each with the codes that it may have there. */
export function describeFailures(endpoint: Endpoint, components: Components): Responses {
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
            schema: toFailureSchema(codes, components),
            examples: Object.fromEntries(codes.map((code) => [toWireCode(code), { value: failureExample(code) }])),
          },
        },
      },
    ]),
  );
}

function describeFailureCode(code: FailureCode, endpoint: Endpoint): string {
  const limits = code === 'payload_too_large' ? getBodyLimits(endpoint) : undefined;
  const { when, todo } = failureText[code];
  if (!limits) return `${when} ${todo}`;
  const { wireBytes, decompressedBytes } = limits;
  const size = decompressedBytes === undefined ? '' : ` as sent, or ${formatSize(decompressedBytes)} decompressed`;
  return `The body is longer than ${formatSize(wireBytes)}${size}. ${todo}`;
}

const formatSize = (bytes: number): string => (bytes < 1e6 ? `${bytes / 1e3} kB` : `${bytes / 1e6} MB`);

/** One schema, or a union of them that `error` tells apart. */
function toFailureSchema(codes: readonly FailureCode[], components: Components): JsonSchema {
  const refs = new Map([...new Set(codes.map(toWireCode))].map((code) => [code, toErrorSchema(code, components)]));
  const [only, ...others] = refs.values();
  if (only && others.length === 0) return { $ref: only };
  return {
    oneOf: [...refs.values()].map(($ref) => ({ $ref })),
    discriminator: { propertyName: 'error', mapping: Object.fromEntries(refs) },
  };
}

/** The reference to the schema of failures with this code. */
function toErrorSchema(code: WireCode, components: Components): string {
  const name = toErrorName(code);
  addComponent(components, name, {
    description: failureCodes
      .filter((each) => toWireCode(each) === code)
      .map((each) => failureText[each].when)
      .join(' '),
    allOf: [
      toComponentSchema(ErrorBody, 'output', components),
      { properties: { error: { type: 'string', enum: [code] } }, required: ['error'] },
    ],
  });
  return `#/components/schemas/${name}`;
}

/** `not_found` is `NotFoundError`, and `internal_error` is `InternalError`. */
export const toErrorName = (code: WireCode): string =>
  `${code.replace(/_error$/, '')}_error`.replace(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase());

/**
 * Every code that a route may fail with: its own, and those that follow from its request and its
 * callers.
 */
export function listFailureCodes(endpoint: Endpoint): FailureCode[] {
  const { route, callers, unlimited, user, servesUnshared, failures = [] } = endpoint;
  const { request } = route;
  const checksRequest = request?.query || request?.headers || rejectsUnknownParameters(endpoint);
  return [
    ...new Set<FailureCode>([
      ...(checksRequest ? (['invalid_request'] as const) : []),
      ...(acceptsJson(route) ? (['invalid_body', 'unsupported_media_type'] as const) : []),
      ...(refusesBody(endpoint) ? (['invalid_body'] as const) : []),
      ...(request?.body ? (['payload_too_large'] as const) : []),
      ...listDocumentedKinds(callers).flatMap((kind) => kind.failures),
      ...callers.flatMap((kind) => kind.listDemandFailures?.(endpoint) ?? []),
      ...(user === undefined || servesUnshared ? [] : (['sharing_revoked'] as const)),
      ...(unlimited === true ? [] : (['rate_limited'] as const)),
      ...failures,
      'internal_error',
      'unavailable',
    ]),
  ];
}
