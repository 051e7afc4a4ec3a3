// What the validators made from a route find wrong, as the failures of the contract: what does not fit is named by its path.
import type { Hook } from '@hono/zod-openapi';
import type { Context, MiddlewareHandler } from 'hono';
import type { ZodError } from 'zod';
import { Failure, type FailureCode } from '../system/failure.ts';
import type { Endpoint } from './endpoint.ts';
import { failureStatus } from './failure-status.ts';
import type { KitEnv } from './kit-env.ts';

const usualParameterLength = 255;

export const refuseInvalid: Hook<unknown, KitEnv, string, undefined> = (result, c) => {
  if (result.success) return undefined;
  // The validator hands it over, though its type does not say so.
  const given = 'data' in result ? result.data : undefined;
  switch (result.target) {
    case 'param':
      throw nothingOfThatName(c);
    case 'query':
      throw givenTwice(c, result.error) ?? invalid('invalid_request', 'A query parameter', result.error, given);
    case 'header':
      throw invalid('invalid_request', 'A header', result.error, given);
    default:
      throw invalid('invalid_body', 'The body', result.error, given);
  }
};

/** Longer than any name there is. */
export const boundedPath: MiddlewareHandler<KitEnv> = async (c, next) => {
  const most = c.get('endpoint')?.longestParameter ?? usualParameterLength;
  if (Object.values(c.req.param()).some((value) => String(value).length > most)) throw nothingOfThatName(c);
  await next();
};

/** Names of the other form are refused with the name to use here; any other unknown one is ignored. */
export const ofItsForm =
  ({ otherForm = {} }: Endpoint): MiddlewareHandler<KitEnv> =>
  async (c, next) => {
    for (const [name, instead] of Object.entries(otherForm)) {
      if (c.req.query(name) === undefined) continue;
      const message = typeof instead === 'string' ? `use ${instead}` : instead.advice;
      throw invalidParameter(name, message, `Unknown parameter ${name}: ${message}.`);
    }
    await next();
  };

/** What no schema of the path's takes names nothing that could be there. */
function nothingOfThatName(c: Context<KitEnv>): Failure {
  const endpoint = c.get('endpoint');
  const code = endpoint?.failures?.find((each) => failureStatus[each] === 404) ?? 'not_found';
  return new Failure(code, `No such resource. See ${endpoint?.route.path} in /docs.`);
}

function givenTwice(c: Context<KitEnv>, { issues }: ZodError): Failure | undefined {
  const names = issues.map(({ path: [name] }) => String(name));
  const twice = names.find((name) => (c.req.queries(name)?.length ?? 0) > 1);
  if (twice === undefined) return undefined;
  return invalidParameter(twice, 'must be given only once', `The parameter ${twice} must be given only once.`);
}

interface Issue {
  path: string;
  message: string;
}

/** More are only counted: a body that has thousands of mistakes is answered in a few lines. */
const maxIssues = 20;
/** Names of fields come from the sender, and may be as long as the body. */
const maxPathLength = 200;

function invalid(code: FailureCode, what: string, error: ZodError, given: unknown): Failure {
  const issues: Issue[] = [];
  let more = 0;
  for (const each of error.issues) {
    const { listed, count } = told(each, given, maxIssues - issues.length);
    issues.push(...listed);
    more += count - listed.length;
  }
  const [first] = issues;
  const why = first ? `: ${first.path ? `${first.path}: ` : ''}${first.message}` : '';
  return new Failure(code, `${what} is invalid${why}.`, {
    details: { issues, ...(more > 0 ? { more_issues: more } : {}) },
  });
}

/**
 * One issue of the validator's names all the unknown fields of an object; of those only so many are
 * written out.
 */
function told(issue: ZodError['issues'][number], given: unknown, room: number): { listed: Issue[]; count: number } {
  if (issue.code === 'unrecognized_keys') {
    const listed = issue.keys
      .slice(0, room)
      .map((key) => ({ path: pathText(issue.path, key), message: 'unknown field' }));
    return { listed, count: issue.keys.length };
  }
  if (room === 0) return { listed: [], count: 1 };
  const message = isMissing(issue, given) ? 'is required' : adviceOf(issue);
  return { listed: [{ path: pathText(issue.path), message }], count: 1 };
}

function pathText(path: readonly PropertyKey[], ...more: string[]): string {
  const text = [...path, ...more].map(String).join('.');
  return text.length > maxPathLength ? `${text.slice(0, maxPathLength)}…` : text;
}

/** What a schema says itself stands; of an option, a type or a bound it rarely says anything. */
function adviceOf(issue: ZodError['issues'][number]): string {
  // As the validator words it: ">=1 characters", "<=32 items", ">=1".
  const [, side, limit, counted = ''] = /^Too (small|big): .*=(\S+)( \w+)?$/.exec(issue.message) ?? [];
  if (side === 'small' && limit === '1' && counted) return 'must not be empty';
  if (side) return `must be at ${side === 'small' ? 'least' : 'most'} ${limit}${counted}`;
  if (!/^Invalid (?:option|input): /.test(issue.message)) return issue.message;
  if (issue.code === 'invalid_type') return `must be ${kinds[issue.expected] ?? issue.expected}`;
  if (issue.code !== 'invalid_value') return issue.message;
  const { values } = issue;
  return values.length === 1 ? `must be ${String(values[0])}` : `must be one of ${values.map(String).join(', ')}`;
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
};

/** Whatever it should have been: "expected string, received undefined" is no advice. */
function isMissing({ code, path }: ZodError['issues'][number], given: unknown): boolean {
  if (!(code === 'invalid_type' || code === 'invalid_value' || code === 'invalid_union') || path.length === 0)
    return false;
  const found = path.reduce<unknown>(
    (inside, key) => (typeof inside === 'object' && inside !== null ? Reflect.get(inside, key) : undefined),
    given,
  );
  return found === undefined;
}

const invalidParameter = (path: string, message: string, sentence: string): Failure =>
  new Failure('invalid_request', sentence, { details: { issues: [{ path, message }] } });
