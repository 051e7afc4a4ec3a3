// Rejects query parameters that an endpoint does not know: ignoring a misspelt `from_date` would
// answer for the wrong range.
import type { Context, MiddlewareHandler } from 'hono';
import * as z from 'zod';
import { findNearestName } from '../platform/nearest-name.ts';
import { toShownName } from '../platform/shown-name.ts';
import type { Failure } from '../system/failure.ts';
import type { ApiEnv } from './api-env.ts';
import { type Endpoint, type EndpointOptions, type NamedRoute, servesPages } from './endpoint.ts';
import { invalidParameter } from './validation.ts';

type Replacement = NonNullable<EndpointOptions['otherFormParameters']>[string];

/** People open pages from mails and other sites, which add parameters of their own. */
export const rejectsUnknownParameters = ({ ignoresUnknownParameters, route }: Endpoint): boolean =>
  !ignoresUnknownParameters && !servesPages(route);

/** A parameter of the other form is rejected with the name to use here. */
export function rejectUnknownParameters(endpoint: Endpoint): MiddlewareHandler<ApiEnv>[] {
  if (!rejectsUnknownParameters(endpoint)) return [];
  const names = listQueryParameters(endpoint.route);
  const known = new Set(names);
  const otherForm = new Map(Object.entries(endpoint.otherFormParameters ?? {}));
  return [
    async (c, next) => {
      for (const name of listSentNames(c)) {
        if (known.has(name)) continue;
        const replacement = otherForm.get(name);
        if (replacement !== undefined) throw otherFormParameter(name, replacement);
        if (!isIgnored(name)) throw unknownParameter(name, names, otherForm);
      }
      await next();
    },
  ];
}

function listQueryParameters({ operationId, request }: NamedRoute): string[] {
  const query = request?.query;
  if (!query) return [];
  if (!(query instanceof z.ZodObject)) throw new Error(`The query of ${operationId} must be a z.object.`);
  return Object.keys(query.shape);
}

/** As they are in the URL: an object of parameters would lose a name such as `constructor`. */
function listSentNames(c: Context<ApiEnv>): Iterable<string> {
  const start = c.req.url.indexOf('?');
  return start === -1 ? [] : new URLSearchParams(c.req.url.slice(start)).keys();
}

/** What caches, mail programs and campaigns append to a URL. */
const isIgnored = (name: string): boolean => name.startsWith('_') || name.startsWith('utm_');

function otherFormParameter(name: string, replacement: Replacement): Failure {
  const instead = getReplacingName(replacement);
  const advice = typeof replacement === 'string' ? undefined : replacement.advice;
  const message = [instead && `use ${instead}`, advice].filter(Boolean).join('; ');
  const sentences = [instead && `Use \`${instead}\`.`, advice && toSentence(advice)].filter(Boolean).join(' ');
  return invalidParameter(name, message, `Unknown parameter \`${name}\`. ${sentences}`);
}

const toSentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;

const getReplacingName = (replacement: Replacement | undefined): string | undefined =>
  typeof replacement === 'string' ? replacement : replacement?.name;

function unknownParameter(
  input: string,
  names: readonly string[],
  otherForm: ReadonlyMap<string, Replacement>,
): Failure {
  const shownName = toShownName(input);
  const suggestion = findMeantName(input, names, otherForm);
  if (suggestion !== undefined)
    return invalidParameter(
      shownName,
      `unknown parameter; did you mean ${suggestion}?`,
      `Unknown parameter \`${shownName}\`. Did you mean \`${suggestion}\`?`,
    );
  const list = (quote: string) => names.map((name) => quote + name + quote).join(', ') || 'no query parameters';
  return invalidParameter(
    shownName,
    `unknown parameter; this call takes ${list('')}`,
    `Unknown parameter \`${shownName}\`. This call takes ${list('`')}.`,
  );
}

/** A misspelt name of the other form means the name that replaces it here. */
function findMeantName(
  input: string,
  names: readonly string[],
  otherForm: ReadonlyMap<string, Replacement>,
): string | undefined {
  const otherFormNames = [...otherForm].flatMap(([name, replacement]) =>
    names.includes(getReplacingName(replacement) ?? '') ? [name] : [],
  );
  const nearest = findNearestName(input, [...names, ...otherFormNames]);
  return nearest === undefined ? undefined : (getReplacingName(otherForm.get(nearest)) ?? nearest);
}
