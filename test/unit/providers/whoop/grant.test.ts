import { describe, expect, test } from 'vitest';
import { whoopGrant } from '../../../../shared/providers/whoop/grant.ts';
import { makeGrantContext, makeResponse, runRequestFlow } from '../../../harness/request-flow.ts';

const scopes = ['offline', 'read:sleep'];
const judge = (body: unknown, status: number) =>
  whoopGrant.refresh?.interpret(makeResponse(body, status), makeGrantContext({ scopes }));

describe('a refresh', () => {
  test('requests the offline scope again, without which there would be no next refresh', () => {
    expect(whoopGrant.refresh?.buildRequest(makeGrantContext())).toMatchObject({
      method: 'POST',
      url: 'https://api.prod.whoop.com/oauth/oauth2/token',
      form: {
        grant_type: 'refresh_token',
        refresh_token: 'refresh-1',
        client_id: 'client-1',
        client_secret: 'secret-1',
        scope: 'offline',
      },
    });
  });

  test('returns new tokens, and the granted scopes stay', () => {
    expect(
      judge(
        {
          access_token: 'access-2',
          refresh_token: 'refresh-2',
          expires_in: 3600,
          scope: 'offline',
          token_type: 'bearer',
        },
        200,
      ),
    ).toEqual({
      accessToken: 'access-2',
      refreshToken: 'refresh-2',
      expiresMs: Date.parse('2026-03-10T13:00:00Z'),
      scopes,
    });
  });

  test.each([
    ['dead', 400, { error: 'invalid_grant', error_description: 'The provided authorization grant is invalid.' }],
    ['ours', 401, { error: 'invalid_client' }],
    ['unclear', 400, { error: 'invalid_request' }],
    ['unclear', 500, {}],
    ['unclear', 200, 'a page'],
  ])('is %s after %i %j', (verdict, status, body) => {
    expect(judge(body, status)).toBe(verdict);
  });
});

test('the account is the user id of the profile, as pushes name it', () => {
  const { result } = runRequestFlow(
    whoopGrant.exchange({
      credentials: makeGrantContext().credentials,
      redirectUri: 'https://daybook.example/connect/callback/whoop',
      code: 'code-1',
      verifier: 'verifier-1',
      externalId: 'usr_1',
      nowMs: 0,
      query: {},
    }),
    (_request, at) =>
      at === 0
        ? makeResponse({ access_token: 'a', refresh_token: 'r', expires_in: 3600, scope: 'offline read:sleep' })
        : makeResponse({ user_id: 10129, email: 'ada@example.com', first_name: 'Ada', last_name: 'L' }),
  );
  expect(result).toMatchObject({ account: '10129', scopes });
});

test('consent is revoked with the access token', () => {
  const { requests } = runRequestFlow(whoopGrant.revoke(makeGrantContext()), () => makeResponse('', 204));
  expect(requests).toEqual([
    {
      method: 'DELETE',
      url: 'https://api.prod.whoop.com/developer/v2/user/access',
      headers: { authorization: 'Bearer access-1' },
    },
  ]);
});
