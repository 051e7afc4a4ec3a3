import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exchangeToken } from '../../../shared/mobile/exchange-token.ts';
import { openSession } from '../../../shared/mobile/open-session.ts';
import { refreshCredentials } from '../../../shared/mobile/refresh-credentials.ts';
import { listSessions, revokeSession } from '../../../shared/mobile/sdk-sessions.ts';
import type { Caller } from '../../../shared/system/caller.ts';
import { Failure } from '../../../shared/system/failure.ts';
import { admitWithToken } from '../../harness/admit-with-token.ts';
import { installation } from '../../harness/sdk.ts';
import { type System, startSystem } from '../../harness/system.ts';

const second = 1000;
const minute = 60 * second;

/** What the model knows about a session. */
interface Session {
  id: string;
  alive: boolean;
  /** The only client token that still works. */
  client: string | undefined;
  clientUntil: number;
  /** Whether a phone has ever exchanged a token for it. */
  taken: boolean;
  /** Every refresh token since the last recovery, oldest first. */
  refreshTokens: string[];
  rotatedAt: number;
  /** Whether the previous refresh token may be used once more. */
  forgiving: boolean;
}
interface IssuedToken {
  session: Session;
  token: string;
  at: number;
  /** Whether its session was recovered since. */
  dead?: boolean;
}

const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
    return 'ok';
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
};

/** Counted from the newest, because the last few are the interesting ones. */
const recent = fc.oneof({ weight: 5, arbitrary: fc.nat(2) }, fc.nat(20));

const command = fc.oneof(
  { weight: 4, arbitrary: fc.record({ what: fc.constant('open' as const), which: fc.nat(1) }) },
  { weight: 5, arbitrary: fc.record({ what: fc.constant('exchange' as const), which: recent }) },
  { weight: 8, arbitrary: fc.record({ what: fc.constant('refresh' as const), which: recent }) },
  { weight: 4, arbitrary: fc.record({ what: fc.constant('use' as const), which: recent }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('revoke' as const), which: fc.nat(1) }) },
  // No sum of these is close to one or ten minutes, because real time passes while the test runs.
  { weight: 3, arbitrary: fc.record({ what: fc.constant('wait' as const), which: fc.constantFrom(25, 61, 670) }) },
);

/** Defines the test on a system of its own, with the given number of random session histories. */
export function testSessions(numRuns: number): void {
  let system: System;
  beforeAll(async () => {
    system = await startSystem();
  });
  afterAll(() => system.stop());

  test('sessions match the model for any sequence of calls by a backend and a phone', async () => {
    const { account_id, live_key } = await system.account();
    const { deps } = system.host;
    const caller: Caller = { kind: 'api_key', account: account_id, env: 'live', form: 2 };
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 40 }), async (commands) => {
        const userId = await system.user(live_key);
        const bodies = [installation(), installation({ provider: 'samsung_health', platform: 'android' })];
        const current: (Session | undefined)[] = [undefined, undefined];
        const clients: IssuedToken[] = [];
        const refreshes: IssuedToken[] = [];
        const accesses: IssuedToken[] = [];
        const pick = (tokens: IssuedToken[], which: number): IssuedToken | undefined =>
          tokens[tokens.length - 1 - (which % tokens.length)];
        const storePair = (session: Session, pair: { access_token: string; refresh_token: string }): void => {
          const at = system.clock.now();
          refreshes.push({ session, token: pair.refresh_token, at });
          accesses.push({ session, token: pair.access_token, at });
        };

        for (const { what, which } of commands) {
          const now = system.clock.now();
          if (what === 'wait') system.clock.advance(which * second);

          if (what === 'open') {
            const body = bodies[which];
            if (!body) throw new Error('Unknown installation.');
            const known = current[which];
            const opened = await openSession(deps, caller, { userId, idempotencyKey: randomUUID(), body, origin: 'x' });
            const { session_id, client_token } = opened.bootstrap;
            expect(opened.created).toBe(!known?.alive);
            if (known?.alive) expect(session_id).toBe(known.id);
            const session: Session = known?.alive
              ? known
              : {
                  id: session_id,
                  alive: true,
                  client: undefined,
                  clientUntil: 0,
                  taken: false,
                  refreshTokens: [],
                  rotatedAt: 0,
                  forgiving: false,
                };
            // A recovery invalidates everything that the old phone has.
            for (const pair of [...refreshes, ...accesses]) if (pair.session === session) pair.dead = true;
            session.refreshTokens = [];
            session.client = client_token;
            session.clientUntil = now + 10 * minute;
            current[which] = session;
            clients.push({ session, token: client_token, at: now });
          }

          const client = what === 'exchange' ? pick(clients, which) : undefined;
          if (client) {
            const { session, token } = client;
            const works = session.alive && session.client === token && now < session.clientUntil;
            const request = exchangeToken(deps, { client_token: token });
            expect(await codeOf(request)).toBe(works ? 'ok' : 'invalid_token');
            if (works) {
              const pair = await request;
              Object.assign(session, { client: undefined, taken: true, rotatedAt: now, forgiving: false });
              session.refreshTokens.push(pair.refresh_token);
              storePair(session, pair);
            }
          }

          const renewed = what === 'refresh' ? pick(refreshes, which) : undefined;
          if (renewed) {
            const { session, token } = renewed;
            const request = refreshCredentials(deps, token);
            const code = await codeOf(request);
            const [before, newest] = [session.refreshTokens.at(-2), session.refreshTokens.at(-1)];
            if (renewed.dead) expect(code).toBe('invalid_token');
            else if (session.alive && token === newest) {
              expect(code).toBe('ok');
              const pair = await request;
              expect(session.refreshTokens).not.toContain(pair.refresh_token);
              session.refreshTokens.push(pair.refresh_token);
              Object.assign(session, { rotatedAt: now, forgiving: true });
              storePair(session, pair);
            } else if (session.alive && token === before && session.forgiving && now - session.rotatedAt <= minute) {
              expect(code).toBe('ok');
              expect((await request).refresh_token).toBe(newest);
              session.forgiving = false;
            } else {
              expect(code).toBe('invalid_token');
              session.alive = false;
            }
          }

          const used = what === 'use' ? pick(accesses, which) : undefined;
          if (used) {
            const old = now - used.at >= 24 * 60 * minute;
            const code = await codeOf(admitWithToken(deps, used.token));
            expect(code).toBe(old ? 'token_expired' : used.session.alive && !used.dead ? 'ok' : 'invalid_token');
          }

          const ended = what === 'revoke' ? current[which] : undefined;
          if (ended) {
            expect(await codeOf(revokeSession(deps, caller, userId, ended.id))).toBe(ended.alive ? 'ok' : 'not_found');
            ended.alive = false;
          }
        }

        const listed = await listSessions(deps, caller, userId);
        const expectedSessions = current
          .filter((session) => session?.alive)
          .map((session) => [session?.id, session?.taken ? 'active' : 'pending']);
        expect(listed.map(({ id, status }) => [id, status]).sort()).toEqual(expectedSessions.sort());
      }),
      { numRuns },
    );
  }, 120_000);
}
