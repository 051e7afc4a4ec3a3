// The simulated provider's consent page: plain HTML that works without a script, by keyboard and on
// a phone.

import type { CloudProviderId } from '../../../shared/catalog/provider.ts';
import type { SandboxPersona, SimulatedFailure } from '../../../shared/catalog/sandbox.ts';
import { errorIcon } from '../../../shared/http/icons.ts';
import { type PlainPage, renderPlainPage } from '../../../shared/http/page.ts';
import { type Markup, markup } from '../../../shared/platform/markup.ts';
import { getProviderLabel } from '../../../shared/providers/provider-label.ts';
import type { SandboxAuthorizationRequest } from '../../../shared/sandbox/provider-server/consent.ts';
import type { ChosenProfile } from './parse-chosen-account.ts';

const personaNames: Readonly<Record<SandboxPersona, string>> = {
  average: 'Average: a typical week',
  athlete: 'Athlete: trains almost daily',
  shift_worker: 'Shift worker: sleeps during the day on three days out of six',
  traveller: 'Traveller: in another time zone on three days out of six',
  sparse: 'Sparse: some days and measurements are missing',
  new_user: 'New: three days of data',
  ill: 'Ill: in bed for the last two days',
  device_swap: 'Device swap: changed from a ring to a watch three days ago',
  incomplete_log: 'Incomplete log: only a few meals are logged',
  child: 'Child: eight years old',
  older: 'Older: 72 years old',
  empty: 'Empty: no data at all',
};

const behaviorNames: Readonly<Record<SimulatedFailure | '', string>> = {
  '': 'It works',
  unavailable: 'It is unavailable (503) from a minute after the consent on',
  rate_limited: 'It limits every request (429) from a minute after the consent on',
  consent_ended: 'The consent ends a minute after it was given',
};

export function renderConsentPage(request: SandboxAuthorizationRequest, choice: ChosenProfile): PlainPage {
  const { provider, scopes, timeZone: suggestedTimeZone = 'UTC', persona: suggestedPersona = 'average' } = request;
  const name = getProviderLabel(provider);
  const { seed, persona = suggestedPersona, timeZone = suggestedTimeZone, behavior = '', errors = {} } = choice;
  return renderPlainPage({
    title: `Share ${name} data?`,
    forms: 'onward',
    content: markup`${renderErrorSummary(errors)}<h1>Share ${name} data with this app?</h1>
<p class="lead">This is the sandbox. This page takes the place of the one at ${name}, and no real data is shared. Choose which fictional user to link.</p>
${scopes.length > 0 && markup`<p class="muted">The app requests: ${scopes.join(', ')}.</p>`}
<form method="post">
${renderField('persona', 'Person', errors, (attributes) => markup`<select id="persona" name="persona"${attributes}>${renderOptions(personaNames, persona)}</select>`)}
${renderField('behavior', 'How the provider behaves', errors, (attributes) => markup`<select id="behavior" name="behavior"${attributes}>${renderOptions(behaviorNames, behavior)}</select>`)}
${renderField('time_zone', 'Time zone', errors, (attributes) => markup`<input type="text" id="time_zone" name="time_zone" value="${timeZone}" autocomplete="off" spellcheck="false" required${attributes}>`)}
${renderField(
  'account_number',
  'Account number',
  errors,
  (attributes) =>
    markup`<input type="text" id="account_number" name="account_number" value="${seed}" autocomplete="off" spellcheck="false" required${attributes}>`,
  'Keep this number to create a new account, or enter the number from an earlier link to connect the same account again.',
)}
<p class="actions">
<button class="primary" name="decision" value="allow">Allow</button>
<button name="decision" value="deny" formnovalidate>Deny</button>
</p>
</form>`,
  });
}

export const renderInvalidLinkPage = (provider: CloudProviderId, why: string): PlainPage =>
  renderPlainPage({
    title: `${getProviderLabel(provider)}: this link is not valid`,
    content: markup`${errorIcon}<h1>This link is not valid</h1>
<p class="lead">${why}</p>
<p>Go back to the app that sent you here and start again.</p>`,
  });

const renderOptions = (names: Readonly<Record<string, string>>, selected: string): Markup[] =>
  Object.entries(names).map(([id, name]) =>
    id === selected
      ? markup`<option value="${id}" selected>${name}</option>`
      : markup`<option value="${id}">${name}</option>`,
  );

const renderErrorSummary = (errors: Readonly<Record<string, string>>): Markup | false =>
  Object.keys(errors).length > 0 &&
  markup`<p class="notice" role="alert">Nothing has been shared yet. Please correct the fields marked below.</p>`;

function renderField(
  id: string,
  label: string,
  errors: Readonly<Record<string, string>>,
  control: (attributes: Markup) => Markup,
  note?: string,
): Markup {
  const error = errors[id];
  const describedBy = [...(note ? [`${id}-note`] : []), ...(error ? [`${id}-error`] : [])];
  const attributes = markup`${error !== undefined && markup` aria-invalid="true"`}${describedBy.length > 0 && markup` aria-describedby="${describedBy.join(' ')}"`}`;
  return markup`<p class="lead"><label for="${id}">${label}</label></p>
${control(attributes)}
${note !== undefined && markup`<p class="muted small" id="${id}-note">${note}</p>`}
${error !== undefined && markup`<p class="error small" id="${id}-error">${error}</p>`}`;
}
