// What every route does with a query parameter that it does not know.
import { expect, test } from 'vitest';
import * as z from 'zod';
import type { Endpoint } from '../../shared/http/endpoint.ts';
import type { ApiResponse } from '../harness/send-request.ts';

export interface ParameterCalls {
  /** Sends a request that would be valid without this query. */
  send: (query: string) => Promise<ApiResponse>;
  /** Sends a valid request with this query added, and returns both statuses. */
  sendValid: (query: string) => Promise<{ status: number; expected: number }>;
  /** The same, without a credential. */
  sendAnonymously: (query: string) => Promise<ApiResponse>;
}

const otherSenders = new Set(['Connecting', 'Joining', 'Provider pushes', 'Sandbox', 'Service']);

/** An app takes a 400 for the end of a batch, and its data would be lost. */
const isCalledByPhones = ({ route: { path } }: Endpoint): boolean => path.startsWith('/v1/sdk/');

/** People, monitors and providers open these, with parameters that nobody here chooses. */
const isOpenedByOthers = ({ route: { path, tags = [] } }: Endpoint): boolean =>
  path === '/' ||
  path.startsWith('/docs') ||
  /^\/console(\/\{|$)/.test(path) ||
  tags.some((tag) => otherSenders.has(tag));

const listParameters = ({ route }: Endpoint): string[] =>
  route.request?.query instanceof z.ZodObject ? Object.keys(route.request.query.shape) : [];

const misspell = (name: string): string => (name.length < 3 ? `${name}o` : name.replace(/^(.)(.)(.)/, '$1$3$2'));

export function testMisspeltParameters(endpoint: Endpoint, { send, sendValid, sendAnonymously }: ParameterCalls): void {
  const names = listParameters(endpoint);
  if (isOpenedByOthers(endpoint) || isCalledByPhones(endpoint)) {
    test('ignores parameters that it does not know', async () => {
      const { status, expected } = await sendValid('fromdate=1');
      expect(status).toBe(expected);
    });
    return;
  }

  test('rejects a misspelt parameter and names the nearest', async () => {
    for (const name of names) {
      const response = await send(`${misspell(name)}=1`);
      expect([response.status, response.body]).toEqual([
        400,
        {
          error: 'invalid_request',
          message: `Unknown parameter \`${misspell(name)}\`. Did you mean \`${name}\`?`,
          details: { issues: [{ path: misspell(name), message: `unknown parameter; did you mean ${name}?` }] },
        },
      ]);
    }
    const response = await send('wxyz=1');
    const parameterList = names.map((name) => `\`${name}\``).join(', ') || 'no query parameters';
    expect([response.status, response.body.message]).toEqual([
      400,
      `Unknown parameter \`wxyz\`. This call takes ${parameterList}.`,
    ]);
  });

  if (endpoint.callers.length === 0) return;
  test('checks the credential before the parameters', async () => {
    expect((await sendAnonymously('wxyz=1')).status).toBe(401);
  });
}
