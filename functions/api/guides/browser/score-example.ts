// The worked examples: sliders above the table of factors, which updates as they move. They run the
// scorer itself.
import type { ScoreId } from '../../../../shared/catalog/score-ids.ts';
import { scoreRow } from '../../../../shared/catalog/score-table.ts';
import { isScored, type ScoreOutcome } from '../../../../shared/scores/scoring.ts';
import { createElement, createNode, findElement } from '../../docs-kit/browser/dom.ts';
import { computeExampleOutcome } from '../scores/compute-example-outcome.ts';
import { type ExampleCase, type ExampleInput, type ExampleValues, scoreExamples } from '../scores/score-examples.ts';
import { drawResult } from '../scores/score-result.ts';
import { describeScoreState } from '../scores/score-state-text.ts';

/** Announces the result to screen readers once the slider has come to rest. */
const announceDelayMs = 700;

for (const example of document.querySelectorAll<HTMLElement>('.example')) {
  const id = example.dataset['score'] ?? '';
  if (!isScoreId(id)) throw new Error(`the page has an example of an unknown score: ${id}`);
  activateExample(id, example);
}

function isScoreId(id: string): id is ScoreId {
  return Object.hasOwn(scoreExamples, id);
}

function activateExample(id: ScoreId, example: HTMLElement): void {
  const { inputs, cases } = scoreExamples[id];
  const title = findElement('h4', HTMLElement, example);
  const announcement = createElement('p', { class: 'visually-hidden', role: 'status' });
  const sliders = inputs.map((input) => createSlider(id, input, () => update('With your values')));
  let announceTimer: ReturnType<typeof setTimeout> | undefined;

  function update(heading: string): void {
    const values: ExampleValues = Object.fromEntries(sliders.map(({ name, read }) => [name, read()]));
    const outcome = computeExampleOutcome(id, values);
    title.textContent = heading;
    findElement('.result', HTMLElement, example).replaceWith(createNode(drawResult(id, outcome)));
    clearTimeout(announceTimer);
    announceTimer = setTimeout(() => {
      announcement.textContent = `${scoreRow(id).displayName}: ${describeOutcome(outcome)}`;
    }, announceDelayMs);
  }

  const writeCase = ({ values }: ExampleCase): void => {
    for (const { name, write } of sliders) write(values[name] ?? null);
  };
  const rows = example.querySelectorAll('.cases tbody tr');
  for (const [index, each] of cases.entries()) {
    const cell = rows[index]?.querySelector('th');
    if (!cell) throw new Error(`the page has no row for the case "${each.title}"`);
    const button = createElement('button', { type: 'button', class: 'case-button' }, cell.textContent ?? '');
    button.addEventListener('click', () => {
      writeCase(each);
      update(each.title);
    });
    cell.replaceChildren(button);
  }
  writeCase(cases[0]);
  findElement('.sliders', HTMLElement, example).replaceChildren(...sliders.map(({ node }) => node));
  findElement('.example-editor', HTMLElement, example).append(announcement);
}

interface Slider {
  name: string;
  node: HTMLElement;
  /** Null if the input is switched off. */
  read(): number | null;
  write(value: number | null): void;
}

function createSlider(id: ScoreId, input: ExampleInput, onChange: () => void): Slider {
  const { name, label, unit, min, max, step, optional } = input;
  const rangeInput = createElement('input', { type: 'range', id: `${id}-${name}`, min, max, step });
  const valueLabel = createElement('span', { class: 'slider-value', 'aria-hidden': 'true' });
  const knownCheckbox = createElement('input', { type: 'checkbox', checked: true });
  const showValue = (): void => {
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
  const knownToggle = createElement(
    'label',
    { class: 'known-toggle' },
    knownCheckbox,
    'known',
    createElement('span', { class: 'visually-hidden' }, `: ${label}`),
  );
  return {
    name,
    node: createElement(
      'div',
      { class: 'slider' },
      createElement('label', { for: rangeInput.id }, label),
      valueLabel,
      rangeInput,
      optional ? knownToggle : '',
    ),
    read: () => (knownCheckbox.checked ? Number(rangeInput.value) : null),
    write(value) {
      knownCheckbox.checked = value !== null;
      if (value !== null) rangeInput.value = String(value);
      showValue();
    },
  };
}

const describeOutcome = (outcome: ScoreOutcome): string =>
  isScored(outcome) ? `${outcome.value}, ${outcome.confidence} confidence` : `none. ${describeScoreState(outcome)}`;
