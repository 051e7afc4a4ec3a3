// Who is signed in.
import { computed, signal } from '@preact/signals';
import { type Changed, mayChange } from '../../../../../shared/system/role-rights.ts';
import { hrefOf, openAddress } from '../address/address.ts';
import { type ConsoleSchemas, consoleClient } from '../api/client.ts';
import { ApiFailure, toError, unwrap } from '../api/failures.ts';
import { forgetResponses } from '../api/send.ts';

type Me = ConsoleSchemas['ConsoleProfile'];
export type ConsoleRole = Me['colleague']['role'];

/** Undefined until the server has answered, null when nobody is signed in. */
export const me = signal<Me | null | undefined>(undefined);
export const sessionFailure = signal<Error | undefined>(undefined);

export const role = computed<ConsoleRole | undefined>(() => me.value?.colleague.role);

export const everyRole: readonly ConsoleRole[] = ['owner', 'developer', 'support'];
/** Support sees states and errors. The other roles also see values. */
export const valueRoles: readonly ConsoleRole[] = ['owner', 'developer'];
export const hasRole = (roles: readonly ConsoleRole[]): boolean =>
  role.value !== undefined && roles.includes(role.value);

/** Whether a route that changes or hands out this permits the role. */
export const isPermitted = (changed: Changed): boolean => role.value !== undefined && mayChange(role.value, changed);

export async function loadSession(): Promise<void> {
  try {
    me.value = await unwrap(consoleClient.GET('/console/api/me'));
    sessionFailure.value = undefined;
  } catch (error) {
    if (isSignedOut(error)) me.value = null;
    else sessionFailure.value = toError(error);
  }
}

export const isSignedOut = (error: unknown): boolean => error instanceof ApiFailure && error.status === 401;

export async function signOut(): Promise<void> {
  await unwrap(consoleClient.DELETE('/console/api/session'));
  forgetResponses();
  me.value = null;
  openAddress(hrefOf('/sign-in', { env: null }));
}

/** Opens the page that the person wanted before they had to sign in. */
export async function openAfterSignIn(next: string | undefined): Promise<void> {
  forgetResponses();
  // A failure here is shown: the server may refuse the session that it has just begun.
  me.value = await unwrap(consoleClient.GET('/console/api/me'));
  sessionFailure.value = undefined;
  const wanted = next ?? readWantedPage();
  localStorage.removeItem(wantedPageKey);
  // Only an address of the console itself: `next` stands in a link that anybody can write.
  const target = wanted?.startsWith('/console/') || wanted?.startsWith('/console?') ? wanted : hrefOf('/');
  openAddress(target, { replace: true });
}

const wantedPageKey = 'daybook-wanted-page';
/** As long as a sign-in link works. */
const wantedPageMilliseconds = 10 * 60_000;

/** A sign-in link opens in a tab of its own, which does not know the page that this tab wanted. */
export const storeWantedPage = (next: string): void => localStorage.setItem(wantedPageKey, `${Date.now()} ${next}`);

function readWantedPage(): string | undefined {
  const [storedMs = '', next] = localStorage.getItem(wantedPageKey)?.split(' ') ?? [];
  return Date.now() - Number(storedMs) < wantedPageMilliseconds ? next : undefined;
}
