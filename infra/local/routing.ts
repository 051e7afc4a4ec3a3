// Which function answers a path, chosen as API Gateway chooses among `ANY` routes: literal segments win over parameters.
import { literalFirst, matchPath } from '../../shared/http/path-template.ts';
import { type HostedFunctions, triggeredBy } from './function-runner.ts';

export interface Match {
  functionName: string;
  routeKey: string;
  pathParameters: Record<string, string>;
  /** By method, of those that take a body. */
  maxBodyBytes?: ReadonlyMap<string, number>;
}

interface ServedPath {
  functionName: string;
  path: string;
  maxBodyBytes: Map<string, number>;
}

export function makeRouting(functions: HostedFunctions): (path: string) => Match | undefined {
  const http = triggeredBy(functions, 'http');
  const fallback = http.find(({ trigger }) => trigger.fallback === true);
  const byShape = new Map<string, ServedPath>();
  for (const { name, trigger } of http) {
    for (const { method, path, maxBodyBytes } of trigger.routes) {
      // The name of a parameter does not tell two paths apart.
      const shape = path.replaceAll(/\{[^}]*\}/g, '{}');
      const taken = byShape.get(shape);
      if (taken && taken.functionName !== name) {
        throw new Error(`${taken.functionName} and ${name} both serve ${path}: a path belongs to one function`);
      }
      const bounds = taken?.maxBodyBytes ?? new Map<string, number>();
      if (maxBodyBytes !== undefined) bounds.set(method.toUpperCase(), maxBodyBytes);
      byShape.set(shape, { functionName: name, path, maxBodyBytes: bounds });
    }
  }
  const served = [...byShape.values()].sort((a, b) => literalFirst(a.path, b.path));
  return (path) => {
    for (const { functionName, path: template, maxBodyBytes } of served) {
      const pathParameters = matchPath(template, path);
      if (pathParameters) return { functionName, routeKey: `ANY ${template}`, pathParameters, maxBodyBytes };
    }
    return fallback && { functionName: fallback.name, routeKey: '$default', pathParameters: {} };
  };
}
