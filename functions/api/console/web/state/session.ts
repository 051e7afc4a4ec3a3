// Who is signed in.
import { computed, signal } from '@preact/signals';
import { hrefOf, openAddress } from '../address/address.ts';
import { type OwnSchemas, ownApi } from '../api/client.ts';
import { ApiFailure, unwrap } from '../api/failures.ts';
import { forgetResponses } from '../api/send.ts';

type Me = OwnSchemas['ConsoleProfile'];
export type OwnRole = Me['colleague']['role'];

/** Undefined until the server has answered, null when nobody is signed in. */
export const me = signal<Me | null | undefined>(undefined);
export const sessionFailure = signal<Error | undefined>(undefined);

export const role = computed<OwnRole | undefined>(() => me.value?.colleague.role);

export async function loadSession(): Promise<void> {
  try {
    me.value = await unwrap(ownApi.GET('/console/api/me'));
    sessionFailure.value = undefined;
  } catch (error) {
    if (isSignedOut(error)) me.value = null;
    else sessionFailure.value = error instanceof Error ? error : new Error(String(error));
  }
}

export const isSignedOut = (error: unknown): boolean => error instanceof ApiFailure && error.status === 401;

/** The server asks for a link or a passkey that was used a moment ago. */
export const needsRecentSignIn = (error: unknown): boolean =>
  error instanceof ApiFailure && error.code === 'recent_sign_in_required';

export async function signOut(): Promise<void> {
  await unwrap(ownApi.DELETE('/console/api/session'));
  forgetResponses();
  me.value = null;
  openAddress(hrefOf('/sign-in', { env: null }));
}

/** Opens the page that the person wanted before they had to sign in. */
export async function enter(next: string | undefined): Promise<void> {
  forgetResponses();
  // Whatever fails here is shown: the server may refuse the session that it has just begun.
  me.value = await unwrap(ownApi.GET('/console/api/me'));
  sessionFailure.value = undefined;
  // Only an address of the console itself: `next` stands in a link that anybody can write.
  const target = next?.startsWith('/console/') || next?.startsWith('/console?') ? next : hrefOf('/');
  openAddress(target, { replace: true });
}
