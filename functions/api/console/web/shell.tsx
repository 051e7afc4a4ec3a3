// What stands around every page: navigation, environment, the jump box, who is signed in.

import { useSignal } from '@preact/signals';
import { Component, type ComponentChildren, type ComponentType } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { toDisplayLine } from '../../../../shared/platform/display-line.ts';
import {
  address,
  environment,
  environments,
  hrefOf,
  matchPagePath,
  openAddress,
  pageCount,
  switchEnvironment,
} from './address/address.ts';
import { toError } from './api/failures.ts';
import { JumpBox } from './jump-box.tsx';
import { navigationPages, type PageProps, pageTable } from './page-table.tsx';
import { SignInPage } from './pages/sign-in-page.tsx';
import { useCurrentInView } from './parts/current-in-view.ts';
import { Link } from './parts/link.tsx';
import { FailureNote, Skeleton } from './parts/panel.tsx';
import { Toasts } from './parts/toast.tsx';
import { reloadOnce } from './state/reload-once.ts';
import { loadSession, me, sessionFailure, signOut } from './state/session.ts';
import { words } from './words/en.ts';

export function Shell() {
  const { path, query } = address.value;
  const session = me.value;
  useEffect(() => {
    if (session === null && path !== '/sign-in')
      openAddress(hrefOf('/sign-in', { env: null, next: hrefOf(path, query) }), { replace: true });
  }, [session, path]);
  useEffect(() => {
    document.documentElement.dataset['environment'] = environment.value;
  }, [environment.value]);
  if (path === '/sign-in') return <SignInPage />;
  if (sessionFailure.value)
    return (
      <main class="narrow">
        <FailureNote failure={sessionFailure.value} retry={() => void loadSession()} />
      </main>
    );
  return (
    <>
      <a class="skip-link" href="#page">
        {words.skip}
      </a>
      <Masthead />
      <main id="page">{session ? <PageOutlet /> : <Skeleton minHeight="20rem" />}</main>
      <Toasts />
      <JumpBox />
    </>
  );
}

function Masthead() {
  const { path } = address.value;
  const row = useCurrentInView(path);
  return (
    <header class="masthead">
      <Link to="/" class="wordmark">
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <path d="M6 22h20M16 6v4.5M7.5 9.5l2.8 2.8M24.5 9.5l-2.8 2.8M9.5 22a6.5 6.5 0 0 1 13 0" />
        </svg>
        {words.product}
      </Link>
      <nav ref={row} class="pages" aria-label={words.pages.label}>
        {navigationPages.map((page) => (
          <Link key={page.id} to={page.path} isCurrent={path === page.path || path.startsWith(`${page.path}/`)}>
            {words.pages[page.id]}
          </Link>
        ))}
      </nav>
      <JumpButton />
      <EnvironmentSwitch />
      <AccountMenu />
    </header>
  );
}

const JumpButton = () => (
  <button type="button" class="jump-button" onClick={() => dispatchEvent(new Event('daybook:jump'))}>
    {words.jump.button} <kbd>{/mac/i.test(navigator.platform) ? '⌘K' : 'Ctrl K'}</kbd>
  </button>
);

function EnvironmentSwitch() {
  return (
    <fieldset class="environment">
      <legend class="visually-hidden">{words.environment.label}</legend>
      {environments.map((each) => (
        <label key={each}>
          <input
            type="radio"
            name="environment"
            checked={environment.value === each}
            onChange={() => switchEnvironment(each)}
          />
          <span>{words.environment[each]}</span>
        </label>
      ))}
    </fieldset>
  );
}

function AccountMenu() {
  const session = me.value;
  if (!session) return null;
  const { email, role } = session.colleague;
  return (
    <details class="account-menu">
      <summary aria-label={words.account.menu(email)}>{toDisplayLine(email).slice(0, 1).toUpperCase()}</summary>
      <div>
        <p>{toDisplayLine(email)}</p>
        <p class="muted">
          <bdi>{toDisplayLine(session.account.name)}</bdi> · {words.account.role[role]}
        </p>
        <p>
          <a href="/docs">{words.documentation}</a>
        </p>
        <button type="button" class="button" onClick={() => void signOut()}>
          {words.account.signOut}
        </button>
      </div>
    </details>
  );
}

const loadedPages = new Map<string, ComponentType<PageProps>>();

/** Draws the page of the address. The previous page stays until the next one has loaded. */
function PageOutlet() {
  const { path } = address.value;
  const count = pageCount.value;
  const entry = pageTable.find((page) => matchPagePath(page.path, path));
  const failure = useSignal<Error | undefined>(undefined);
  const loaded = useSignal(0);
  const outlet = useRef<HTMLDivElement>(null);
  useEffect(() => {
    failure.value = undefined;
    if (!entry || loadedPages.has(entry.path)) return;
    entry
      .load()
      .then((page) => loadedPages.set(entry.path, page))
      .catch((error: unknown) => {
        if (!reloadOnce(error)) failure.value = toError(error);
      })
      .finally(() => {
        loaded.value += 1;
      });
  }, [entry]);
  // Reading the count draws the outlet again when a page has arrived.
  const Page = loaded.value >= 0 && entry ? loadedPages.get(entry.path) : undefined;
  // A screen reader hears the heading of a page that a link has opened.
  useEffect(() => {
    if (count > 0) outlet.current?.querySelector('h1')?.focus({ preventScroll: true });
  }, [count, Page]);
  if (!entry) return <NotFoundPage />;
  if (failure.value) return <FailureNote failure={failure.value} retry={() => location.reload()} />;
  const key = `${environment.value} ${path}`;
  return (
    <div ref={outlet}>
      {Page ? (
        <PageBoundary key={key}>
          <Page {...matchPagePath(entry.path, path)} />
        </PageBoundary>
      ) : (
        <Skeleton minHeight="20rem" />
      )}
    </div>
  );
}

/** A fault in one page leaves the navigation usable. */
class PageBoundary extends Component<{ children: ComponentChildren }, { error?: Error }> {
  static override getDerivedStateFromError(error: Error) {
    return { error };
  }
  override componentDidCatch(error: Error): void {
    console.error(error);
  }
  override render() {
    return this.state.error ? (
      <FailureNote failure={this.state.error} retry={() => this.setState({})} />
    ) : (
      this.props.children
    );
  }
}

const NotFoundPage = () => (
  <div class="narrow">
    <h1 tabIndex={-1}>{words.notFound.title}</h1>
    <p>{words.notFound.text}</p>
    <p>
      <Link to="/">{words.notFound.back}</Link>
    </p>
  </div>
);
