// The worked examples: sliders above the table of factors, which updates as they move. They run the
// scorer itself.
import { scoreRow } from '../../../shared/catalog/score-table.ts';
import { createElement } from '../docs-kit/assets/dom.js';
import { computeExampleOutcome } from './compute-example-outcome.ts';
import { scoreExamples } from './score-examples.ts';
import { renderResult } from './score-result.js';
import { describeScoreState } from './score-state-text.ts';

/** Announces the result to screen readers once the slider has come to rest. */
const announceDelayMs = 700;

for (const example of document.querySelectorAll('.example')) activateExample(example);

function activateExample(example) {
  const id = example.dataset.score;
  const { inputs, cases } = scoreExamples[id];
  const title = example.querySelector('h4');
  const announcement = createElement('p', { class: 'visually-hidden', role: 'status' });
  const sliders = inputs.map((input) => createSlider(id, input, () => update('With your values')));
  let announceTimer;

  function update(heading) {
    const values = Object.fromEntries(sliders.map(({ input, read }) => [input.name, read()]));
    const outcome = computeExampleOutcome(id, values);
    title.textContent = heading;
    example.querySelector('.result').replaceWith(renderResult(id, outcome));
    clearTimeout(announceTimer);
    announceTimer = setTimeout(() => {
      announcement.textContent = `${scoreRow(id).displayName}: ${describeOutcome(outcome)}`;
    }, announceDelayMs);
  }

  const chooseCase = ({ title: heading, values }) => {
    for (const { input, write } of sliders) write(values[input.name]);
    update(heading);
  };
  for (const [index, row] of [...example.querySelectorAll('.cases tbody tr')].entries()) {
    const cell = row.querySelector('th');
    const button = createElement('button', { type: 'button', class: 'case-button' }, cell.textContent);
    button.addEventListener('click', () => chooseCase(cases[index]));
    cell.replaceChildren(button);
  }
  for (const { input, write } of sliders) write(cases[0].values[input.name]);
  example.querySelector('.sliders').replaceChildren(...sliders.map(({ node }) => node));
  example.querySelector('.example-editor').append(announcement);
}

function createSlider(id, input, onChange) {
  const { name, label, unit, min, max, step, optional } = input;
  const rangeInput = createElement('input', { type: 'range', id: `${id}-${name}`, min, max, step });
  const valueLabel = createElement('span', { class: 'slider-value', 'aria-hidden': 'true' });
  const knownCheckbox = createElement('input', { type: 'checkbox', checked: true });
  const read = () => (knownCheckbox.checked ? Number(rangeInput.value) : null);
  const showValue = () => {
    const text = knownCheckbox.checked ? `${rangeInput.value} ${unit}` : 'not known';
    rangeInput.disabled = !knownCheckbox.checked;
    rangeInput.setAttribute('aria-valuetext', text);
    valueLabel.textContent = text;
  };
  for (const control of [rangeInput, knownCheckbox]) {
    control.addEventListener('input', () => {
      showValue();
      onChange();
    });
  }
  const write = (value) => {
    knownCheckbox.checked = value !== null;
    if (value !== null) rangeInput.value = value;
    showValue();
  };
  const node = createElement(
    'div',
    { class: 'slider' },
    createElement('label', { for: rangeInput.id }, label),
    valueLabel,
    rangeInput,
    optional
      ? createElement(
          'label',
          { class: 'known-toggle' },
          knownCheckbox,
          'known',
          createElement('span', { class: 'visually-hidden' }, `: ${label}`),
        )
      : '',
  );
  return { input, node, read, write };
}

const describeOutcome = (outcome) =>
  'value' in outcome ? `${outcome.value}, ${outcome.confidence} confidence` : `none. ${describeScoreState(outcome)}`;
