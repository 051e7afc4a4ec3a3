// Tokens and accounts with arbitrary corrupted values. A grant is either refused or accepted, and
// never accepted with values that cannot be stored.
import { expect, test } from 'vitest';
import { cloudProviderIds } from '../../../shared/catalog/provider.ts';
import { getProviderAdapter } from '../../../shared/providers/adapters.ts';
import { providerDescriptors } from '../../../shared/providers/catalog.ts';
import { type Grant, GrantRefused } from '../../../shared/providers/kit/grant.ts';
import {
  type ProviderRequest,
  type ProviderResponse,
  UnexpectedResponse,
} from '../../../shared/providers/kit/request-flow.ts';
import { getSimulator } from '../../../shared/sandbox/simulated-providers/simulators.ts';
import { corruptJson } from '../../harness/corrupt-json.ts';
import { randomFrom } from '../../harness/faults.ts';
import { makeGrantContext, makeResponse, runRequestFlow, testCredentials } from '../../harness/request-flow.ts';
import { respondAsProvider } from '../../harness/simulated-provider.ts';

const nowMs = Date.parse('2026-03-31T15:00:00Z');
const rounds = 100;
const jwt = `e30.${Buffer.from(JSON.stringify({ user: '475' })).toString('base64url')}.c2ln`;

/** Responds as the provider would, or as most providers do. */
function respond(provider: (typeof cloudProviderIds)[number]): (request: ProviderRequest) => ProviderResponse {
  const shapes = getSimulator(provider);
  if (!shapes) throw new Error(`the sandbox does not simulate ${provider}`);
  const issued = {
    ...{ accessToken: jwt, refreshToken: 'refresh-2', expiresInSeconds: 3_600, account: '475' },
    ...{ scopes: providerDescriptors[provider].scopes, isFirst: true },
  };
  const standard = { access_token: jwt, refresh_token: 'refresh-2', expires_in: 3_600, scope: issued.scopes.join(' ') };
  const tokens = shapes.renderTokens?.(issued) ?? makeResponse(standard);
  const data = respondAsProvider(shapes, () => [], { account: '475', nowMs });
  return (request) => (request.form?.['grant_type'] === undefined ? data(request) : tokens);
}

function expectValidGrant({ expiresMs, scopes, accessToken }: Grant, about: string): void {
  expect(expiresMs === null || Number.isSafeInteger(Math.round(expiresMs)), about).toBe(true);
  expect(JSON.stringify([accessToken, scopes]).length, about).toBeLessThan(40_000);
}

test.each(cloudProviderIds)('%s may send any response when a code is exchanged', (provider) => {
  const { grant } = getProviderAdapter(provider);
  const random = randomFrom(17);
  const answer = respond(provider);
  const input = {
    ...{ credentials: testCredentials, redirectUri: 'https://day.example/x', code: 'c', verifier: 'v' },
    ...{ externalId: 'dev_1', nowMs, query: {} },
  };
  let accepted = 0;
  let refusal = '';
  for (let round = 0; round < rounds; round++)
    try {
      const { result } = runRequestFlow(grant.exchange(input), (request) => {
        const reply = answer(request);
        return random() < 0.5 ? { ...reply, text: corruptJson(reply.text, random) } : reply;
      });
      expectValidGrant(result, `round ${round}`);
      accepted += 1;
    } catch (error) {
      if (!(error instanceof GrantRefused || error instanceof UnexpectedResponse)) throw error;
      refusal = error.message;
    }
  const about =
    `few responses were accepted, and the last refusal was "${refusal}". ` +
    `If ${provider} names the account in the token response, its simulator needs renderTokens`;
  expect(accepted, about).toBeGreaterThan(10);
});

test.each(cloudProviderIds)('%s may send any response when tokens are refreshed, revoked or rejected', (provider) => {
  const { grant } = getProviderAdapter(provider);
  const random = randomFrom(18);
  const answer = respond(provider);
  const context = { ...makeGrantContext(), nowMs };
  for (let round = 0; round < rounds; round++) {
    const input = grant.refresh?.buildRequest(context);
    const reply = input ? answer(input) : makeResponse({});
    const bad = { ...reply, status: random() < 0.7 ? reply.status : 400, text: corruptJson(reply.text, random) };
    const verdict = grant.refresh?.interpret(bad, context);
    if (verdict && typeof verdict !== 'string') expectValidGrant(verdict, `round ${round}`);
    grant.refresh?.readAccount?.(bad);
    grant.classifyResponse?.(bad);
    try {
      runRequestFlow(grant.revoke(context), () => bad);
    } catch (error) {
      if (!(error instanceof UnexpectedResponse)) throw error;
    }
  }
});
