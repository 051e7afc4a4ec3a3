// Which path of the route table a request matches, regardless of its method and of the order of the
// routes.
import { expect, test } from 'vitest';
import { collectServedPaths, findServedPath } from '../../../shared/http/not-found.ts';

test('a literal path takes precedence over a parameter that would match it, with the methods of all its routes', () => {
  const routes = [
    { method: 'delete', path: '/roster/{member}' },
    { method: 'patch', path: '/roster/{id}' },
    { method: 'get', path: '/roster/invitations' },
    { method: 'post', path: '/roster/invitations' },
  ];
  for (const declared of [routes, routes.toReversed()]) {
    const methodsOf = (path: string) => [...(findServedPath(collectServedPaths(declared), path)?.methods ?? [])].sort();
    expect(methodsOf('/roster/invitations')).toEqual(['GET', 'HEAD', 'OPTIONS', 'POST']);
    expect(methodsOf('/roster/mem_1')).toEqual(['DELETE', 'OPTIONS', 'PATCH']);
    expect(methodsOf('/elsewhere')).toEqual([]);
  }
});
