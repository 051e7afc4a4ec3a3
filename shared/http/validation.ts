// Turns what a route's validators reject into the contract's failures; each issue is named by its
// path.
import type { Hook } from '@hono/zod-openapi';
import type { Context, MiddlewareHandler } from 'hono';
import type { ZodError } from 'zod';
import { Failure, type FailureCode } from '../system/failure.ts';
import type { ApiEnv } from './api-env.ts';
import { failureStatus } from './failure-status.ts';

const defaultMaxParameterLength = 255;

export const refuseInvalid: Hook<unknown, ApiEnv, string, undefined> = (result, c) => {
  if (result.success) return undefined;
  // The validator passes it, although its type does not say so.
  const input = 'data' in result ? result.data : undefined;
  switch (result.target) {
    case 'param':
      throw resourceNotFound(c);
    case 'query':
      throw (
        findRepeatedParameter(c, result.error) ??
        toInvalidFailure('invalid_request', 'A query parameter', result.error, input)
      );
    case 'header':
      throw toInvalidFailure('invalid_request', 'A header', result.error, input);
    default:
      throw toInvalidFailure('invalid_body', 'The body', result.error, input);
  }
};

/** A value longer than any valid one cannot name a resource. */
export const limitPathParameters: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const maxLength = c.get('endpoint')?.maxParameterLength ?? defaultMaxParameterLength;
  if (Object.values(c.req.param()).some((value) => String(value).length > maxLength)) throw resourceNotFound(c);
  await next();
};

/** A value that does not match the path's schema cannot name an existing resource. */
function resourceNotFound(c: Context<ApiEnv>): Failure {
  const endpoint = c.get('endpoint');
  const code = endpoint?.failures?.find((each) => failureStatus[each] === 404) ?? 'not_found';
  return new Failure(code, `No such resource. See ${endpoint?.route.path} in /docs.`);
}

function findRepeatedParameter(c: Context<ApiEnv>, { issues }: ZodError): Failure | undefined {
  const names = issues.map(({ path: [name] }) => String(name));
  const repeated = names.find((name) => (c.req.queries(name)?.length ?? 0) > 1);
  if (repeated === undefined) return undefined;
  return invalidParameter(repeated, 'must appear only once', `The parameter ${repeated} must appear only once.`);
}

interface Issue {
  path: string;
  message: string;
}

/**
 * Further issues are only counted, so that a body with thousands of errors gets a short response.
 */
const maxIssues = 20;
/** Field names come from the sender and may be as long as the body. */
const maxPathLength = 200;

function toInvalidFailure(code: FailureCode, what: string, error: ZodError, input: unknown): Failure {
  const issues: Issue[] = [];
  let more = 0;
  for (const each of error.issues) {
    const { listed, count } = toIssues(each, input, maxIssues - issues.length);
    issues.push(...listed);
    more += count - listed.length;
  }
  const [first] = issues;
  const reason = first ? `: ${first.path ? `${first.path}: ` : ''}${first.message}` : '';
  return new Failure(code, `${what} is invalid${reason}.`, {
    details: { issues, ...(more > 0 ? { more_issues: more } : {}) },
  });
}

/** One zod issue names all unknown fields of an object; only the first few are listed. */
function toIssues(
  issue: ZodError['issues'][number],
  input: unknown,
  remaining: number,
): { listed: Issue[]; count: number } {
  if (issue.code === 'unrecognized_keys') {
    const listed = issue.keys
      .slice(0, remaining)
      .map((key) => ({ path: formatPath(issue.path, key), message: 'unknown field' }));
    return { listed, count: issue.keys.length };
  }
  if (remaining === 0) return { listed: [], count: 1 };
  const message = isMissing(issue, input) ? 'is required' : describeIssue(issue);
  return { listed: [{ path: formatPath(issue.path), message }], count: 1 };
}

function formatPath(path: readonly PropertyKey[], ...more: string[]): string {
  const text = [...path, ...more].map(String).join('.');
  return text.length > maxPathLength ? `${text.slice(0, maxPathLength)}…` : text;
}

/**
 * Uses the schema's own message if it has one. For an option, a type or a bound, it rarely does.
 */
function describeIssue(issue: ZodError['issues'][number]): string {
  // zod's wording: ">=1 characters", "<=32 items", ">=1".
  const [, side, limit, unit = ''] = /^Too (small|big): .*=(\S+)( \w+)?$/.exec(issue.message) ?? [];
  if (side === 'small' && limit === '1' && unit) return 'must not be empty';
  if (side) return `must be at ${side === 'small' ? 'least' : 'most'} ${limit}${unit}`;
  if (issue.code === 'invalid_format' && /^Invalid /.test(issue.message))
    return formatNames[issue.format] ?? 'does not have the required format';
  if (!/^Invalid (?:option|input): /.test(issue.message)) return issue.message;
  if (issue.code === 'invalid_type') return `must be ${typeNames[issue.expected] ?? issue.expected}`;
  if (issue.code !== 'invalid_value') return issue.message;
  const { values } = issue;
  return values.length === 1 ? `must be ${String(values[0])}` : `must be one of ${values.map(String).join(', ')}`;
}

const formatNames: Readonly<Record<string, string>> = {
  datetime: 'must be a time in UTC, such as 2026-03-14T00:00:00Z',
  date: 'must be a date, such as 2026-03-14',
  guid: 'must be a UUID',
  uuid: 'must be a UUID',
  email: 'must be an email address',
  url: 'must be a URL',
};

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
};

/**
 * Whether the field is missing, regardless of its type: "expected string, received undefined" helps
 * nobody.
 */
function isMissing({ code, path }: ZodError['issues'][number], input: unknown): boolean {
  if (!(code === 'invalid_type' || code === 'invalid_value' || code === 'invalid_union') || path.length === 0)
    return false;
  const value = path.reduce<unknown>(
    (container, key) => (typeof container === 'object' && container !== null ? Reflect.get(container, key) : undefined),
    input,
  );
  return value === undefined;
}

export const invalidParameter = (path: string, message: string, sentence: string): Failure =>
  new Failure('invalid_request', sentence, { details: { issues: [{ path, message }] } });
