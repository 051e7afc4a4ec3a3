// The charts by category. The first category is open, and so is the one that the address names; the
// charts of the others are drawn when they are opened.
import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import { address, hrefOf } from '../../address/address.ts';
import { words } from '../../words/en.ts';
import type { PersonDays, ShownMetric } from './measured-metrics.ts';
import { MetricChart } from './metric-chart.tsx';
import type { PersonContext } from './person-state.ts';
import { readWhy } from './why-panel.tsx';

type Category = ShownMetric['category'];

interface CategoryListProps {
  metrics: readonly ShownMetric[];
  daily: PersonDays;
  context: PersonContext;
}

export function CategoryList({ metrics, daily, context }: CategoryListProps) {
  const { path, query } = address.value;
  const categories = [...new Set(metrics.map(({ category }) => category))];
  const isAllOpen = query['charts'] === 'all';
  const explained = readWhy()?.metric;
  const chosen = categories.find((category) => category === query['category']);
  const first = chosen ?? metrics.find(({ id }) => id === explained)?.category ?? categories[0];
  const opened = useSignal<ReadonlySet<Category>>(new Set(first === undefined ? [] : [first]));
  /** Where to scroll once it is drawn. */
  const target = useSignal<Category | undefined>(chosen);
  const setOpen = (category: Category, isOpen: boolean): void => {
    const others = [...opened.value].filter((each) => each !== category);
    opened.value = new Set(isOpen ? [...others, category] : others);
  };
  return (
    <>
      <nav class="choices jump-list" aria-label={words.person.days.categories}>
        {categories.map((category) => (
          <a
            key={category}
            href={hrefOf(path, { ...query, category })}
            aria-current={category === chosen ? 'true' : undefined}
            onClick={() => {
              setOpen(category, true);
              target.value = category;
            }}
          >
            {words.providers.categories[category]}
          </a>
        ))}
        <a href={hrefOf(path, { ...query, charts: isAllOpen ? null : 'all' })}>
          {isAllOpen ? words.person.days.showFirst : words.person.days.showAll}
        </a>
      </nav>
      {categories.map((category) => (
        <CategorySection
          key={category}
          category={category}
          metrics={metrics.filter((metric) => metric.category === category)}
          daily={daily}
          context={context}
          isOpen={isAllOpen || opened.value.has(category)}
          onToggle={isAllOpen ? undefined : (isOpen) => setOpen(category, isOpen)}
          isTarget={target.value === category}
          onReached={() => {
            target.value = undefined;
          }}
        />
      ))}
    </>
  );
}

interface CategorySectionProps extends CategoryListProps {
  category: Category;
  isOpen: boolean;
  /** Undefined while all categories are open. */
  onToggle: ((isOpen: boolean) => void) | undefined;
  isTarget: boolean;
  onReached: () => void;
}

function CategorySection({
  category,
  metrics,
  daily,
  context,
  isOpen,
  onToggle,
  isTarget,
  onReached,
}: CategorySectionProps) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!isTarget) return;
    heading.current?.scrollIntoView();
    heading.current?.focus({ preventScroll: true });
    onReached();
  }, [isTarget]);
  const name = words.providers.categories[category];
  return (
    <section class="category" aria-labelledby={`${id}-name`}>
      <h2 id={`${id}-name`} ref={heading} tabIndex={-1}>
        {onToggle ? (
          <button type="button" aria-expanded={isOpen} onClick={() => onToggle(!isOpen)}>
            {name}
          </button>
        ) : (
          name
        )}{' '}
        <span class="muted small">{words.person.days.count(metrics.length)}</span>
      </h2>
      {isOpen && (
        <div class="charts">
          {metrics.map((metric) => (
            <MetricChart key={metric.id} metric={metric} daily={daily} context={context} />
          ))}
        </div>
      )}
    </section>
  );
}
