// The session of a reader who is signed in to the console. With it, a form sends requests as the
// console does, and the page holds no key.
import type { Environment } from '../../../../shared/system/caller.ts';
import { type ConsoleApiSchemas, readJson } from '../../docs-kit/browser/api-response.ts';
import { readFromTab, storeInTab } from '../../docs-kit/browser/tab-storage.ts';
import { forgetApiKey } from '../../docs-kit/browser/token-field.ts';

type Profile = ConsoleApiSchemas['ConsoleProfile'];

const environmentHeader = 'Daybook-Environment';

const storageKey = 'daybook.environment';
const followers = new Set<() => void>();
/** Only a live choice that was made in this tab is live. */
let environment: Environment = readFromTab(storageKey) === 'live' ? 'live' : 'sandbox';

export const getEnvironment = (): Environment => environment;

export function setEnvironment(chosen: Environment): void {
  environment = chosen;
  storeInTab(storageKey, chosen);
  for (const follow of followers) follow();
}

/** What a session needs to count in a request of this page; the browser adds the cookie. */
export const buildSessionHeaders = (): [name: string, value: string][] => [[environmentHeader, environment]];

/** Runs now and after every change. */
export function followEnvironment(follow: () => void): void {
  followers.add(follow);
  follow();
}

let loading: Promise<Profile | undefined> | undefined;

/** Undefined if nobody is signed in. The page asks once, when the reader opens the first form. */
export function loadProfile(base: string): Promise<Profile | undefined> {
  loading ??= requestProfile(base).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/** The session has ended, so the next form asks again. */
export function forgetSession(): void {
  loading = undefined;
}

async function requestProfile(base: string): Promise<Profile | undefined> {
  const response = await fetch(new URL('console/api/me', base), {
    headers: [['Accept', 'application/json'], ...buildSessionHeaders()],
    cache: 'no-store',
  });
  if (response.status === 401) return undefined;
  const profile = await readJson<Profile>(response);
  forgetApiKey();
  return profile;
}
