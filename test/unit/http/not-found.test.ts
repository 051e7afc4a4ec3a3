// Which path of the route table a request is about, whatever its method and in whatever order routes are declared.
import { expect, test } from 'vitest';
import { collectServedPaths, findServedPath } from '../../../shared/http/not-found.ts';

test('a literal path is told before a parameter that would fit it, with the methods of all its routes', () => {
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
