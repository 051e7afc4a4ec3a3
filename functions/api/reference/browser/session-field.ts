// Says who is signed in, and lets the reader choose the environment that requests are sent to.
import { toDisplayLine } from '../../../../shared/platform/display-line.ts';
import type { Environment } from '../../../../shared/system/caller.ts';
import type { ConsoleApiSchemas } from '../../docs-kit/browser/api-response.ts';
import { createElement } from '../../docs-kit/browser/dom.ts';
import { liveWarning } from '../../docs-kit/browser/token-field.ts';
import { followEnvironment, getEnvironment, setEnvironment } from './session.ts';

export function renderSessionField(
  id: string,
  { colleague, environments }: ConsoleApiSchemas['ConsoleProfile'],
): HTMLElement {
  const note = createElement('p', { class: 'field-note', role: 'status' });
  const choices = environments.map((each) => createChoice(id, each));
  followEnvironment(() => {
    const isLive = getEnvironment() === 'live';
    for (const { value, input } of choices) input.checked = value === getEnvironment();
    note.classList.toggle('warning', isLive);
    note.textContent = isLive
      ? `This is the live environment: ${liveWarning}`
      : 'Requests go to the sandbox, with your session of the console. No key is needed.';
  });
  return createElement(
    'fieldset',
    { class: 'field session' },
    createElement('legend', {}, `Signed in as ${toDisplayLine(colleague.email)}, ${colleague.role}`),
    choices.map(({ label }) => label),
    note,
  );
}

interface Choice {
  value: Environment;
  input: HTMLInputElement;
  label: HTMLElement;
}

function createChoice(id: string, value: Environment): Choice {
  const input = createElement('input', { type: 'radio', name: `${id}-environment`, value });
  input.addEventListener('change', () => setEnvironment(value));
  return { value, input, label: createElement('label', {}, input, value) };
}
