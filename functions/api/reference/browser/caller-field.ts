// Whom a form sends its request as: the colleague who is signed in to the console, or the bearer of
// a token.
import { findErrorMessage } from '../../docs-kit/browser/api-response.ts';
import { type Child, createElement } from '../../docs-kit/browser/dom.ts';
import { getToken, renderTokenField } from '../../docs-kit/browser/token-field.ts';
import type { DescribedApi } from './openapi-document.ts';
import type { ShownOperation } from './operations.ts';
import { buildSessionHeaders, forgetSession, loadProfile } from './session.ts';
import { renderSessionField } from './session-field.ts';

type Headers = [name: string, value: string][];

export interface CallerField {
  node: Child;
  buildHeaders(): Promise<Headers>;
  /** What to show above a response that refused the caller. */
  explainRefusal(response: Response, text: string): HTMLElement[];
}

export function renderCallerField(api: DescribedApi, operation: ShownOperation): CallerField {
  if (operation.callers.length === 0) return { node: '', buildHeaders: async () => [], explainRefusal: () => [] };
  if (api.acceptsSession && operation.callers.includes('api_key')) return renderSessionOrToken(api, operation);
  return {
    node: renderTokenField(`${operation.id}-token`),
    buildHeaders: async () => buildTokenHeaders(),
    explainRefusal: () => [],
  };
}

const buildTokenHeaders = (): Headers => (getToken() === '' ? [] : [['Authorization', `Bearer ${getToken()}`]]);

/** A colleague may send what a key may, as far as the colleague's role permits. */
function renderSessionOrToken({ base }: DescribedApi, { id }: ShownOperation): CallerField {
  const node = createElement('div', { class: 'caller' });
  let isSignedIn = false;
  const showTokenField = (note?: string): void => {
    isSignedIn = false;
    const noteElement = note === undefined ? [] : [createElement('p', { class: 'field-note' }, note)];
    node.replaceChildren(renderTokenField(`${id}-token`), ...noteElement);
  };
  const showCaller = async (): Promise<void> => {
    try {
      const profile = await loadProfile(base);
      if (!profile) return showTokenField();
      isSignedIn = true;
      node.replaceChildren(renderSessionField(id, profile));
    } catch (error) {
      console.error(error);
      showTokenField('Whether you are signed in to the console is not known: the request for it failed.');
    }
  };
  node.append(createElement('p', { class: 'field-note' }, 'Checking whether you are signed in…'));
  const shown = showCaller();
  return {
    node,
    async buildHeaders() {
      await shown;
      return isSignedIn ? buildSessionHeaders() : buildTokenHeaders();
    },
    explainRefusal(response, text) {
      if (!isSignedIn || (response.status !== 401 && response.status !== 403)) return [];
      const refusal = createElement(
        'p',
        { class: 'error' },
        findErrorMessage(text) ?? `The service responded with ${response.status}.`,
        ' ',
        createElement('a', { href: new URL('console/sign-in', base).href }, 'Sign in to the console'),
      );
      if (response.status === 401) {
        forgetSession();
        showTokenField();
      }
      return [refusal];
    },
  };
}
