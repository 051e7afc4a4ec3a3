// Signing in: with a link, which the button uses up (mail scanners open links), or with a passkey.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { toDisplayLine } from '../../../../../shared/platform/display-line.ts';
import { address, decodePart } from '../address/address.ts';
import { type ConsoleSchemas, consoleClient } from '../api/client.ts';
import { ApiFailure, unwrap } from '../api/failures.ts';
import { requestLocalSecret } from '../api/local-sign-in.ts';
import { toAssertion } from '../api/passkey-credential.ts';
import { ActionForm, Field } from '../parts/form.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { FailureNote, Panel, recentSignInReason } from '../parts/panel.tsx';
import { useAction } from '../state/action.ts';
import { useResource } from '../state/resource.ts';
import { openAfterSignIn, storeWantedPage } from '../state/session.ts';
import { words } from '../words/en.ts';

/** The secret stays in the fragment, which no browser sends anywhere. */
function readSecret(): string {
  const fragment = location.hash.slice(1);
  return decodePart(fragment) ?? fragment;
}

const canUsePasskeys = (): boolean =>
  'PublicKeyCredential' in window && 'parseRequestOptionsFromJSON' in PublicKeyCredential;

export function SignInPage() {
  const secret = useSignal(readSecret());
  useEffect(() => {
    const update = (): void => {
      secret.value = readSecret();
    };
    addEventListener('hashchange', update);
    return () => removeEventListener('hashchange', update);
  }, []);
  const options = useResource('sign-in', () => unwrap(consoleClient.GET('/console/api/sign-in')));
  const offered = options.data.value;
  const { next, reason } = address.value.query;
  return (
    <main class="narrow sign-in" id="page">
      <PageHead title={words.signIn.title} />
      {reason === recentSignInReason && <p>{words.signIn.recent}</p>}
      {secret.value === '' ? (
        <Panel of={options} minHeight="12rem">
          {(data) => (
            <>
              {data.deployment === 'local' && isThisMachine() && <LocalSignIn next={next} />}
              <RequestLink offered={data} next={next} />
            </>
          )}
        </Panel>
      ) : (
        <>
          <UseLink secret={secret.value} next={next} />
          <button
            type="button"
            class="link-button"
            onClick={() => {
              history.replaceState(null, '', location.pathname + location.search);
              secret.value = '';
            }}
          >
            {words.signIn.again}
          </button>
        </>
      )}
      {offered?.passkeys.available && canUsePasskeys() && <PasskeyButton next={next} />}
      {offered?.passkeys.available === false && <p class="muted">{offered.passkeys.reason}</p>}
      <p>
        <a href="/docs">{words.documentation}</a>
      </p>
    </main>
  );
}

/** Says whose link it is before the button, so that nobody works in a stranger's account unknowingly. */
function UseLink({ secret, next }: { secret: string; next: string | undefined }) {
  const body = { secret };
  const link = useResource(`link ${secret}`, () =>
    unwrap(consoleClient.POST('/console/api/sign-in/links/description', { body })),
  );
  const failure = link.failure.value;
  const isDead = failure instanceof ApiFailure && failure.code === 'invalid_token';
  const isUnknown = link.data.value === undefined && failure !== undefined && !isDead;
  return (
    <>
      <Panel of={link} minHeight="12rem">
        {({ account, email }) => (
          <>
            <p>{words.signIn.withLink}</p>
            <dl class="facts">
              <dt>{words.signIn.account}</dt>
              <dd>
                <bdi>{toDisplayLine(account.name)}</bdi> <code>{account.id}</code>
              </dd>
              <dt>{words.signIn.address}</dt>
              <dd>
                <bdi>{email}</bdi>
              </dd>
            </dl>
          </>
        )}
      </Panel>
      {isUnknown && <p>{words.signIn.unknownAccount}</p>}
      {(link.data.value !== undefined || isUnknown) && (
        <ActionForm
          action={words.signIn.useLink}
          act={async () => {
            await unwrap(consoleClient.POST('/console/api/sign-in/sessions', { body }));
            await openAfterSignIn(next);
          }}
        />
      )}
    </>
  );
}

type SignInOptions = ConsoleSchemas['SignInOptions'];

/** On a laptop the link is printed in the terminal; elsewhere only mail can deliver it. */
const answerOf = ({ deployment, mail }: SignInOptions): string | undefined =>
  deployment === 'local' ? words.signIn.printedInTerminal : mail ? words.signIn.sentByMail : undefined;

/** Behind a tunnel or a proxy, the host answers no such request. */
const isThisMachine = (): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname);

function LocalSignIn({ next }: { next: string | undefined }) {
  return (
    <section aria-labelledby="local-title">
      <h2 id="local-title">{words.signIn.localTitle}</h2>
      <p>{words.signIn.localText}</p>
      <ActionForm
        action={words.signIn.local}
        act={async () => {
          const body = { secret: await requestLocalSecret() };
          await unwrap(consoleClient.POST('/console/api/sign-in/sessions', { body }));
          await openAfterSignIn(next);
        }}
      />
    </section>
  );
}

function RequestLink({ offered, next }: { offered: SignInOptions; next: string | undefined }) {
  const isRequested = useSignal(false);
  const answer = answerOf(offered);
  return (
    <section aria-labelledby="request-title">
      <h2 id="request-title">{words.signIn.requestTitle}</h2>
      {answer === undefined ? (
        <p>{words.signIn.noMail}</p>
      ) : (
        <>
          <ActionForm
            action={words.signIn.request}
            act={async (fields) => {
              const body = { email: String(fields.get('email')) };
              await unwrap(consoleClient.POST('/console/api/sign-in/links', { body }));
              if (next !== undefined) storeWantedPage(next);
              isRequested.value = true;
            }}
          >
            <Field label={words.signIn.email}>
              <input type="email" name="email" autocomplete="email" required />
            </Field>
          </ActionForm>
          <p role="status">{isRequested.value ? answer : ''}</p>
        </>
      )}
    </section>
  );
}

function PasskeyButton({ next }: { next: string | undefined }) {
  const { isActing, failure, run } = useAction();
  const signIn = (): Promise<void> =>
    run(async () => {
      const options = await unwrap(consoleClient.POST('/console/api/sign-in/passkeys/options'));
      const credential = await navigator.credentials.get({
        publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options),
      });
      if (!(credential instanceof PublicKeyCredential)) return;
      const body = toAssertion(credential);
      await unwrap(consoleClient.POST('/console/api/sign-in/passkeys', { body }));
      await openAfterSignIn(next);
    });
  // The browser says so when the person closes its dialog.
  const isCancelled = failure.value instanceof DOMException;
  return (
    <section>
      <p class="or">{words.signIn.or}</p>
      <button type="button" class="button" disabled={isActing.value} onClick={() => void signIn()}>
        {words.signIn.passkey}
      </button>
      <p role="status">{isCancelled && words.signIn.passkeyCancelled}</p>
      {!isCancelled && <FailureNote failure={failure.value} />}
    </section>
  );
}
