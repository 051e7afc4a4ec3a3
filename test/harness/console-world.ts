// Colleagues of one account on an in-memory table: they sign in without a browser.
import { createAccount } from '../../shared/accounts/accounts.ts';
import { admitSession, type ColleagueCaller } from '../../shared/console/admit-session.ts';
import type { ColleagueRow } from '../../shared/console/colleague-rows.ts';
import { createColleague, getColleague } from '../../shared/console/colleagues.ts';
import type { OpenedConsoleSession } from '../../shared/console/open-console-session.ts';
import { issueSignInLink, signInWithLink } from '../../shared/console/sign-in-link.ts';
import type { ColleagueRole } from '../../shared/system/caller.ts';
import type { Deps } from '../../shared/system/deps.ts';
import { type MemoryDeps, memoryDeps } from './memory-deps.ts';

export const consoleOrigin = 'https://daybook.example.com';
export const consoleRequest = { network: '203.0.113.0/24', id: 'a-request' } as const;

export interface ConsoleWorld extends MemoryDeps {
  account: string;
  add(role?: ColleagueRole, email?: string): Promise<ColleagueRow>;
  /** The colleague as the table has them now. */
  read(colleague: Pick<ColleagueRow, 'id'>): Promise<ColleagueRow>;
  /** The secret of a new link. */
  secretFor(colleague: ColleagueRow): Promise<string>;
  signIn(colleague: ColleagueRow, previousHash?: string): Promise<OpenedConsoleSession>;
  admit(opened: OpenedConsoleSession, on?: Deps): Promise<ColleagueCaller>;
  /** A new colleague of the role, who is signed in. */
  callerOf(role?: ColleagueRole): Promise<ColleagueCaller>;
}

export async function openConsoleWorld(): Promise<ConsoleWorld> {
  const memory = memoryDeps();
  const { deps } = memory;
  const { account_id: account } = await createAccount(deps, { name: 'The Lab' });
  let addressCount = 0;
  const add: ConsoleWorld['add'] = (role = 'owner', email = `${role}-${++addressCount}@example.com`) =>
    createColleague(deps, account, { email, role });
  const secretFor = async (colleague: ColleagueRow): Promise<string> =>
    new URL((await issueSignInLink(deps, colleague, consoleOrigin)).url).hash.slice(1);
  const signIn: ConsoleWorld['signIn'] = async (colleague, previousHash) =>
    signInWithLink(deps, await secretFor(colleague), { previousHash, request: consoleRequest });
  const admit: ConsoleWorld['admit'] = async ({ session }, on = deps) =>
    (await admitSession(on, session.hash, 'live')).caller;
  return {
    ...memory,
    account,
    add,
    read: ({ id }) => getColleague(deps, account, id),
    secretFor,
    signIn,
    admit,
    callerOf: async (role) => admit(await signIn(await add(role))),
  };
}
