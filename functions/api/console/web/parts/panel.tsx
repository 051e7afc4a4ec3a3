// Draws a resource in each of its states: loading, empty, failed, offline, ready.
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { toDisplayLine } from '../../../../../shared/platform/display-line.ts';
import { address, hrefOf } from '../address/address.ts';
import { ApiFailure, Offline } from '../api/failures.ts';
import { formatClock } from '../state/format.ts';
import type { Resource } from '../state/resource.ts';
import { isSignedOut, me } from '../state/session.ts';
import { words } from '../words/en.ts';

interface PanelProps<Data> {
  of: Resource<Data>;
  /** The height that the content will about have, so that nothing moves when it arrives. */
  minHeight?: string;
  isEmpty?: (data: Data) => boolean;
  /** Says what would fill the panel, with the button that does it. */
  empty?: ComponentChildren;
  children: (data: Data) => ComponentChildren;
}

export function Panel<Data>({ of: resource, minHeight = '6rem', isEmpty, empty, children }: PanelProps<Data>) {
  const data = resource.data.value;
  const failure = resource.failure.value;
  if (data === undefined && !failure) return <Skeleton minHeight={minHeight} />;
  if (data === undefined) return <FailureNote failure={failure} retry={() => void resource.reload()} />;
  const readAt = resource.loadedAt.value;
  return (
    <>
      {failure instanceof Offline && readAt !== undefined ? (
        <p class="offline-note" role="status">
          {words.offline(formatClock(new Date(readAt)))}
        </p>
      ) : (
        failure && <FailureNote failure={failure} retry={() => void resource.reload()} />
      )}
      {isEmpty?.(data) ? <div class="empty">{empty ?? words.table.empty}</div> : children(data)}
    </>
  );
}

const skeletonDelayMilliseconds = 200;

/** Takes its place at once, and becomes visible only if loading takes long enough to be noticed. */
export function Skeleton({ minHeight }: { minHeight: string }) {
  const [isVisible, setVisible] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setVisible(true), skeletonDelayMilliseconds);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class={isVisible ? 'skeleton visible' : 'skeleton'} style={{ minHeight }} aria-busy="true">
      {isVisible && (
        <span class="visually-hidden" role="status">
          {words.loading}
        </span>
      )}
    </div>
  );
}

/** Why a colleague who is signed in sees the sign-in page. */
export const recentSignInReason = 'recent';

/** Where something failed: the API's sentence, its code, the request's id and a way to try again. */
export function FailureNote({ failure, retry }: { failure: Error | undefined; retry?: () => void }) {
  useEffect(() => {
    // On the sign-in page, a link or a passkey was refused, and not the session.
    if (isSignedOut(failure) && address.peek().path !== '/sign-in') me.value = null;
  }, [failure]);
  if (!failure) return null;
  const isApi = failure instanceof ApiFailure;
  if (isApi && failure.code === 'insufficient_scope')
    return (
      <p class="note" role="note">
        {words.failure.notAllowed} {toDisplayLine(failure.message)}
      </p>
    );
  return (
    <div class="failure-note" role="alert">
      <p>
        {isApi
          ? toDisplayLine(failure.message)
          : failure instanceof Offline
            ? words.offlineEmpty
            : words.failure.crashed}
      </p>
      {isApi && (
        <p class="failure-facts">
          {words.failure.code} <code>{failure.code}</code>
          {failure.requestId !== undefined && (
            <>
              {' · '}
              {words.failure.request} <code>{failure.requestId}</code>
            </>
          )}
        </p>
      )}
      {isApi && failure.code === 'recent_sign_in_required' ? (
        <a
          class="button"
          href={hrefOf('/sign-in', {
            env: null,
            reason: recentSignInReason,
            next: hrefOf(address.value.path, address.value.query),
          })}
        >
          {words.failure.signInAgain}
        </a>
      ) : (
        retry && (
          <button type="button" class="button" onClick={retry}>
            {words.failure.retry}
          </button>
        )
      )}
    </div>
  );
}
