// The worked examples: sliders above the table of factors, which updates as they move.
import { element } from './dom.js';
import { exampleScore } from './score-formulas.js';
import { exampleResult } from './score-result.js';
import { stateInWords } from './score-signs.js';

const told = JSON.parse(document.querySelector('main').dataset.figures);
/** Announces the result to screen readers once the slider has come to rest. */
const restMilliseconds = 700;

for (const example of document.querySelectorAll('.example')) bringToLife(example);

function bringToLife(example) {
  const id = example.dataset.score;
  const { name, inputs, cases } = told.figures.scores[id];
  const title = example.querySelector('h4');
  const announced = element('p', { class: 'visually-hidden', role: 'status' });
  const sliders = inputs.map((input) => slider(id, input, () => follow('With your values')));
  let rest;

  function follow(heading) {
    const outcome = exampleScore(
      told.figures,
      id,
      Object.fromEntries(sliders.map(({ input, read }) => [input.name, read()])),
    );
    title.textContent = heading;
    example.querySelector('.result').replaceWith(exampleResult(told, id, outcome));
    clearTimeout(rest);
    rest = setTimeout(() => {
      announced.textContent = `${name}: ${inOneLine(outcome)}`;
    }, restMilliseconds);
  }

  const choose = ({ title: heading, values }) => {
    for (const { input, write } of sliders) write(values[input.name]);
    follow(heading);
  };
  for (const [at, row] of [...example.querySelectorAll('.cases tbody tr')].entries()) {
    const cell = row.querySelector('th');
    const pick = element('button', { type: 'button', class: 'case' }, cell.textContent);
    pick.addEventListener('click', () => choose(cases[at]));
    cell.replaceChildren(pick);
  }
  for (const { input, write } of sliders) write(cases[0].values[input.name]);
  example.querySelector('.sliders').replaceChildren(...sliders.map(({ node }) => node));
  example.querySelector('.bench').append(announced);
}

function slider(id, input, changed) {
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

const inOneLine = (outcome) =>
  'value' in outcome
    ? `${outcome.value}, ${outcome.confidence} confidence`
    : `none. ${stateInWords(told.words, outcome)}`;
