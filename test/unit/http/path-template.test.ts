import { expect, test } from 'vitest';
import { compareLiteralFirst, matchPath } from '../../../shared/http/path-template.ts';

test.each([
  ['/v1/users/{id}', '/v1/users/usr_1', { id: 'usr_1' }],
  ['/v1/users/{id}', '/v1/users/a%2Fb', { id: 'a/b' }],
  ['/v1/users/{id}', '/v1/%75sers/%zz', { id: '%zz' }],
  ['/v1/users/{id}/devices/{device}', '/v1/users/1/devices/2', { id: '1', device: '2' }],
  ['/v1/users', '/v1/users', {}],
  ['/v1/users', '/v1/users/', undefined],
  ['/v1/users/{id}', '/v1/users/', undefined],
  ['/v1/users/{id}', '/v1/users/1/2', undefined],
  ['/v1/users/{id}', '/V1/users/1', undefined],
  ['/a/{b}/{rest+}', '/a/1/2', { b: '1', rest: '2' }],
  ['/a/{b}/{rest+}', '/a/1/2/3%2F4/5', { b: '1', rest: '2/3/4/5' }],
  ['/a/{b}/{rest+}', '/a/1', undefined],
  ['/a/{b}/{rest+}', '/a/1/', undefined],
])('the template %s matched against %s', (template, path, values) => {
  expect(matchPath(template, path)).toEqual(values);
});

test('of several templates the most literal one comes first', () => {
  const templates = ['/{a}/b', '/a/{b}', '/a/b', '/{a}/{b}'];
  expect(templates.toSorted(compareLiteralFirst)).toEqual(['/a/b', '/a/{b}', '/{a}/b', '/{a}/{b}']);
});
