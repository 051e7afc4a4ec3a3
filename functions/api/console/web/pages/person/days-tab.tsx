// The person's days: a summary, then one chart for each metric that has a value, by category. A click
// on a day explains its value in a drawer.
import { environment } from '../../address/address.ts';
import { v1 } from '../../api/client.ts';
import { unwrap } from '../../api/failures.ts';
import { Panel } from '../../parts/panel.tsx';
import { useMetricCatalog } from '../../state/catalog.ts';
import { useResource } from '../../state/resource.ts';
import { words } from '../../words/en.ts';
import { CategoryList } from './category-list.tsx';
import { DaySummary } from './day-summary.tsx';
import { listMeasured } from './measured-metrics.ts';
import type { PersonContext } from './person-state.ts';
import { RangeSwitch } from './range-switch.tsx';
import { readWhy, WhyPanel } from './why-panel.tsx';

export function DaysTab({ context }: { context: PersonContext }) {
  const { person, range, today } = context;
  const daily = useResource(
    `daily ${environment.value} ${person.id} ${range.from} ${range.to}`,
    () =>
      unwrap(
        v1.GET('/v1/users/{id}/daily', {
          params: {
            path: { id: person.id },
            query: { from_date: range.from, to_date: range.to, include_sources: true },
          },
        }),
      ),
    { isLive: true },
  );
  const catalog = useMetricCatalog();
  const why = readWhy();
  return (
    <>
      <Panel of={catalog} minHeight="40rem">
        {({ metrics }) => (
          <Panel of={daily} minHeight="40rem">
            {(data) => (
              <>
                {range.to === today && <DaySummary metrics={metrics} daily={data} context={context} />}
                <RangeSwitch context={context} />
                {listMeasured(metrics, data).length === 0 ? (
                  <p class="empty">{words.person.days.empty}</p>
                ) : (
                  <CategoryList metrics={listMeasured(metrics, data)} daily={data} context={context} />
                )}
              </>
            )}
          </Panel>
        )}
      </Panel>
      {why && <WhyPanel context={context} metric={why.metric} date={why.date} />}
    </>
  );
}
