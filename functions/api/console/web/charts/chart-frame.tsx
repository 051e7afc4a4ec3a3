// The frame of a time series: its name, its headline, its table, and a cursor that the arrow keys
// move and a screen reader hears.
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { words } from '../words/en.ts';

interface ChartFrameProps {
  id: string;
  name: string;
  /** How many points there are. */
  count: number;
  /** What the arrow keys and letters do, for screen readers. */
  help: string;
  noneChosen: string;
  describe: (at: number) => string;
  headline: ComponentChildren;
  /** More buttons, next to the one of the table. */
  buttons?: ComponentChildren;
  /** Further keys: what each does with the chosen point. */
  keys?: Readonly<Record<string, (at: number | undefined) => void>>;
  table: () => ComponentChildren;
  plot: (at: number | undefined, onHover: (at: number | undefined) => void) => ComponentChildren;
  children?: ComponentChildren;
}

export function ChartFrame(props: ChartFrameProps) {
  const { id, name, count, help, noneChosen, describe, headline, buttons, keys = {}, table, plot, children } = props;
  const isTable = useSignal(false);
  const at = useSignal<number | undefined>(undefined);
  const spoken = at.value === undefined || at.value >= count ? '' : describe(at.value);
  const moveTo = (next: number): void => {
    at.value = Math.max(0, Math.min(count - 1, next));
  };
  const toggleTable = (): void => {
    isTable.value = !isTable.value;
  };
  const keyActs: Readonly<Record<string, (chosen: number | undefined) => void>> = {
    ...keys,
    ArrowLeft: (chosen) => moveTo((chosen ?? count) - 1),
    ArrowRight: (chosen) => moveTo((chosen ?? -1) + 1),
    Home: () => moveTo(0),
    End: () => moveTo(count - 1),
    t: toggleTable,
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    const act = keyActs[event.key];
    if (!act) return;
    event.preventDefault();
    act(at.value);
  };
  return (
    <figure class="chart" aria-labelledby={`${id}-name`}>
      <figcaption>
        <h3 id={`${id}-name`}>{name}</h3>
        <div class="chart-headline">{headline}</div>
        <div class="choices">
          <button type="button" aria-pressed={isTable.value} onClick={toggleTable}>
            {words.chart.table}
          </button>
          {buttons}
        </div>
      </figcaption>
      {isTable.value ? (
        table()
      ) : (
        <div
          class="chart-area"
          role="slider"
          tabIndex={0}
          aria-label={help}
          aria-valuemin={0}
          aria-valuemax={count - 1}
          aria-valuenow={at.value ?? count - 1}
          aria-valuetext={spoken === '' ? noneChosen : spoken}
          onKeyDown={onKeyDown}
        >
          {plot(at.value, (next) => {
            at.value = next;
          })}
        </div>
      )}
      <p class="chart-reading">{spoken}</p>
      {children}
    </figure>
  );
}
