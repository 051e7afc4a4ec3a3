// One switch per provider, for a metric or for all metrics of a category.
import { nameOfProvider } from '../../state/format.ts';
import { words } from '../../words/en.ts';
import { hrefOfSetting } from './chosen-setting.ts';
import { type ConnectedProvider, type Draft, type MetricDraft, stateOfProviderFor } from './draft.ts';

interface ProviderSwitchesProps {
  draft: Draft;
  metrics: readonly MetricDraft[];
  onSwitch: (provider: ConnectedProvider, isOn: boolean) => void;
}

export const ProviderSwitches = ({ draft, metrics, onSwitch }: ProviderSwitchesProps) => (
  <fieldset class="switches">
    <legend>{words.consolidation.editor.switches}</legend>
    {draft.providers.length === 0 && <p class="muted">{words.consolidation.providers.none}</p>}
    {draft.providers.map((provider) => {
      const state = stateOfProviderFor(draft, metrics, provider);
      const noteId = `note-${provider}`;
      return (
        <div key={provider}>
          <label>
            <input
              type="checkbox"
              checked={state === 'on'}
              indeterminate={state === 'mixed'}
              disabled={state === 'off_for_all'}
              aria-describedby={state === 'mixed' || state === 'off_for_all' ? noteId : undefined}
              onChange={(event) => onSwitch(provider, event.currentTarget.checked)}
            />{' '}
            {nameOfProvider(provider)}
          </label>{' '}
          {state === 'mixed' && (
            <span id={noteId} class="muted small">
              {words.consolidation.providers.states.mixed}
            </span>
          )}
          {state === 'off_for_all' && (
            <a id={noteId} class="small" href={hrefOfSetting('provider', provider)}>
              {words.consolidation.providers.states.off_for_all}
            </a>
          )}
        </div>
      );
    })}
  </fieldset>
);
