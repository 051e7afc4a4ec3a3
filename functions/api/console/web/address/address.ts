// The address is the state: the page is its path, and filters, ranges, tabs and open panels are its
// query, so that a copied address opens the same view.
import { computed, signal } from '@preact/signals';

export const basePath = '/console';

export interface Address {
  /** Below `/console`, beginning with a slash. */
  path: string;
  query: Readonly<Record<string, string>>;
}

/** `null` removes a value from the address. */
export type QueryChanges = Readonly<Record<string, string | null>>;

const parseAddress = (url: URL): Address => ({
  path: url.pathname.slice(basePath.length).replace(/\/$/, '') || '/',
  query: Object.fromEntries(url.searchParams),
});

export const address = signal<Address>(parseAddress(new URL(location.href)));

/** Increases with every page that is opened, so that the shell can move the focus to it. */
export const pageCount = signal(0);

/** The environment is part of every address: what is true in one is not true in the other. */
export const environments = ['live', 'sandbox'] as const;
export type ShownEnvironment = (typeof environments)[number];
const environmentStorageKey = 'daybook-environment';

const isEnvironment = (value: string | null | undefined): value is ShownEnvironment =>
  environments.some((each) => each === value);

function defaultEnvironment(): ShownEnvironment {
  const last = localStorage.getItem(environmentStorageKey);
  return isEnvironment(last) ? last : 'sandbox';
}

export const environment = computed<ShownEnvironment>(() => {
  const { env } = address.value.query;
  return isEnvironment(env) ? env : defaultEnvironment();
});

/** The URL of a page in the same environment, for links. */
export function hrefOf(path: string, query: QueryChanges = {}): string {
  const values = { env: environment.value, ...query };
  const pairs = Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [[name, value]]));
  const search = new URLSearchParams(pairs).toString();
  return `${basePath}${path === '/' ? '' : path}${search === '' ? '' : `?${search}`}`;
}

/** Opens an address of the console, as a link to it would. */
export function openAddress(href: string, { replace = false }: { replace?: boolean } = {}): void {
  const url = new URL(href, location.href);
  const isSamePage = url.pathname === location.pathname;
  if (replace) history.replaceState(history.state, '', url);
  else history.pushState({ drawerSteps: countDrawerSteps(url) }, '', url);
  address.value = parseAddress(url);
  if (isSamePage) return;
  scrollTo(0, 0);
  pageCount.value += 1;
}

/**
 * Changes what the page shows. A change that a person would want to undo with the back button, such
 * as another tab, is a step of the history; one while typing replaces the last step.
 */
export function changeQuery(changes: QueryChanges, options: { replace?: boolean } = {}): void {
  const { path, query } = address.value;
  openAddress(hrefOf(path, { ...query, ...changes }), options);
}

/** A drawer over the page is open while the address names what is in it. */
export const drawerParameter = 'why';

/** How many steps back the page without the drawer is; 0 if the drawer's address was opened directly. */
function readDrawerSteps(): number {
  const state: unknown = history.state;
  return typeof state === 'object' && state && 'drawerSteps' in state ? Number(state.drawerSteps) : 0;
}

function countDrawerSteps(next: URL): number {
  if (!next.searchParams.has(drawerParameter)) return 0;
  const isOpen = address.peek().query[drawerParameter] !== undefined;
  if (!isOpen) return 1;
  return readDrawerSteps() === 0 ? 0 : readDrawerSteps() + 1;
}

/** Goes back to the page as it was, so that the back button does not open the drawer again. */
export function closeDrawer(): void {
  if (address.peek().query[drawerParameter] === undefined) return;
  const steps = readDrawerSteps();
  if (steps > 0) history.go(-steps);
  else changeQuery({ [drawerParameter]: null }, { replace: true });
}

export function switchEnvironment(env: ShownEnvironment): void {
  localStorage.setItem(environmentStorageKey, env);
  changeQuery({ env });
}

/** Follows the browser's buttons and the links of the console. Call it once. */
export function followAddress(): void {
  addEventListener('popstate', () => {
    address.value = parseAddress(new URL(location.href));
  });
  addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const isPlainClick = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!link || !isPlainClick || event.defaultPrevented || link.target !== '' || link.hasAttribute('download')) return;
    const isOwn = link.pathname === basePath || link.pathname.startsWith(`${basePath}/`);
    if (link.origin !== location.origin || !isOwn || link.hash !== '') return;
    event.preventDefault();
    openAddress(link.href);
  });
  if (!isEnvironment(address.value.query['env']) && address.value.path !== '/sign-in')
    changeQuery({ env: defaultEnvironment() }, { replace: true });
}

/** The parameters of a path such as `/people/{id}`, or undefined if it does not match. */
export function matchPagePath(template: string, path: string): Record<string, string> | undefined {
  const names = template.split('/');
  const values = path.split('/');
  if (names.length !== values.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [at, name] of names.entries()) {
    const value = values[at] ?? '';
    if (name.startsWith('{')) {
      const decoded = decodePart(value);
      if (decoded === undefined) return undefined;
      parameters[name.slice(1, -1)] = decoded;
    } else if (name !== value) return undefined;
  }
  return parameters;
}

/** Undefined for text that is not encoded as a part of a URL, which anybody can write in a link. */
export function decodePart(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
