// Changes the draft: for one metric, for a whole category, or for a provider in all metrics.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Field } from '../../parts/form.tsx';
import { nameOfProvider, toSentenceCase } from '../../state/format.ts';
import { words } from '../../words/en.ts';
import type { ChosenSetting } from './chosen-setting.ts';
import {
  type CategoryDraft,
  type ConnectedProvider,
  type Draft,
  listCategoryMethods,
  type MetricDraft,
  methodOfCategory,
  setDefaultMethods,
  setMethod,
  switchProvider,
  switchProviderForAll,
} from './draft.ts';
import { ProviderSwitches } from './provider-switches.tsx';

const texts = words.consolidation.editor;

interface EditorProps {
  draft: Draft;
  onChange: (draft: Draft) => void;
  onClose: () => void;
}

export function SettingEditor({ chosen, ...props }: EditorProps & { chosen: ChosenSetting }) {
  switch (chosen.kind) {
    case 'metric':
      return <MetricEditor {...props} metric={chosen.metric} />;
    case 'category':
      return <CategoryEditor {...props} category={chosen.category} metrics={chosen.metrics} />;
    case 'provider':
      return <ProviderEditor {...props} provider={chosen.provider} />;
  }
}

interface EditorSectionProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
}

function EditorSection({ title, onClose, children }: EditorSectionProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [title]);
  return (
    <section class="setting">
      <header>
        <h2 tabIndex={-1} ref={heading}>
          {title}
        </h2>
        <button type="button" class="button" onClick={onClose}>
          {texts.close}
        </button>
      </header>
      {children}
    </section>
  );
}

function MetricEditor({ draft, onChange, onClose, metric }: EditorProps & { metric: MetricDraft }) {
  const { key, name, allowedMethods, defaultMethod } = metric;
  return (
    <EditorSection title={name} onClose={onClose}>
      <Field label={texts.method}>
        <select
          value={metric.method}
          onChange={(event) => {
            const method = allowedMethods.find((each) => each === event.currentTarget.value);
            if (method) onChange(setMethod(draft, [key], method));
          }}
        >
          {allowedMethods.map((method) => (
            <option key={method} value={method}>
              {words.why.methods[method]}
              {method === defaultMethod ? ` (${words.why.isDefault})` : ''}
            </option>
          ))}
        </select>
      </Field>
      <ProviderSwitches
        draft={draft}
        metrics={[metric]}
        onSwitch={(provider, isOn) => onChange(switchProvider(draft, [key], provider, isOn))}
      />
    </EditorSection>
  );
}

function CategoryEditor({ draft, onChange, onClose, category, metrics }: EditorProps & CategoryDraft) {
  const keys = metrics.map(({ key }) => key);
  const choices = listCategoryMethods(metrics);
  const current = methodOfCategory(metrics);
  const keeps = choices.find(({ method }) => method === current)?.keeps ?? [];
  const choose = (value: string): void => {
    const choice = choices.find(({ method }) => method === value);
    if (choice) onChange(setMethod(draft, keys, choice.method));
    else if (value === 'default') onChange(setDefaultMethods(draft, keys));
  };
  return (
    <EditorSection title={texts.category(toSentenceCase(category))} onClose={onClose}>
      <Field label={texts.method}>
        <select value={current} onChange={(event) => choose(event.currentTarget.value)}>
          {current === 'mixed' && (
            <option value="mixed" disabled>
              {texts.mixed}
            </option>
          )}
          <option value="default">{texts.defaults}</option>
          {choices.map(({ method, keeps: others }) => (
            <option key={method} value={method}>
              {others.length === 0
                ? words.why.methods[method]
                : texts.forSome(words.why.methods[method], metrics.length - others.length, metrics.length)}
            </option>
          ))}
        </select>
      </Field>
      <p role="status" class="muted small">
        {keeps.length > 0 && texts.keep(keeps.map(({ name }) => name))}
      </p>
      <ProviderSwitches
        draft={draft}
        metrics={metrics}
        onSwitch={(provider, isOn) => onChange(switchProvider(draft, keys, provider, isOn))}
      />
    </EditorSection>
  );
}

function ProviderEditor({ draft, onChange, onClose, provider }: EditorProps & { provider: ConnectedProvider }) {
  const exceptions = draft.metrics.filter(({ disabledProviders }) => disabledProviders.includes(provider));
  return (
    <EditorSection title={texts.provider(nameOfProvider(provider))} onClose={onClose}>
      <div class="switches">
        <label>
          <input
            type="checkbox"
            checked={!draft.disabledProviders.includes(provider)}
            aria-describedby="switch-for-all-note"
            onChange={(event) => onChange(switchProviderForAll(draft, provider, event.currentTarget.checked))}
          />{' '}
          {texts.switchForAll(nameOfProvider(provider))}
        </label>
      </div>
      <p id="switch-for-all-note" class="muted small">
        {texts.switchForAllNote}
      </p>
      {exceptions.length > 0 && <p class="small">{texts.exceptions(exceptions.map(({ name }) => name))}</p>}
    </EditorSection>
  );
}
