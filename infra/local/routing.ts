// Which function answers a path, chosen as API Gateway chooses among `ANY` routes: literal segments win over parameters.
import { type HostedFunctions, triggeredBy } from './function-runner.ts';

export interface Match {
  functionName: string;
  routeKey: string;
  pathParameters: Record<string, string>;
}

interface Template {
  functionName: string;
  path: string;
  segments: string[];
}

export function makeRouting(functions: HostedFunctions): (path: string) => Match | undefined {
  const http = triggeredBy(functions, 'http');
  const fallback = http.find(({ trigger }) => trigger.fallback === true);
  const byShape = new Map<string, Template>();
  for (const { name, trigger } of http) {
    for (const { path } of trigger.routes) {
      // The name of a parameter does not tell two paths apart.
      const shape = path.replaceAll(/\{[^}]*\}/g, '{}');
      const taken = byShape.get(shape);
      if (taken && taken.functionName !== name) {
        throw new Error(`${taken.functionName} and ${name} both serve ${path}: a path belongs to one function`);
      }
      byShape.set(shape, { functionName: name, path, segments: path.split('/') });
    }
  }
  const templates = [...byShape.values()].sort(literalFirst);
  return (path) => {
    const segments = path.split('/');
    const template = templates.find((candidate) => fits(candidate.segments, segments));
    if (template) {
      return {
        functionName: template.functionName,
        routeKey: `ANY ${template.path}`,
        pathParameters: Object.fromEntries(
          template.segments.flatMap((segment, i) =>
            isParameter(segment) ? [[segment.slice(1, -1), decoded(segments[i] ?? '')]] : [],
          ),
        ),
      };
    }
    return fallback && { functionName: fallback.name, routeKey: '$default', pathParameters: {} };
  };
}

const isParameter = (segment: string) => segment.startsWith('{') && segment.endsWith('}');

function fits(template: string[], path: string[]): boolean {
  if (template.length !== path.length) return false;
  return template.every((segment, i) => (isParameter(segment) ? path[i] !== '' : segment === decoded(path[i] ?? '')));
}

/** At the first segment where two templates differ in kind, the literal one goes first. */
function literalFirst(a: Template, b: Template): number {
  for (const [i, segment] of a.segments.entries()) {
    const difference = Number(isParameter(segment)) - Number(isParameter(b.segments[i] ?? ''));
    if (difference !== 0) return difference;
  }
  return 0;
}

/** A path that is not valid percent-encoding stands for itself. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}
