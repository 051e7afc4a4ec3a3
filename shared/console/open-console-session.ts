// Begins a session when a colleague has signed in. Every sign-in begins a new one with a new token:
// what the browser sent before is never continued.
import { type Act, buildDoneEntry } from '../audit/record-act.ts';
import type { Write } from '../platform/ports.ts';
import type { Deps } from '../system/deps.ts';
import { newId } from '../system/new-id.ts';
import { type ColleagueRow, colleagueRows } from './colleague-rows.ts';
import { newSecret } from './console-secret.ts';
import { type ConsoleSessionRow, consoleSessionRows } from './console-session-rows.ts';
import { addKnownNetwork } from './known-networks.ts';
import type { SignInMethod } from './sign-in-method.ts';

export const sessionHours = 12;
const sessionLifetimeMs = sessionHours * 3_600_000;
/** Of each colleague. One more ends the oldest. */
export const maxSessions = 5;

export interface OpenedConsoleSession {
  /** For the cookie. */
  token: string;
  session: ConsoleSessionRow;
}

export interface SignIn {
  method: SignInMethod;
  /** The session that the browser had, which ends if it is the same colleague's. */
  previousHash?: string | undefined;
  /** Where the colleague signs in, for the audit trail. */
  request: Act['request'];
  /** The writes that use up what the colleague signed in with. */
  writes: Write[];
}

/**
 * One transaction uses up the credential and begins the session, so that neither happens alone.
 * Throws `TransactionCanceled` if the credential or the colleague has changed since it was read.
 */
export async function openConsoleSession(
  deps: Deps,
  colleague: ColleagueRow,
  { method, previousHash, request, writes }: SignIn,
): Promise<OpenedConsoleSession> {
  const nowMs = deps.clock.now();
  const { text: token, hash } = newSecret(deps, 'console-session');
  const { account, role, makerEpoch, email } = colleague;
  const session: ConsoleSessionRow = {
    id: newId(deps, 'consoleSession'),
    hash,
    account,
    colleague: colleague.id,
    email,
    role,
    makerEpoch,
    method,
    createdMs: nowMs,
    expiresMs: nowMs + sessionLifetimeMs,
    fullAtMs: 0,
  };
  const running = colleague.sessions.filter((each) => each.hash !== previousHash && each.expiresMs > nowMs);
  const sessions = [...running, { id: session.id, hash, expiresMs: session.expiresMs }].slice(-maxSessions);
  const kept = new Set(sessions.map((each) => each.hash));
  const ended = colleague.sessions.filter((each) => !kept.has(each.hash));
  await deps.store.commit([
    ...writes,
    colleagueRows(deps.store).buildUpdate(colleague, {
      ...colleague,
      joinedMs: colleague.joinedMs ?? nowMs,
      sessions,
      networks: addKnownNetwork(deps, colleague.networks, request?.network),
    }),
    consoleSessionRows(deps.store).buildInsert(session),
    buildDoneEntry(deps, {
      account,
      env: 'live',
      actor: { kind: 'colleague', id: colleague.id, email },
      action: 'session.created',
      ids: [session.id],
      request,
    }),
    ...ended.map((each) => consoleSessionRows(deps.store).buildDelete(each.hash)),
  ]);
  return { token, session };
}
