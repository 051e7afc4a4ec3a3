// The worked examples: sliders above the table of factors, which updates as they move. They run the
// scorer itself.
import { scoreRow } from '../../../shared/catalog/score-table.ts';
import { element } from './assets/dom.js';
import { computeExampleOutcome } from './compute-example-outcome.ts';
import { scoreExamples } from './score-examples.ts';
import { exampleResult } from './score-result.js';
import { describeScoreState } from './score-state-text.ts';

/** Announces the result to screen readers once the slider has come to rest. */
const restMilliseconds = 700;

for (const example of document.querySelectorAll('.example')) activateExample(example);

function activateExample(example) {
  const id = example.dataset.score;
  const { inputs, cases } = scoreExamples[id];
  const title = example.querySelector('h4');
  const announcement = element('p', { class: 'visually-hidden', role: 'status' });
  const sliders = inputs.map((input) => createSlider(id, input, () => update('With your values')));
  let rest;

  function update(heading) {
    const values = Object.fromEntries(sliders.map(({ input, read }) => [input.name, read()]));
    const outcome = computeExampleOutcome(id, values);
    title.textContent = heading;
    example.querySelector('.result').replaceWith(exampleResult(id, outcome));
    clearTimeout(rest);
    rest = setTimeout(() => {
      announcement.textContent = `${scoreRow(id).displayName}: ${describeOutcome(outcome)}`;
    }, restMilliseconds);
  }

  const chooseCase = ({ title: heading, values }) => {
    for (const { input, write } of sliders) write(values[input.name]);
    update(heading);
  };
  for (const [at, row] of [...example.querySelectorAll('.cases tbody tr')].entries()) {
    const cell = row.querySelector('th');
    const button = element('button', { type: 'button', class: 'case' }, cell.textContent);
    button.addEventListener('click', () => chooseCase(cases[at]));
    cell.replaceChildren(button);
  }
  for (const { input, write } of sliders) write(cases[0].values[input.name]);
  example.querySelector('.sliders').replaceChildren(...sliders.map(({ node }) => node));
  example.querySelector('.bench').append(announcement);
}

function createSlider(id, input, changed) {
  const { name, label, unit, min, max, step, optional } = input;
  const track = element('input', { type: 'range', id: `${id}-${name}`, min, max, step });
  const shown = element('span', { class: 'slider-value', 'aria-hidden': 'true' });
  const known = element('input', { type: 'checkbox', checked: true });
  const read = () => (known.checked ? Number(track.value) : null);
  const look = () => {
    const text = known.checked ? `${track.value} ${unit}` : 'not known';
    track.disabled = !known.checked;
    track.setAttribute('aria-valuetext', text);
    shown.textContent = text;
  };
  for (const control of [track, known]) {
    control.addEventListener('input', () => {
      look();
      changed();
    });
  }
  const write = (value) => {
    known.checked = value !== null;
    if (value !== null) track.value = value;
    look();
  };
  const node = element(
    'div',
    { class: 'slider' },
    element('label', { for: track.id }, label),
    shown,
    track,
    optional
      ? element(
          'label',
          { class: 'known' },
          known,
          'known',
          element('span', { class: 'visually-hidden' }, `: ${label}`),
        )
      : '',
  );
  return { input, node, read, write };
}

const describeOutcome = (outcome) =>
  'value' in outcome ? `${outcome.value}, ${outcome.confidence} confidence` : `none. ${describeScoreState(outcome)}`;
