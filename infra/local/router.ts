// Finds the function for a path as API Gateway does among `ANY` routes: literal segments win over
// parameters.
import { compareLiteralFirst, matchPath } from '../../shared/http/path-template.ts';
import { type HostedFunctions, listByTrigger } from './function-runner.ts';

export interface RouteMatch {
  functionName: string;
  routeKey: string;
  pathParameters: Record<string, string>;
  /** By method, for methods that take a body. */
  maxBodyBytes?: ReadonlyMap<string, number>;
}

interface ServedPath {
  functionName: string;
  path: string;
  maxBodyBytes: Map<string, number>;
}

export function createRouter(functions: HostedFunctions): (path: string) => RouteMatch | undefined {
  const http = listByTrigger(functions, 'http');
  const fallback = http.find(({ trigger }) => trigger.fallback === true);
  const byPattern = new Map<string, ServedPath>();
  for (const { name, trigger } of http) {
    for (const { method, path, maxBodyBytes } of trigger.routes) {
      // Two paths that differ only in parameter names are the same path.
      const pattern = path.replaceAll(/\{[^}]*\}/g, '{}');
      const existing = byPattern.get(pattern);
      if (existing && existing.functionName !== name) {
        throw new Error(`${existing.functionName} and ${name} both serve ${path}: a path belongs to one function`);
      }
      const bounds = existing?.maxBodyBytes ?? new Map<string, number>();
      if (maxBodyBytes !== undefined) bounds.set(method.toUpperCase(), maxBodyBytes);
      byPattern.set(pattern, { functionName: name, path, maxBodyBytes: bounds });
    }
  }
  const routes = [...byPattern.values()].sort((a, b) => compareLiteralFirst(a.path, b.path));
  return (path) => {
    for (const { functionName, path: template, maxBodyBytes } of routes) {
      const pathParameters = matchPath(template, path);
      if (pathParameters) return { functionName, routeKey: `ANY ${template}`, pathParameters, maxBodyBytes };
    }
    return fallback && { functionName: fallback.name, routeKey: '$default', pathParameters: {} };
  };
}
